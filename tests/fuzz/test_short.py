"""A short fuzz with each run of the tests: always the same attacks. `make fuzz` makes others, for longer."""

from random import Random

import pytest

from .bash import BASH, Sandbox
from .lines import WAYS, buried
from .shell import holds
from .targets import TARGETS, attacks, can_run

COUNTS = {
    "long-arguments": 2,
    "buried-commands": 120,
    "real-bash": 150,
    "grants": 15,
    "lasting-approvals": 100,
    "changed-logs": 60,
}
ELSEWHERE = "killed-processes"
"""Attacked in `test_session.py`."""
needs_bash = pytest.mark.skipif(BASH is None, reason="there is no bash here")


@pytest.fixture
def sandbox(tmp_path) -> Sandbox:
    return Sandbox(tmp_path)


@pytest.mark.parametrize("target", [target for target in TARGETS if target != ELSEWHERE])
def test_no_attack_finds_a_crash_or_a_wrong_answer(target):
    if not can_run(target):
        pytest.skip("this machine has not what it needs")
    with attacks() as made:
        through = sum(made[target](Random(seed)) for seed in range(COUNTS.get(target, 300)))
    assert through or target in ("buried-commands", "long-arguments")


@needs_bash
@pytest.mark.parametrize(
    ("line", "started"),
    [
        ("pwn 'a b'", [("pwn", "a b")]),
        ("echo x | xargs pwn y", [("pwn", "y", "x"), ("xargs", "pwn", "y")]),
        ("env A=1 bash -c 'pwn; rm q'", [("bash", "-c", "pwn; rm q"), ("env", "A=1", "bash", "-c", "pwn; rm q")]),
        ("echo pwn", []),
    ],
)
def test_the_sandbox_sees_what_bash_starts(line, started, sandbox):
    seen = [found.words for found in sandbox.run(line)]
    assert [words for words in started if words not in seen] == []
    assert ("pwn" in {words[0] for words in seen}) == (line != "echo pwn")


@needs_bash
@pytest.mark.parametrize("line", ["echo x > made", "cd /; ls", "A=1 ls", "export A=1; ls"])
def test_the_sandbox_sees_what_was_not_judged_so(line, sandbox):
    with pytest.raises(AssertionError):
        holds(line, sandbox)


@needs_bash
def test_most_ways_to_bury_a_command_really_run_it(sandbox):
    lines = [way(Random(seed), "pwn") for way in set(WAYS) for seed in range(6)]
    ran = [line for line in lines if any(found.words[0] == "pwn" for found in sandbox.run(line))]
    assert len(ran) > len(lines) / 2, ran


def test_the_same_seed_makes_the_same_line():
    assert [buried(Random(seed)) for seed in range(50)] == [buried(Random(seed)) for seed in range(50)]
