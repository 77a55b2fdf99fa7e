"""Everything that a command line sets in motion, in the order in which it is written.

Pipes, lists, subshells, loops, functions, substitutions, heredocs: what surrounds a simple command does not matter
for the question whether it may run, so all of them are walked through and their commands collected.
The rule that must never break: no word that bash would run is left out, and an expression that may run commands
hidden in a value (arithmetic on variables, `${!name}`, `${name@P}`) is `UnclearError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from cellwright.permission.shell.grammar import Source, UnclearError, is_lost_dash, parse
from cellwright.permission.shell.word import Word, read_word

if TYPE_CHECKING:
    from tree_sitter import Node

RESERVED = frozenset({
    "!", "[[", "]]", "{", "}", "case", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in",
    "select", "then", "until", "while",
})  # fmt: skip
REPEATING = frozenset({"for_statement", "c_style_for_statement", "while_statement", "function_definition"})
"""Kinds of nodes whose commands may run several times."""
MAX_COMMANDS = 300
MAX_WORDS = 3000


class Assignment(Struct, frozen=True):
    """`NAME=value`, alone or before a command."""

    name: str
    value: Word

    @property
    def source(self) -> str:
        """As it is written."""
        return f"{self.name}={self.value.source}"


class Command(Struct, frozen=True):
    """A simple command: what is set for it, its name and its arguments."""

    words: tuple[Word, ...]
    assignments: tuple[Assignment, ...] = ()
    repeats: bool = False
    """Whether it may run several times: in a loop, in a function."""

    @property
    def source(self) -> str:
        """The command on one line, as it is written."""
        return " ".join([*(found.source for found in self.assignments), *(word.source for word in self.words)])


class Redirection(Struct, frozen=True):
    """`> file`, `2>> file`, `< file`."""

    operator: str
    target: Word

    @property
    def writes(self) -> bool:
        """Whether the file may be changed."""
        return self.operator != "<"

    @property
    def source(self) -> str:
        """As it is written."""
        return f"{self.operator} {self.target.source}"


class Script(Struct, frozen=True):
    """What a command line consists of."""

    commands: tuple[Command, ...]
    redirections: tuple[Redirection, ...]
    functions: frozenset[str]
    """Functions that are certainly defined before anything calls them; their bodies are among the commands."""


def read_script(line: str) -> Script:
    """The parts of a command line.

    Raises:
        UnclearError: if it can't be understood.
    """
    source = parse(line)
    commands: list[Command] = []
    redirections: list[Redirection] = []
    stack = [(source.root, False)]
    while stack:
        node, repeats = stack.pop()
        commands += (replace(command, repeats=repeats) for command in _commands(node, source))
        if node.type == "file_redirect":
            redirections += _redirection(node, source)
        _check_values(node, source)
        repeats |= node.type in REPEATING
        stack += ((child, repeats) for child in reversed(node.children))
    if len(commands) > MAX_COMMANDS or sum(len(command.words) for command in commands) > MAX_WORDS:
        raise UnclearError(f"it has more than {MAX_COMMANDS} commands or {MAX_WORDS} words")
    return Script(tuple(commands), tuple(redirections), _functions(source))


def _commands(node: Node, source: Source) -> Iterator[Command]:
    match node.type:
        case "command":
            yield _command(node, source)
        case "declaration_command" | "unset_command":
            first = Word.literal(source.text(node.children[0]))
            yield Command((first, *(_declared(child, source) for child in node.named_children)))
        case "variable_assignment" if node.parent and node.parent.type not in ("command", "declaration_command"):
            yield Command((), (_assignment(node, source),))
        case "for_statement":
            variable = node.child_by_field_name("variable")
            if variable is not None:
                yield Command((), (Assignment(source.text(variable), Word.unknown()),))
        case "expansion" if found := re.match(r"\$\{(\w+):?=", source.text(node)):
            yield Command((), (Assignment(found[1], Word.unknown()),))
        case "redirected_statement":
            _check_loose_words(node)


def _command(node: Node, source: Source) -> Command:
    assignments = [_assignment(child, source) for child in node.children if child.type == "variable_assignment"]
    name = node.child_by_field_name("name")
    words = [read_word(name, source)] if name is not None else []
    if name is not None and source.text(name) in RESERVED:
        raise UnclearError(f"{source.text(name)!r} stands where a command is expected")
    words += [read_word(child, source) for child in node.children_by_field_name("argument")]
    redirects = [child for child in node.children if child.type == "file_redirect"]
    if node.parent is not None and node.parent.type == "redirected_statement":
        redirects += node.parent.children_by_field_name("redirect")
        pairs = pairwise(node.parent.children)
        lost = [is_lost_dash(source.data[one.end_byte : other.start_byte].decode()) for one, other in pairs]
        words += [Word.literal("-")] * sum(lost)
    words += [read_word(word, source) for redirect in redirects for word in _targets(redirect)[1:]]
    return Command(tuple(words), tuple(assignments))


def _targets(redirect: Node) -> list[Node]:
    """The file of a redirection, then words that the grammar takes for files but bash for arguments: `>f a b`."""
    return redirect.children_by_field_name("destination") if redirect.type == "file_redirect" else []


def _check_loose_words(node: Node) -> None:
    body = node.child_by_field_name("body")
    extra = any(len(_targets(redirect)) > 1 for redirect in node.children_by_field_name("redirect"))
    if extra and (body is None or body.type != "command"):
        raise UnclearError("words follow a redirection that belongs to no command")


def _declared(node: Node, source: Source) -> Word:
    if node.type != "variable_assignment":
        return read_word(node, source)
    assignment = _assignment(node, source)
    return Word(f"{assignment.name}={assignment.value.text}", source.text(node), assignment.value.splits)


def _assignment(node: Node, source: Source) -> Assignment:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None:
        raise UnclearError("an assignment has no name")
    return Assignment(source.text(name), read_word(value, source) if value is not None else Word.literal(""))


def _redirection(node: Node, source: Source) -> Iterator[Redirection]:
    operators = [child.type for child in node.children if not child.is_named]
    targets = _targets(node)
    if len(operators) != 1:
        raise UnclearError("a redirection can't be read")
    if not targets and operators[0] in (">&-", "<&-"):
        return
    if not targets:
        raise UnclearError("a redirection leads nowhere")
    target = read_word(targets[0], source)
    if operators[0] not in (">&", "<&") or not re.fullmatch(r"\d+-?|-", target.text):
        yield Redirection("<" if operators[0] == "<&" else operators[0], target)


def _functions(source: Source) -> frozenset[str]:
    """Functions defined at the top of the line, before its first command."""
    names = set()
    for child in source.root.named_children:
        name = child.child_by_field_name("name") if child.type == "function_definition" else None
        if name is None:
            break
        names.add(source.text(name))
    return frozenset(names)


COMPARING = {"-eq", "-ne", "-lt", "-le", "-gt", "-ge"}
PLAIN = re.compile(r"\$\{(#?\w+|\w+\[[@*\d]+\]|\w+:?[-+=?].*|\w+(##?|%%?|//?|\^\^?|,,?).*|\w+:\s?\d+(:\d+)?)\}", re.S)
"""Forms of `${...}` that evaluate no expression."""


def _check_values(node: Node, source: Source) -> None:
    """Refuses what bash evaluates as an expression, since a value in it may hold a command: `a[$(touch x)]`."""
    written = source.text(node) if node.is_named else ""
    match node.type:
        case "arithmetic_expansion" | "c_style_for_statement" if not _is_of_numbers(node):
            raise UnclearError("it calculates with variables, and a value could run a command")
        case "compound_statement" if written.startswith("((") and not _is_of_numbers(node):
            raise UnclearError("it calculates with variables, and a value could run a command")
        case "subscript" if not re.fullmatch(r"\w+\[[\d@*]+\]", written):
            raise UnclearError("the index of an array is not a number, and its value could run a command")
        case "array" if re.search(r"\]\+?=", re.sub(r"[(\s]\[\d+\]\+?=", "", written)):
            raise UnclearError("the index of an array is not a number, and its value could run a command")
        case "expansion" if not PLAIN.fullmatch(written):
            raise UnclearError(f"{written[:30]} may run what a variable holds")
        case "test_command":
            _check_test(node, source)


def _is_of_numbers(node: Node) -> bool:
    body = node.child_by_field_name("body") if node.type == "c_style_for_statement" else None
    stack = [child for child in node.named_children if child != body]
    while stack:
        found = stack.pop()
        if found.type in ("variable_name", "word", "expansion", "simple_expansion", "command_substitution", "string"):
            return False
        stack += found.named_children
    return True


def _check_test(node: Node, source: Source) -> None:
    stack, operators, operands = [node], set(), []
    while stack:
        found = stack.pop()
        if found.type == "test_operator":
            operators.add(source.text(found))
        elif found.is_named and not found.named_children:
            operands.append(found)
        stack += found.children
    doubtful = operators & ({"-v", "-R"} | (COMPARING if source.text(node).startswith("[[") else set()))
    if doubtful and any(operand.type != "number" for operand in operands):
        raise UnclearError(f"{min(doubtful)} in a test evaluates its operands, and a value could run a command")
