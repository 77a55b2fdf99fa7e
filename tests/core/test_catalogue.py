import subprocess
import sys

import pytest

from cellwright.catalogue import BUILT_IN, PRESETS, built_in, installed, load, registry_of
from cellwright.errors import RegistryError

from .scene import echo, returning


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Installs a package with these entry points, for the time of a test."""

    def install(entries, name):
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        lines = "".join(f"{entry} = {place}\n" for entry, place in entries.items())
        (info / "entry_points.txt").write_text(f"[cellwright.tools]\n{lines}")
        (tmp_path / f"{name}.py").write_text(OTHER)
        monkeypatch.syspath_prepend(tmp_path)

    return install


OTHER = "from cellwright import tool\n@tool\ndef greet(name: str) -> str:\n    'Hi.'\n    return 1\nnot_a_tool = 3\n"


def test_no_module_of_a_tool_is_imported_before_it_is_wanted():
    code = "import cellwright.catalogue as c, sys; c.installed(); print([m for m in sys.modules if '.tools.' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"


def test_presets_hold_installed_tools_only():
    assert {name for names in PRESETS.values() for name in names} <= set(BUILT_IN) <= set(installed())
    assert set(PRESETS["all"]) == set(BUILT_IN)


def test_each_preset_of_reading_tools_only_reads():
    assert all(tool.read_only is True for tool in registry_of("read_only"))


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_each_built_in_tool_is_where_the_catalogue_says(name):
    tool = load(name)
    assert (tool.name, tool.origin, bool(tool.description)) == (name, "built-in", True)


def test_an_unknown_name_is_told_with_the_one_that_was_meant():
    with pytest.raises(RegistryError) as caught:
        load("read_fil")
    assert str(caught.value).startswith(
        "no tool or preset 'read_fil' is installed (did you mean 'read_file'?); there are: agent, all, "
    )


def test_a_built_in_tool_can_be_had_without_a_look_at_other_packages():
    assert built_in("read_file") is load("read_file")
    with pytest.raises(RegistryError, match="no tool or preset 'greet' is installed; there are: agent, all, "):
        built_in("greet")


def test_a_registry_is_made_of_tools_names_and_presets_each_taken_once():
    registry = registry_of([echo, "read_file", "read_only", "read_file", echo])
    assert {tool.name for tool in registry} == {"echo", *PRESETS["read_only"]}
    assert list(registry_of(echo)) == [echo]
    with pytest.raises(RegistryError, match="None is no tools; give a registry, or a list"):
        registry_of(None)


def test_two_tools_of_one_name_are_refused():
    with pytest.raises(RegistryError, match="already called 'read_file'"):
        registry_of(["read_file", returning(1, "read_file")])


def test_a_tool_of_another_package_is_found_by_its_name(package):
    package({"greet": "found_one:greet"}, "found_one")
    assert load("greet").definition.name == "greet"
    assert [tool.name for tool in registry_of(["greet", "read_file"])] == ["read_file", "greet"]


CLASHES = [
    ("read_file", "c1:greet", "two tools are called 'read_file': cellwright.tools.read_file:read_file and c1:greet"),
    ("greet", "c2:not_a_tool", "c2:not_a_tool was to be the tool 'greet', but is 3; report it to its package"),
    ("hello", "c3:greet", "c3:greet was to be the tool 'hello', but is Tool("),
    ("greet", "missing:greet", "can't be imported from missing:greet (ModuleNotFoundError: No module named 'missing')"),
]


@pytest.mark.parametrize(("entry", "place", "words"), CLASHES, ids=range(4))
def test_a_wrong_entry_is_told_with_its_origin(package, entry, place, words):
    package({entry: place}, place.partition(":")[0].replace("missing", "c4"))
    with pytest.raises(RegistryError) as caught:
        load(entry)
    assert words in str(caught.value)
