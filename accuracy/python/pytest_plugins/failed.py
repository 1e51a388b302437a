"""A plugin of pytest that writes down what fails: `-p failed`. RAN is a folder that gets the file "failed", with a line
for each test (its file, and its function) and for each file that cannot be collected (the file alone)."""

import os


def pytest_runtest_logreport(report) -> None:
    if report.failed:
        file, *_, name = report.nodeid.partition("[")[0].split("::")
        _tell(f"{file}\t{name}")


def pytest_collectreport(report) -> None:
    if report.failed:
        _tell(report.nodeid.partition("::")[0])


def _tell(line: str) -> None:
    with open(os.path.join(os.environ["RAN"], "failed"), "a", encoding="utf-8") as out:
        out.write(line + "\n")
