"""Store what the rules say on the probes, after probes were added or a package of rules has a new version.

python scripts/store_digests.py                     rewrites tests/signatures/behaviour.toml; exit 1, and nothing is
                                                    written, when a package says something else on the probes it had
python scripts/store_digests.py --since main        the probes it had are those of another commit (default HEAD)
python scripts/store_digests.py --rewritten edus    tests/support writes this package down in another way
python scripts/store_digests.py --parser            the parser is another: all digests are stored anew
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))


def read_committed(commit: str, name: str) -> str:
    """The text of a file of probes in a commit; empty where it had none."""
    path = f"{commit}:tests/signatures/probes/{name}.txt"
    shown = subprocess.run(["git", "show", path], cwd=ROOT, capture_output=True, check=False)
    return shown.stdout.decode("utf-8") if shown.returncode == 0 else ""


def main() -> int:
    """Rewrite the file, or say which package needs a new version."""
    from gistmeter.linguistics.parser import load_parser
    from rule_behaviour import BEHAVIOURS, rules_version
    from stored_digests import FILE, read_digests, renew_digests, write_digests

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--since", default="HEAD", metavar="COMMIT")
    parser.add_argument("--rewritten", nargs="+", default=[], choices=BEHAVIOURS, metavar="PACKAGE")
    parser.add_argument("--parser", action="store_true")
    options = parser.parse_args()
    asked_commit = ["git", "rev-parse", "--verify", "--quiet", f"{options.since}^{{commit}}"]
    commit_check = subprocess.run(asked_commit, cwd=ROOT, capture_output=True, check=False)
    if commit_check.returncode:
        parser.error(f"there is no commit {options.since} here")

    stored = read_digests()
    if load_parser().digest != stored["parser"] and not options.parser:
        print(f"the parser was {stored['parser']} and is {load_parser().digest}: --parser stores all digests anew")
        return 1
    rewritten = tuple(BEHAVIOURS) if options.parser else options.rewritten
    renewed, changed = renew_digests(
        stored | {"parser": load_parser().digest}, lambda name: read_committed(options.since, name), rewritten=rewritten
    )
    for name in changed:
        print(f"{name} says something else on the probes it had: give it a new version (it is {rules_version(name)})")
    if changed:
        return 1
    FILE.write_text(write_digests(renewed), "utf-8")
    for name in BEHAVIOURS:
        version = rules_version(name)
        before, now = stored.get(name, {}).get(version, "new"), renewed[name][version]
        print(f"{name:<12} {version} {now}" + ("" if before == now else f"  (was {before})"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
