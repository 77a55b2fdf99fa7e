"""Findings are bounded, and binary files are taken back."""

import base64
import json

from cellwright.tools.findings import Findings, Hit


def record(kind, **data):
    return json.dumps({"type": kind, "data": data}, separators=(",", ":")).encode()


def line(path, number, text, kind="match", start=0):
    spans = [{"start": start}] if kind == "match" else []
    return record(kind, path={"text": path}, lines=text, line_number=number, submatches=spans)


def test_lines_are_kept_with_their_path_seen_from_the_working_folder():
    findings = Findings(10, "src")
    findings.take(record("begin", path={"text": "./a"}))
    findings.take(line("./a", 3, {"text": "x\r\n"}))
    findings.take(record("end", path={"text": "./a"}, binary_offset=None))
    assert findings.hits == [Hit("src/a", 3, "x", True)]
    assert (findings.total, findings.files, findings.left_out, findings.notes) == (1, 1, 0, [])


def test_lines_over_the_limit_are_counted_only():
    findings = Findings(2, ".")
    for number in range(1, 1_001):
        findings.take(line("a", number, {"text": "x\n"}))
    assert (len(findings.hits), findings.total, findings.left_out) == (2, 1_000, 998)


def test_the_lines_of_a_binary_file_are_taken_back():
    findings = Findings(10, ".")
    for path, offset in [("a", None), ("b", 7), ("c", None)]:
        findings.take(record("begin", path={"text": path}))
        findings.take(line(path, 1, {"text": "x\n"}))
        findings.take(record("end", path={"text": path}, binary_offset=offset))
    assert [hit.path for hit in findings.hits] == ["a", "c"]
    assert (findings.total, findings.files) == (2, 2)
    assert findings.notes == ["binary files that match are not shown: 1 (b)"]


def test_bytes_that_are_no_utf8_are_read_as_latin_1():
    findings = Findings(10, ".")
    findings.take(line("a", 1, {"bytes": base64.b64encode(b"caf\xe9\n").decode()}))
    assert findings.hits[0].text == "café"


def test_a_long_line_is_cut_around_its_match():
    findings = Findings(10, ".")
    findings.take(line("a", 1, {"text": "é" * 5_000 + "needle" + "b" * 5_000}, start=10_000))
    assert "éneedleb" in findings.hits[0].text
    assert findings.hits[0].text.endswith("(cut: the line has 10,006 characters)")
    assert len(findings.hits[0].text) < 400


def test_the_end_of_the_run_is_known():
    findings = Findings(10, ".")
    assert findings.finished is False
    findings.take(record("summary", stats={"searches": 12}))
    assert (findings.finished, findings.searched) == (True, 12)
