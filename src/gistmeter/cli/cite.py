"""`gistmeter cite`: what to cite for a file of scores."""

from __future__ import annotations

from gistmeter.cli import options as o


def cite(scores: o.ScoreFile, json: o.AsJson = False) -> None:
    """Print the signatures of scores and the BibTeX of what was used, for a paper."""
    from dataclasses import asdict

    import msgspec

    from gistmeter import api
    from gistmeter.cli.door.terminal import tell, tell_json

    cited = api.cite(scores)
    if json:
        tell_json(msgspec.json.encode(asdict(cited)).decode())
        return
    for metric, signature in cited.signatures.items():
        tell(" ".join(f"% {metric}: {signature}".split()))  # a comment is one line, whatever a name has in it
    for metric, about in cited.unpublished.items():
        tell(f"% {metric} has no paper of its own ({about}): cite gistmeter")
    tell(f"\n{cited.bibtex.rstrip()}")
