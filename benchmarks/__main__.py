"""`python -m benchmarks [NAME...]`: runs every `*_bench.py` beside this file, or those named, and prints one table."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import platform
import sys
from pathlib import Path

import msgspec

from benchmarks.row import Row

HEADER = ("", "here", "unit", "peer", "", "limit", "")


def names() -> list[str]:
    """The benchmarks there are, without their `_bench`."""
    folder = [str(Path(__file__).parent)]
    modules = (module.name for module in pkgutil.iter_modules(folder))
    return sorted(name.removesuffix("_bench") for name in modules if name.endswith("_bench"))


def figure(value: float | None) -> str:
    """A number as a person reads it: three digits that count, thousands set apart."""
    if value is None:
        return ""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def cells(row: Row) -> tuple[str, ...]:
    """One printed line."""
    limit = "" if row.limit is None else f"{'<=' if row.better == 'less' else '>='} {figure(row.limit)}"
    verdict = row.note if row.kept else f"MISSED {row.note}".strip()
    return (row.what, figure(row.ours), row.unit, figure(row.peer), row.peer_name, limit, verdict)


def table(rows: list[Row]) -> str:
    """All lines in columns; figures to the right."""
    lines = [HEADER, *map(cells, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADER))]
    right = {1, 3, 5}
    return "\n".join(
        "  ".join(cell.rjust(width) if column in right else cell.ljust(width)
                  for column, (cell, width) in enumerate(zip(line, widths, strict=True))).rstrip()
        for line in lines
    )  # fmt: skip


def main() -> int:
    """Measures, prints, and answers 1 if a promised figure was missed."""
    parser = argparse.ArgumentParser(prog="make bench", description="Speeds, each beside its peer in one run.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names()))
    parser.add_argument("--json", action="store_true", help="one JSON object a row")
    args = parser.parse_args()
    if unknown := sorted(set(args.names) - set(names())):
        parser.error(f"no benchmark {unknown[0]!r}; there are {', '.join(names())}")
    rows: list[Row] = []
    for name in args.names or names():
        print(f"measuring: {name}", file=sys.stderr, flush=True)
        rows += importlib.import_module(f"benchmarks.{name}_bench").rows()
    if args.json:
        for row in rows:
            print(msgspec.json.encode(row).decode())
    else:
        print(f"Python {platform.python_version()}, {platform.machine()}\n")
        print(table(rows))
    return 0 if all(row.kept for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
