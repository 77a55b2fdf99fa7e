"""What each language defines, on a text that a person can check by eye. Each line begins with what it defines."""

import re

import pytest

from cellwright.outline.language import LANGUAGES
from cellwright.outline.reader import read
from cellwright.outline.symbol import KINDS, symbols

BY_NAME = {language.name: language for language in LANGUAGES}
TEXTS = {
    "python": """
class Runner | class Runner(Base,\\n             metaclass=M):
method run |     async def run(self) -> int:
function inner |         def inner():
none |             local = 1
variable LIMIT | LIMIT: int = 3
variable a, variable b | a, b = 1, 2
type Pair | type Pair[T] = tuple[T, T]
""",
    "r": """
function f | f <- function(x, y = 2) {
function inner |   inner = function() 1 }
function g | g = \\\\(x) x
function %+% | `%+%` <- function(a, b) a
function q | "q" <- function() 1
function print.foo | print.foo <- function(x, ...) x
variable x | x <- lapply(1:3, FUN = function(y) y)
class P | P <- R6Class("P",
method greet |   public = list(greet = function(x) 1))
class P2 | setClass("P2", representation(a = "numeric"))
function show | setMethod("show", "P", function(object) 1)
function h | (function(x) 1) -> h
""",
    "julia": """
module M | module M
function f | function f(x::Int, y=2)::Int where T\\n end
function g | g(x) = x^2
function h | h(x::T) where {T} = x
function Base.show | function Base.show(io::IO, p::P) end
struct Foo | mutable struct Foo{T} <: Bar\\n a::Int\\n end
type A | abstract type A <: B end
macro m | macro m(ex) end
variable X | const X = 1
function z | @inline function z() end
none | end
""",
    "sql": """
table app.users | CREATE TABLE IF NOT EXISTS app.users (id INT, name TEXT);
view v | CREATE OR REPLACE VIEW v AS SELECT 1;
view mv | CREATE MATERIALIZED VIEW mv AS SELECT 1;
index idx | CREATE INDEX idx ON t (a);
function add | CREATE FUNCTION add(a int) RETURNS int AS $$ SELECT a $$ LANGUAGE sql;
type mood | CREATE TYPE mood AS ENUM ('a');
trigger tr | CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION f();
schema s | CREATE SCHEMA s;
query recent | WITH recent AS (SELECT 1) SELECT * FROM recent;
table Odd Name | CREATE TEMP TABLE "Odd Name" AS SELECT 1;
none | INSERT INTO t VALUES (1);
""",
    "javascript": """
function App | export default function App() { return 1 }
function gen | function* gen() {}
class Foo | export class Foo extends Bar {
method constructor |   constructor() {}
method m |   async m(a) {}
method handler |   handler = () => {} }
function f | const f = (a) => a
variable c | export const c = 1
variable o | let o = {
method k |   k: function() {} }
function exports.x | exports.x = function() {}
none | call(() => { const local = 1 })
""",
    "typescript": """
interface I | interface I {
method go |   go(): void }
type T | export type T = string | number
enum E | enum E { A }
class Q | abstract class Q {
method z |   abstract z(): void }
module N | namespace N {
function ov |   export function ov(a: string): void {} }
""",
    "tsx": "function View | const View = (p: Props) => <b>{p.x}</b>\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_each_form_of_a_definition_is_found_and_nothing_else(name):
    rows = [line.partition(" | ")[::2] for line in TEXTS[name].strip().split("\n")]
    text = "\n".join(line.encode().decode("unicode_escape") for _, line in rows)
    language = BY_NAME[name]
    definitions, broken = read(text.encode(), language.grammar, language.query, language.heads)
    found = [f"{symbol.kind} {symbol.name}" for symbol in symbols(definitions)]
    wanted = [one for said, _ in rows for one in said.split(", ") if one != "none"]
    assert (sorted(found), broken) == (sorted(wanted), False)


def test_every_kind_that_a_pattern_or_a_first_line_names_is_known():
    named = {kind for language in LANGUAGES for kind in language.heads}
    named |= {kind for language in LANGUAGES for kind in re.findall(r"@(\w+)", language.query)}
    assert named - set(KINDS) == {"name", "body", "head", "callee", "member"}


@pytest.mark.parametrize(
    ("name", "line", "kind", "defined"),
    [
        ("python", "    async def run(self, (", "function", "run"),
        ("r", "my.fun <- function(", "function", "my.fun"),
        ("julia", "mutable struct Foo{", "struct", "Foo"),
        ("sql", "create or alter PROC [dbo].[do it] @a int AS", "function", "[dbo].[do it]"),
        ("sql", "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON", "index", "i"),
        ("javascript", "export default async function* go(", "function", "go"),
        ("typescript", "export abstract class X {", "class", "X"),
    ],
)
def test_the_first_line_of_a_definition_is_known_by_sight(name, line, kind, defined):
    assert re.match(BY_NAME[name].heads[kind], line)[1] == defined
