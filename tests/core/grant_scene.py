"""A tool that writes, and a person who grants, for the tests of grants."""

from cellwright import Grant, Tool

from .scene import calling

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}


def writer(**facts):
    plain = Tool.from_schema("put", "Writes.", SCHEMA, lambda args, env: args["path"])
    return Tool("put", "Writes.", plain.input_schema, plain.execute, paths=("path",), **facts)


def granting(scope, title="exactly this"):
    """Takes the offer of this title."""
    return lambda question: Grant(scope, next(o.rules for o in question.offers if o.title.startswith(title)))


def put(*paths):
    return [calling(*(("put", {"path": path}) for path in paths)), "done"]
