"""Processes that must not outlive the one that started them.

A child starts in a session of its own, so that Ctrl-C in the terminal reaches only us and we end it in order. Should
we be killed, the kernel ends it (prctl(2), PR_SET_PDEATHSIG, set by util-linux's setpriv). The kernel watches the
*thread* that started the child: start children from a thread that lives as long as they should.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from deploy.errors import WrongUse

END_TIMEOUT_S = 5.0          # how long a child may take to end when asked, before it is killed


def bottone(*arguments: str) -> list[str]:
    """The command line of `bottone ...` under this interpreter."""
    return [sys.executable, "-P", "-m", "deploy", *arguments]


def spawn(arguments: Sequence[str], log: Path, env: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """Starts a child that dies with us; what it prints is appended to `log`. `env` is added to our environment.

    Raises WrongUse where there is no setpriv, OSError where the log cannot be written.
    """
    setpriv = shutil.which("setpriv", path=f"{os.environ.get('PATH', '')}:/usr/bin:/bin")
    if setpriv is None:
        raise WrongUse("needs util-linux's setpriv: apt-get install util-linux")
    with log.open("ab") as out:
        return subprocess.Popen(
            [setpriv, "--pdeathsig", "KILL", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            env={**os.environ, **(env or {})},
            start_new_session=True,
        )


def end(child: subprocess.Popen[bytes], timeout_s: float = END_TIMEOUT_S) -> int:
    """Asks a child to end (SIGTERM), kills it if it does not, and returns its exit status. Fine if it is gone."""
    if child.poll() is None:
        child.terminate()
        try:
            child.wait(timeout_s)
        except subprocess.TimeoutExpired:
            child.kill()
    return child.wait()


def kill(child: subprocess.Popen[bytes]) -> None:
    """Ends a child at once (SIGKILL) and waits until it is gone."""
    if child.poll() is None:
        child.send_signal(signal.SIGKILL)
    child.wait()


def tail(log: Path, lines: int = 3) -> str:
    """The last `lines` that a child printed, on one line: what a person needs to see when it did not start."""
    try:
        text = log.read_text(errors="replace")
    except FileNotFoundError:
        return ""
    return " / ".join(line.strip() for line in text.splitlines()[-lines:] if line.strip())
