"""The roles that `gistmeter train` can train, in the order of its help. A new role is a package and a line here."""

from gistmeter.training.answering.recipe import ROLE as ANSWERING
from gistmeter.training.consistency.recipe import ROLE as CONSISTENCY
from gistmeter.training.coreference.recipe import ROLE as COREFERENCE
from gistmeter.training.easiness.recipe import ROLE as EASINESS
from gistmeter.training.edus.recipe import ROLE as EDUS
from gistmeter.training.entailment.recipe import ROLE as ENTAILMENT
from gistmeter.training.masked_words.recipe import ROLE as MASKED_WORDS
from gistmeter.training.next_sentence.recipe import ROLE as NEXT_SENTENCE
from gistmeter.training.presence.recipe import ROLE as PRESENCE
from gistmeter.training.question_weights.recipe import ROLE as QUESTION_WEIGHTS
from gistmeter.training.s3.recipe import ROLE as S3
from gistmeter.training.salience.recipe import ROLE as SALIENCE
from gistmeter.training.summarizer.recipe import ROLE as SUMMARIZER
from gistmeter.training.trees.recipe import ROLE as TREES

ROLES = (
    MASKED_WORDS,
    NEXT_SENTENCE,
    EDUS,
    COREFERENCE,
    TREES,
    EASINESS,
    PRESENCE,
    ENTAILMENT,
    CONSISTENCY,
    ANSWERING,
    QUESTION_WEIGHTS,
    SALIENCE,
    SUMMARIZER,
    S3,
)
