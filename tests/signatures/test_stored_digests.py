"""Stored digests: new probes keep the version, a changed rule does not."""

from __future__ import annotations

from probes import read_probes
from rule_behaviour import BEHAVIOURS, rules_version
from stored_digests import FILE, read_digests, renew_digests, write_digests


def count_probes(name, probes):
    """A digest for tests: as many probes as there are."""
    return f"{name} {len(probes)}"


def read_two_probes(name):
    return "It rained.\n" if name not in ("rules", "presence") else "It rained.\nAnn left.\n"


def old_digests():
    """Digests on the files of `read_two_probes`."""
    return {"parser": "p"} | {
        name: {rules_version(name): count_probes(name, read_probes(name, read_two_probes))} for name in BEHAVIOURS
    }


def test_the_file_is_written_as_it_is_read():
    assert write_digests(read_digests()) == FILE.read_text("utf-8")


def test_more_probes_keep_the_version():
    renewed, changed = renew_digests(old_digests(), read_two_probes, measure=count_probes)
    assert changed == []
    assert renewed["edus"] == {rules_version("edus"): f"edus {len(read_probes('edus'))}"}


def test_a_changed_rule_needs_a_new_version():
    stored = old_digests() | {"edus": {rules_version("edus"): "edus said this before"}}
    renewed, changed = renew_digests(stored, read_two_probes, measure=count_probes)
    assert changed == ["edus"]
    assert renewed["edus"] == stored["edus"]


def test_a_new_version_is_added_to_the_old_ones():
    stored = old_digests() | {"edus": {"rules-0": "edus said this before"}}
    renewed, changed = renew_digests(stored, read_two_probes, measure=count_probes)
    assert changed == []
    assert list(renewed["edus"]) == ["rules-0", rules_version("edus")]


def test_what_is_written_down_in_another_way_is_stored_anew():
    stored = old_digests() | {"edus": {rules_version("edus"): "edus said this before"}}
    renewed, changed = renew_digests(stored, read_two_probes, rewritten=["edus"], measure=count_probes)
    assert changed == []
    assert renewed["edus"] == {rules_version("edus"): f"edus {len(read_probes('edus'))}"}
