import pytest

from cellwright.undo.file_state import ABSENT, FileState

DIGEST = "0" * 63 + "a"
STATES = [
    ABSENT,
    FileState("file", DIGEST, 12, 0o644),
    FileState("link", target="../x"),
    FileState("other"),
]


@pytest.mark.parametrize("state", STATES, ids=[state.kind for state in STATES])
def test_a_state_comes_back_from_a_log_as_it_was(state):
    assert FileState.of_data(state.as_data()) == state


def test_a_state_is_told_in_words():
    told = ["not there", "a file of 12 bytes, 00000000, mode 644", "a link to ../x"]
    assert [state.told for state in STATES[:3]] == told
    assert "no file" in STATES[3].told


NONSENSE = [
    {},
    {"kind": "device"},
    {"kind": "file", "digest": "../../etc", "size": 1, "mode": 0},
    {"kind": "file", "digest": DIGEST, "size": "1", "mode": 0},
    {"kind": "file", "digest": DIGEST, "size": 1, "mode": 0o20000},
    {"kind": "link", "target": ""},
    {"kind": "link", "target": 3},
]


@pytest.mark.parametrize("data", NONSENSE, ids=[str(number) for number in range(len(NONSENSE))])
def test_what_is_no_state_is_refused(data):
    with pytest.raises(ValueError, match="no state of a file"):
        FileState.of_data(data)
