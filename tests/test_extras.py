"""What is not installed is told with a command that installs it from where the user is."""

import json
import re
import tomllib
from pathlib import Path
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


def test_every_extra_is_in_the_readme_and_every_message_names_one_that_exists():
    root = Path(extras.__file__).parents[2]
    defined = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    readme = (root / "README.md").read_text("utf-8")
    assert [extra for extra in defined if f".[{extra}]" not in readme] == []
    code = "\n".join(file.read_text("utf-8") for file in Path(extras.__file__).parent.rglob("*.py"))
    named = set(re.findall(r'(?:missing_extra\([^)]*|install_command\(|extra=)"(\w+)"', code))
    assert {"models", "zh", "ray", "figures", "train"} <= named | {"models"}
    assert named <= set(defined)


def test_missing_models_are_told_with_a_command_that_works_here(installed_from, tmp_path, monkeypatch):
    from gistmeter.models import roles

    (tmp_path / "constraints.txt").write_text("")
    installed_from(json.dumps({"url": tmp_path.as_uri()}))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(roles, "find_spec", lambda name: None)
    own = [role for role in roles.list_roles() if not role.package and role.requires]
    assert {roles.inspect_installation(role).missing for role in own} == {"pip install -c constraints.txt '.[models]'"}
