import random

import pytest

from cellwright import Env, Policy, Tool, UsageError
from cellwright.permission.offers import exact_rules, offers

SCHEMA = {"type": "object", "properties": {"path": {}, "command": {}}}
ASKING = Policy(reads="ask")


def made(name, **facts):
    plain = Tool.from_schema(name, "", SCHEMA, lambda args, env: None)
    return Tool(name, "", plain.input_schema, plain.execute, **facts)


SHELL = made("run_command", command="command")
WRITER = made("write_file", paths=("path",))


def under(rules, line, tmp_path):
    policy = Policy(allow=set(map(str, rules)), reads="ask")
    return policy.decide(SHELL, {"command": line}, Env(tmp_path)).decision


def test_a_star_in_an_approved_command_stays_a_star(tmp_path):
    line = 'grep "a.*b" notes.txt'
    rules = exact_rules(SHELL, {"command": line}, Env(tmp_path), ASKING)
    assert list(map(str, rules)) == ["run_command(grep a.\\*b notes.txt)"]
    assert under(rules, line, tmp_path) == "allow"
    for other in ('grep "a.x b" notes.txt', 'grep "a.b" /other/notes.txt', 'grep "a.x; touch pwn ;b" notes.txt'):
        assert under(rules, other, tmp_path) == "ask"


def test_each_command_of_a_line_gets_its_rule_and_known_readers_need_none(tmp_path):
    rules = exact_rules(SHELL, {"command": "touch a; ls && A=1 make 'b c'"}, Env(tmp_path), Policy())
    assert list(map(str, rules)) == ["run_command(touch a)", "run_command(A=1 make b\\ c)"]


def test_a_path_gets_a_rule_for_itself_alone(tmp_path):
    env = Env(tmp_path.resolve())
    (rule,) = exact_rules(WRITER, {"path": "./x/../a*.txt"}, env, Policy())
    assert str(rule) == "write_file(a\\*.txt)"
    assert Policy(allow={str(rule)}).decide(WRITER, {"path": "ab.txt"}, env).decision == "ask"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("touch $x", "no rule can mean exactly `touch $x`"),
        ("touch *.py", "no rule can mean exactly"),
        ("ls > a", "no rule can mean exactly `> a`, only one for the tool that writes or reads that file"),
        ("touch a && (", "no rule can mean exactly"),
        ("rm a", "no rule would let this call run without a question: `rm a`: the rule run_command(rm *)"),
        ("touch ~/.ssh/a", "is a place for credentials"),
    ],
)
def test_where_no_rule_would_have_an_effect_none_is_made_and_the_reason_is_told(line, words, tmp_path):
    policy = Policy(deny={"run_command(rm *)"})
    with pytest.raises(UsageError) as caught:
        exact_rules(SHELL, {"command": line}, Env(tmp_path), policy)
    assert words in str(caught.value)


def test_a_tool_without_paths_has_no_exact_rule(tmp_path):
    with pytest.raises(UsageError, match="t takes no path or command; a rule could only allow every call of it"):
        exact_rules(made("t"), {}, Env(tmp_path), Policy())


def test_rules_of_random_commands_allow_them_and_nothing_near_them(tmp_path):
    chance = random.Random(7)
    for _ in range(300):
        words = ["".join(chance.choices("ab*?[]\\ '\"$;|&(){}~#=\n-", k=chance.randint(1, 5))) for _ in range(3)]
        quoted = ["'" + word.replace("'", "'\\''") + "'" for word in words]
        line = " ".join(["tool", *quoted])
        rules = exact_rules(SHELL, {"command": line}, Env(tmp_path), ASKING)
        assert under(rules, line, tmp_path) == "allow"
        changed = [*quoted[:2], quoted[2] + "x"]
        assert under(rules, " ".join(["tool", *changed]), tmp_path) == "ask"


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("git commit -m 'a b'", [["run_command(git commit -m a\\ b)"], ["run_command(git commit *)"]]),
        ("git push origin main", [["run_command(git push origin main)"], ["run_command(git push origin *)"]]),
        ("npm run build; ls", [["run_command(npm run build)"], ["run_command(npm run build *)"]]),
        ("python x.py", [["run_command(python x.py)"]]),
        ("touch $x", []),
        ("make -j", [["run_command(make -j)"]]),
    ],
)
def test_a_command_is_offered_exactly_and_by_its_first_words(line, rules, tmp_path):
    found = offers(SHELL, {"command": line}, Env(tmp_path), Policy())
    assert [list(offer.rules) for offer in found] == rules


@pytest.mark.parametrize(
    ("path", "rules"),
    [
        ("a/b/c*.txt", ["write_file(a/b/c\\*.txt)", "write_file(a/b/*)", "write_file"]),
        ("a.txt", ["write_file(a.txt)", "write_file"]),
        ("a*/b", ["write_file(a\\*/b)", "write_file(a\\*/*)", "write_file"]),
    ],
)
def test_a_file_is_offered_exactly_with_its_folder_and_with_its_tool(path, rules, tmp_path):
    found = offers(WRITER, {"path": path}, Env(tmp_path.resolve()), Policy())
    assert [offer.rules for offer in found] == [(rule,) for rule in rules]


def test_for_what_can_not_be_undone_only_the_exact_call_is_offered(tmp_path):
    tool, env = made("rm", paths=("path",), destructive=True), Env(tmp_path.resolve())
    assert [offer.rules for offer in offers(tool, {"path": "a/b"}, env, Policy())] == [("rm(a/b)",)]
    assert offers(made("t", destructive=True), {}, env, Policy()) == ()


def test_what_is_not_asked_about_is_not_offered(tmp_path):
    for policy in (Policy(allow={"write_file"}), Policy(deny={"write_file"}), Policy("dont_ask")):
        assert offers(WRITER, {"path": "a"}, Env(tmp_path.resolve()), policy) == ()


def test_a_command_too_long_to_be_read_as_a_rule_is_not_offered(tmp_path):
    assert offers(SHELL, {"command": "touch " + "a" * 2_000}, Env(tmp_path), Policy()) == ()


def test_what_is_granted_for_a_tool_of_a_server_ends_once_the_server_describes_it_otherwise(tmp_path):
    schema = made("t").input_schema
    tools = [Tool("mcp__s__do", text, schema, lambda args, env: None, origin="mcp") for text in ("A.", "B.")]
    (offer,) = offers(tools[0], {}, Env(tmp_path), Policy())
    assert offer.title == "every call of mcp__s__do, as long as it says of itself what it says now"
    policy = Policy(allow=set(offer.rules))
    assert [policy.decide(tool, {}, Env(tmp_path)).decision for tool in tools] == ["allow", "ask"]
