import pytest

from cellwright import Tool
from cellwright.errors import RegistryError
from cellwright.schema import Schema

OBJECT = Schema({"type": "object", "properties": {"path": {"type": "string"}}})


def made(**facts):
    return Tool("t", "", OBJECT, facts.pop("execute", lambda args, env: None), **facts)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"paths": "path"}, r"tool t: paths='path' won't do; give a tuple of names, such as paths=('path',)"),
        ({"paths": ("file",)}, "tool t: paths names 'file', which is not one of its parameters"),
        ({"paths": (1,)}, "a tuple of names"),
        ({"modes": "plan"}, "modes=('plan',)"),
        ({"roles": ["boss"]}, "roles=['boss'] won't do; give a tuple of: main, sub_agent"),
        ({"command": "line"}, "command names 'line', which is not one of its parameters"),
        ({"url": ("path",)}, "url=('path',) won't do; give a text"),
        ({"timeout": "5"}, "timeout='5' won't do; give seconds above 0, or None for the run's"),
        ({"timeout": 0}, "seconds above 0"),
        ({"timeout": float("nan")}, "seconds above 0"),
        ({"timeout": True}, "seconds above 0"),
        ({"max_result_chars": 1.5}, "a whole number above 0"),
        ({"defer": "yes"}, "True or False"),
        ({"validate": True}, "validate=True won't do; give a function, or None"),
        ({"present_result": "text"}, "a function that makes the view, or None"),
        ({"execute": "ls"}, "execute='ls' won't do; give a function of the arguments and the env"),
    ],
)
def test_what_a_tool_declares_wrongly_is_told_when_it_is_made(facts, words):
    with pytest.raises(RegistryError) as caught:
        made(**facts)
    assert words in str(caught.value)


def test_what_is_right_is_kept_as_it_was_given():
    tool = made(paths=["path"], timeout=0.5, roles=("main",), max_result_chars=1)
    assert (tool.paths, tool.timeout, tool.roles, tool.max_result_chars) == (["path"], 0.5, ("main",), 1)
