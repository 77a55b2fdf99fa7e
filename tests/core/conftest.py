"""An environment that was made before a development package was added tells so, and runs the other tests."""

from importlib.util import find_spec

NEEDS = {"test_telemetry.py": "opentelemetry"}
collect_ignore = [name for name, package in NEEDS.items() if find_spec(package) is None]


def pytest_report_header():
    return [f"tests/core/{name} is left out: run pip install -e '.[dev]'" for name in collect_ignore]
