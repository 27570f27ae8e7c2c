"""What holds for every test of the project."""

from __future__ import annotations

import os
from collections.abc import Generator

import hypothesis
import pytest

# A slow machine is no counterexample; everything else is as Hypothesis has it, in CI the same examples every time.
hypothesis.settings.register_profile("untimed", hypothesis.settings.default, deadline=None)
hypothesis.settings.load_profile("untimed")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI a test that skips has failed: what it needs is installed there, or the test is not collected at all."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} skipped at {call.when}: {report.longrepr}"
    return report
