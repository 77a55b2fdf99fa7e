import pytest

from cellwright.files.text_encoding import ENCODINGS
from cellwright.tools.file_encoding import encoding_at, label

TEXT = "Привет, мир! Это обычный текст на русском языке.\n"


@pytest.mark.parametrize("data", [TEXT.encode("cp1251"), TEXT.encode("cp1251") * 10_000])
def test_the_beginning_of_a_file_tells_its_encoding(tmp_path, data):
    (tmp_path / "t").write_bytes(data)
    assert encoding_at(tmp_path / "t") == "cp1251"


def test_what_is_no_text_or_not_there_is_taken_for_utf_8(tmp_path):
    (tmp_path / "t").write_bytes(b"\0\1\2\xff")
    assert [encoding_at(tmp_path / name) for name in ("t", "nothing", ".")] == ["utf-8"] * 3


def test_ripgrep_knows_each_label(tmp_path):
    from cellwright.env import Env
    from cellwright.tools.ripgrep import ripgrep

    (tmp_path / "t").write_text("x\n")
    env = Env(cwd=tmp_path.resolve())
    for name in [*ENCODINGS, "latin-1", "utf-16-le", "utf-16-be"]:
        if label(name):
            ended = ripgrep([f"--encoding={label(name)}", "--regexp=x", "--", "-"], env.cwd / "t", env, bytes, b"\n")
            assert ended.complaints == (), name
    assert [name for name in ENCODINGS if not label(name)] == ["cp437", "cp850", "latin_1"]
