"""What Cellwright costs beside straight code and beside its peers, in one run: `make bench`.

Each column is measured in fresh processes on the same machine within the same minutes, so that the ratios mean the same
everywhere. Nothing here passes or fails; the numbers are read by a person. `--ours` leaves out the peers, the large
notebook and the large files, and takes half a minute; `--peers NAME ...` takes only those peers. All take a quarter of
an hour, and longer the first time, when they are installed.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import browser
import tokens
from environment import PEERS, Peer, python_of
from starting import importing

HERE = Path(__file__).parent
ROWS = {
    "call_us": "one call, full path, us",
    "call_path_us": "- that names a file of the folder, us",
    "call_rules_us": "- with 100 rules and 100 hooks of others, us",
    "call_hooked_us": "- and a hook before and after it, us",
    "validate_us": "six good arguments validated, us",
    "arguments_us": "- read and validated, us",
    "step_ms_100": "a step of the loop, 100 steps, ms",
    "step_ms_300": "- 300 steps, ms",
    "step_ms_1000": "- 1000 steps, ms",
    "step_ms_5000": "- 5000 steps, ms",
    "step_disk_ms": "- 100 steps, log on disk, ms",
    "eight_sync_ms": "8 blocking calls of 50 ms, ms",
    "eight_async_ms": "8 waiting calls of 50 ms, ms",
    "start_ms": "a call's start after its block's end, ms",
    "list_us": "100 tools: the list of a turn, us",
    "list_waiting_us": "- while most wait to be found, us",
    "list_step_us": "- what they add to a step, us",
    "list_made_us": "- the list written anew, us",
    "import_ms": "import, ms",
    "memory_mb": "- memory, MB",
    "modules": "- modules",
    "notebook_ms": "edit a cell of a 20 MB notebook, ms",
    "document_ms": "- without the file, ms",
    "outline_ms": "- its outline, ms",
    "copy_ms": "- its bytes read and written, ms",
    "copy_flushed_ms": "- and flushed to the disk, ms",
    "nbformat_ms": "- the edit with nbformat, ms",
    "rg_rare_ms": "100,000 files searched for a rare word by rg, ms",
    "search_rare_ms": "- by search_code, ms",
    "rg_common_ms": "- for what is in each eighth, by rg, ms",
    "search_common_ms": "- by search_code, ms",
    "rg_flood_ms": "- for what is in nearly every line, by rg, ms",
    "search_flood_ms": "- by search_code, ms",
    "window_near_ms": "100 lines near the beginning of 1 GB, ms",
    "window_tenth_ms": "- after a tenth of it, ms",
    "window_deep_ms": "- after nine tenths of it, ms",
    "window_deep_again_ms": "- there once more, ms",
    "diff_edited_ms": "diff of 10,000 lines, changed in 1000 places, ms",
    "diff_shuffled_ms": "- in another order, ms",
    "diff_two_words_ms": "- of two words only, ms",
}
BARS = {
    "call_us": 25,
    "validate_us": 3,
    "step_ms_100": 0.05,
    "step_ms_1000": 0.05,
    "eight_sync_ms": 53,
    "eight_async_ms": 53,
    "start_ms": 2,
    "list_us": 1,
    "list_waiting_us": 1,
    "import_ms": 150,
    "memory_mb": 25,
    "outline_ms": 50,
    "window_near_ms": 50,
    "window_tenth_ms": 50,
    "window_deep_again_ms": 50,
    "diff_edited_ms": 100,
    "diff_shuffled_ms": 100,
    "diff_two_words_ms": 100,
}
"""What is wanted of ours, at most."""
Numbers = Mapping[str, float]


def measured(script: str, python: str = sys.executable) -> Numbers:
    """What a script measures, in a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(HERE), "PYTHONWARNINGS": "ignore"}
    command = [python, "-P", str(HERE / script)]  # -P: a script is not to be taken for the package that it measures
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{script} failed: {(done.stderr.strip().splitlines() or ['no word of why'])[-1]}", file=sys.stderr)
        return {}
    return json.loads(done.stdout.splitlines()[-1])


def ours() -> dict[str, float]:
    """Cellwright's column."""
    return {**measured("ours.py"), **importing("import cellwright")}


def straight() -> Numbers:
    """The column of straight code."""
    least = "from pydantic import BaseModel\nclass Arguments(BaseModel):\n    a: int"
    return {**measured("straight.py"), **importing(least)}


def peers(chosen: list[Peer]) -> Iterator[tuple[str, Numbers]]:
    """The columns of the peers that can be installed."""
    for peer in chosen:
        python, problem = python_of(peer)
        if problem:
            print(f"{peer.title} is left out: {problem}", file=sys.stderr)
            continue
        numbers = measured(f"peers/{peer.script}.py", python)
        yield peer.title, {**numbers, **importing(peer.statement, python)}


def show(columns: Mapping[str, Numbers]) -> None:
    """The table: each number, and in brackets how many times ours it is."""
    mine = columns["cellwright"]
    width = max(len(title) for title in ROWS.values())
    print(" " * width, f"{'at most':>8}", *(f"{name:>20}" for name in columns))
    for key, title in ROWS.items():
        bar = f"{BARS[key]:g}" if key in BARS else ""
        print(f"{title:{width}} {bar:>8}", *(_cell(numbers.get(key), mine.get(key)) for numbers in columns.values()))


def _cell(number: float | None, mine: float | None) -> str:
    if number is None:
        return f"{'-':>20}"
    ratio = f"({number / mine:.3g}x)" if mine else ""
    return f"{_short(number):>10} {ratio:>9}"


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def ratios(mine: Numbers) -> None:
    """What is wanted of ours as a ratio of two of its own numbers."""
    print()
    for name, upper, lower, bar in (
        ("a step in 1000 : in 100", "step_ms_1000", "step_ms_100", 1.2),
        ("a step in 5000 : in 100", "step_ms_5000", "step_ms_100", 1.2),
        ("a call with 100 rules and hooks : without", "call_rules_us", "call_us", 2),
        ("notebook_edit : its bytes, flushed to the disk", "notebook_ms", "copy_flushed_ms", 2),
        ("notebook_edit : its bytes, left to the system", "notebook_ms", "copy_ms", None),
        ("notebook_edit : nbformat", "notebook_ms", "nbformat_ms", 0.1),
        ("search_code : rg, a rare word", "search_rare_ms", "rg_rare_ms", 1.3),
        ("search_code : rg, a common pattern", "search_common_ms", "rg_common_ms", 1.3),
        ("search_code : rg, nearly every line", "search_flood_ms", "rg_flood_ms", 1.3),
    ):
        if upper in mine and lower in mine:
            wanted = f"(at most {bar})" if bar else ""
            print(f"{name:48} {mine[upper] / mine[lower]:8.3g} {wanted}")
    for name, key, bar in (
        ("the last of 100 edits in a row : the first", "in_a_row", 1.2),
        ("memory of an edit in 120 MB : the file", "notebook_memory", 3),
    ):
        if key in mine:
            print(f"{name:48} {mine[key]:8.3g} (at most {bar})")


def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ours", action="store_true", help="only Cellwright's hot paths, and straight code")
    parser.add_argument("--peers", nargs="*", choices=[peer.script for peer in PEERS], help="only these peers")
    parser.add_argument("--json", type=Path, help="write the numbers to this file, too")
    chosen = parser.parse_args()
    columns = {"cellwright": ours(), "straight code": straight()}
    if not chosen.ours:
        columns["cellwright"] |= {**measured("notebook.py"), **measured("files.py")}
        wanted = PEERS if chosen.peers is None else [peer for peer in PEERS if peer.script in chosen.peers]
        columns |= dict(peers(wanted))
    show(columns)
    ratios(columns["cellwright"])
    if not chosen.ours:
        tokens.show(tokens.counted())
        in_browser = measured("browser.py")
        if in_browser:
            browser.show(in_browser)
            columns["cellwright"] |= in_browser
    if chosen.json:
        chosen.json.write_text(json.dumps(columns, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
