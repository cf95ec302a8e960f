"""behaviour.toml: the digest of what each version of each package of rules says, and when it may be rewritten."""

from __future__ import annotations

import tomllib
from pathlib import Path

from probes import read_probes
from rule_behaviour import BEHAVIOURS, digest, rules_version

FILE = Path(__file__).parent.parent / "signatures" / "behaviour.toml"
COMMENT = "# What each version of each package of rules says on the probes, as a digest; test_behaviour.py compares.\n"
COMMENT += "# Written by scripts/store_digests.py.\n"


def read_digests():
    """The parser's digest, and by package the digest of each version."""
    return tomllib.loads(FILE.read_text("utf-8"))


def write_digests(digests):
    """The file, as text."""
    sections = [f'{COMMENT}parser = "{digests["parser"]}"\n']
    for name in BEHAVIOURS:
        lines = "".join(f'"{version}" = "{value}"\n' for version, value in digests[name].items())
        sections.append(f"[{name}]\n{lines}")
    return "\n".join(sections)


def renew_digests(stored, read_old_text, *, rewritten=(), measure=digest):
    """The digests on the probes of today, and the packages that changed without a new version.

    A version keeps its name while it says the same on the probes it had (`read_old_text` gives their files): then only
    probes were added. Packages in `rewritten` are written down in another way now, which says nothing of the rules.
    """
    renewed, changed = {"parser": stored["parser"]}, []
    for name in BEHAVIOURS:
        versions, version = dict(stored.get(name, {})), rules_version(name)
        now = measure(name, read_probes(name))
        before = versions.get(version)
        if (
            before not in (None, now)
            and name not in rewritten
            and measure(name, read_probes(name, read_old_text)) != before
        ):
            changed.append(name)
        else:
            versions[version] = now
        renewed[name] = versions
    return renewed, changed
