"""Published shares of categories, on REALSumm's two systems that the thesis looks at."""

import pytest
from bench.figures.insight import PUBLISHED_SYSTEMS, lower_texts
from bench.figures.runs import realsumm

from gistmeter.insight import categories

pytestmark = [pytest.mark.data, pytest.mark.more]


def test_tables_3_and_4_of_the_thesis():
    # Table 3 and 4, CNN/DM, ROUGE: NP-CHUNKS 53.6, STOPWORDS 48.4, Information 6.7; measured 54.6, 48.6 and 6.7.
    run = [lower_texts(example) for example in realsumm().examples if example.system in PUBLISHED_SYSTEMS]
    shares = categories(run, "rouge1(stem=wordnet)", resamples=20)
    label = "rouge1(stem=wordnet)"
    assert 100 * shares[label, "np_chunks"].share == pytest.approx(53.6, abs=2)
    assert 100 * shares[label, "stopwords"].share == pytest.approx(48.4, abs=2)
    assert 100 * shares[label, "information"].share == pytest.approx(6.7, abs=1)
