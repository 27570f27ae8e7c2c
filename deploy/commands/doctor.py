"""`bottone doctor`: looks at everything a table unit needs, one line a check, and says what to do."""

from __future__ import annotations

import argparse

HELP = "examine a table unit and say what to do about each trouble"

MARKS = {"ok": "ok  ", "warn": "WARN", "bad": "BAD "}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument("--config", default="table.toml", metavar="FILE", help="the table's file (default %(default)s)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line: check, verdict, code, found, do")
    parser.add_argument("--interactive", action="store_true", help="ask for a badge to be laid on the reader")
    parser.add_argument("--lang", choices=("it", "en"), help="default: the table's own language")


def run(args: argparse.Namespace) -> int:
    """Prints the findings as they come; 0 nothing is bad, 1 something is, 2 wrong use."""
    import json
    import logging
    import sys
    from pathlib import Path

    from deploy.doctor import TAP_S, Finding, Machine, examine
    from deploy.doctor_words import WORDS
    from deploy.errors import WrongUse
    from firmware_py.config import ConfigError, load

    if not Path(args.config).is_file():
        raise WrongUse(f"{args.config}: no such file; give the table's file with --config")
    logging.disable(logging.CRITICAL)  # the drivers' own words of what the findings say
    language = args.lang or "it"

    def tell(finding: Finding) -> bool:
        found, do = finding.said(language)
        if args.json:
            line = {"check": finding.check, "verdict": finding.verdict, "code": finding.code, "found": found, "do": do}
            print(json.dumps(line, ensure_ascii=False), flush=True)
        else:
            print(f"{MARKS[finding.verdict]} {finding.check:8} {found}{' -> ' + do if do else ''}", flush=True)
        return finding.verdict == "bad"

    def ask() -> None:
        print(WORDS[language]["tap"].format(seconds=TAP_S), file=sys.stderr, flush=True)

    try:
        try:
            config = load(args.config)
        except ConfigError as trouble:
            tell(Finding("config", "bad", "config_bad", {"why": str(trouble)}))
            return 1
        language = args.lang or config.language
        tell(Finding("config", "ok", "config_ok", {"file": args.config}))
        bad = [tell(finding) for finding in examine(config, Machine.this(), ask if args.interactive else None)]
    finally:
        logging.disable(logging.NOTSET)
    return 1 if any(bad) else 0
