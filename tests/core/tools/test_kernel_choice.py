"""Which kernel is meant."""

import json

import pytest

from cellwright.errors import ToolError
from cellwright.notebook.stored import StoredNotebook
from cellwright.tools.kernel_choice import chosen_kernel, notebook_kernel

from ..kernelspecs import install
from .notebooks import env


def notebook(folder, **metadata):
    (folder / "sub").mkdir(exist_ok=True)
    document = {"cells": [], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    (folder / "sub" / "a.ipynb").write_text(json.dumps(document))
    return "sub/a.ipynb"


def spec(name, **more):
    return {"name": name, "display_name": name, **more}


def test_left_out_it_is_the_runs_own_in_the_working_folder_without_secrets(tmp_path, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "abcdefghijklmnop")
    choice = chosen_kernel(None, env(tmp_path))
    assert (choice.name, choice.kernel_name, choice.cwd) == ("python3", "python3", tmp_path.resolve())
    assert choice.env["SOME_API_KEY"] is None


def test_a_notebook_has_a_kernel_of_its_own_in_its_folder(tmp_path):
    choice = chosen_kernel(notebook(tmp_path), env(tmp_path))
    assert (choice.name, choice.kernel_name, choice.cwd.name) == ("sub/a.ipynb", "python3", "sub")
    assert choice.env == {"JPY_SESSION_NAME": str(tmp_path.resolve() / "sub" / "a.ipynb")}


@pytest.mark.parametrize(("given", "expected"), [("python", "python3"), ("odd-1.2", "odd-1.2"), ("Odd", "odd-1.2")])
def test_it_is_named_by_its_name_or_its_language(tmp_path, monkeypatch, given, expected):
    install(tmp_path, monkeypatch, "odd-1.2", "odd")
    assert chosen_kernel(given, env(tmp_path)).kernel_name == expected


@pytest.mark.parametrize("given", ["ir", "python33", "../x", "", "x\ud800"])
def test_one_that_is_missing_is_an_error_that_names_those_installed(tmp_path, given):
    with pytest.raises(ToolError, match=r"Installed are: .*python3 \(python\)") as caught:
        chosen_kernel(given, env(tmp_path))
    assert caught.value.code == "no_kernel"


@pytest.mark.parametrize(
    ("metadata", "kernel"),
    [
        ({}, "python3"),
        ({"kernelspec": spec("gone", language="python")}, "python3"),
        ({"kernelspec": spec("gone"), "language_info": {"name": "python"}}, "python3"),
        ({"kernelspec": spec("odd-1.1", language="Odd")}, "odd-1.2"),
        ({"language_info": {"name": "odd"}}, "odd-1.2"),
    ],
)
def test_a_notebook_gets_another_kernel_of_its_language_if_its_own_is_missing(tmp_path, monkeypatch, metadata, kernel):
    install(tmp_path, monkeypatch, "odd-1.2", "odd")
    stored = StoredNotebook.read(notebook(tmp_path, **metadata), env(tmp_path))
    assert notebook_kernel(stored, env(tmp_path)).kernel_name == kernel


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": spec("ir", language="R")},
        {"kernelspec": spec("ir")},
        {"language_info": {"name": "julia"}},
        {"kernelspec": spec("julia-1.9"), "language_info": {"name": "julia"}},
    ],
)
def test_a_notebook_never_runs_in_a_kernel_of_another_language(tmp_path, metadata):
    with pytest.raises(ToolError, match="Installed are") as caught:
        notebook_kernel(StoredNotebook.read(notebook(tmp_path, **metadata), env(tmp_path)), env(tmp_path))
    assert caught.value.code == "no_kernel"
