"""What is not installed is told with a command that installs it from where the user is."""

import json
from types import SimpleNamespace

import pytest

from gistmeter import extras


@pytest.fixture
def installed_from(monkeypatch):
    """Pretend that gistmeter was installed from somewhere: what pip writes into direct_url.json, or None."""

    def pretend(written):
        extras._find_clone.cache_clear()
        package = SimpleNamespace(read_text=lambda name: written)
        monkeypatch.setattr(extras.Distribution, "from_name", lambda name: package)

    yield pretend
    extras._find_clone.cache_clear()


def test_from_an_index(installed_from):
    for written in (None, "", "not json", "[]", json.dumps({"url": "https://index/gistmeter.whl"})):
        installed_from(written)
        assert extras.install_command("zh") == "pip install 'gistmeter[zh]'"


def test_from_a_clone(installed_from, tmp_path, monkeypatch):
    clone = tmp_path / "my clone"
    clone.mkdir()
    installed_from(json.dumps({"url": clone.as_uri(), "dir_info": {"editable": True}}))
    assert extras.install_command("models") == "pip install 'gistmeter[models]'"  # the clone is no longer there
    (clone / "constraints.txt").write_text("")
    extras._find_clone.cache_clear()
    assert extras.install_command("models") == f"pip install -c '{clone}/constraints.txt' '{clone}[models]'"
    monkeypatch.chdir(clone)
    assert extras.install_command("models") == "pip install -c constraints.txt '.[models]'"
