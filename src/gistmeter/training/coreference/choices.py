"""What annotated texts and pronouns teach: which of the mentions before it a mention goes back to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.coreference.resolver import list_choices
from gistmeter.training.coreference.fitting import MentionLesson

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.tokens import Doc

    from gistmeter.linguistics.coreference.mentions import Mention
    from gistmeter.training.coreference.texts import ClusteredText, Pronoun, Span


def text_lessons(text: ClusteredText, docs: Sequence[Doc]) -> Iterator[MentionLesson]:
    """For each mention of a text which of those before it is the same, or none."""
    cluster_of = {span: number for number, cluster in enumerate(text.clusters) for span in cluster}
    for choice in list_choices(docs):
        cluster = cluster_of.get((choice.mention.start, choice.mention.end))
        right = [cluster is not None and cluster_of.get((other.start, other.end)) == cluster for other in choice.others]
        if right:
            yield MentionLesson(choice.features, [not any(right), *right])


def pronoun_lesson(pronoun: Pronoun, doc: Doc) -> MentionLesson | None:
    """Which of the two names a pronoun means, where it is one of them and both come before it; none is wrong."""
    if sum(pronoun.meant) != 1:
        return None
    for choice in list_choices([doc]):
        if not choice.mention.is_pronoun or choice.mention.head.idx != pronoun.start:
            continue
        mentions = [_mentions_of_name(choice.others, name) for name in pronoun.names]
        meant = mentions[pronoun.meant.index(True)]
        offered = [number for number, other in enumerate(choice.others) if other in mentions[0] or other in mentions[1]]
        right = [choice.others[number] in meant for number in offered]
        if any(right) and not all(right):
            features = [choice.features[0], *(choice.features[number + 1] for number in offered)]
            return MentionLesson(features, [False, *right])
    return None


def resolve_names(doc: Doc, clusters: Sequence[Sequence[Span]], pronoun: Pronoun) -> tuple[bool, bool]:
    """Which of the two names the clusters of a text put together with the pronoun."""
    with_pronoun = [
        cluster
        for cluster in clusters
        if any(doc[start].idx == pronoun.start and end == start + 1 for start, end in cluster)
    ]
    heads = {doc[start:end].root.idx for cluster in with_pronoun for start, end in cluster} - {pronoun.start}
    first, second = (any(start <= head < end for head in heads) for start, end in pronoun.names)
    return first, second


def _mentions_of_name(others: Sequence[Mention], span: Span) -> set[Mention]:
    """The mentions that are a name, by their position or because they say the same name."""
    at_span = {other for other in others if not other.is_pronoun and span[0] <= other.head.idx < span[1]}
    names = {other.first_named for other in at_span} - {-1}
    return at_span | {other for other in others if other.first_named in names}
