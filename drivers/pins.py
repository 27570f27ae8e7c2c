"""The library that drives the panel's pins, chosen by name and never guessed.

Keys and knob close to ground against the chip's own pull-up. `lgpio` drives the pins on a Raspberry Pi, `mock` stands
where there are none, `rpigpio` only by wish and only where RPi.GPIO works. gpiozero's own choice falls back from one
library to the next in silence; ours does not.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterable
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Literal

from gpiozero.exc import GPIOZeroError
from gpiozero.pins.mock import MockFactory

from drivers.seen import ErrorKind

FactoryName = Literal["mock", "lgpio", "rpigpio"]


class PanelRefused(Exception):  # noqa: N818 - a refusal, as everywhere in the project
    """The pins' library asked for cannot be used here; the text says why and what to choose. A matter of setting up."""


def why_not_rpigpio(model: str, kernel: str, installed: Iterable[str]) -> str | None:
    """Why RPi.GPIO cannot be used on a Pi of this `model` and `kernel` release beside these packages; None if it can.

    github.com/gpiozero/gpiozero/issues/1172 (Pi 5), raspberrypi/linux/issues/6037 (kernel 6.6).
    """
    use = 'choose factory = "lgpio"'
    packages = {name.lower().replace("_", "-") for name in installed}
    if "rpi-lgpio" in packages:
        return f"rpi-lgpio is installed and takes the place of RPi.GPIO; {use}, or uninstall both and install RPi.GPIO"
    if "Raspberry Pi 5" in model or "Compute Module 5" in model:
        return f"RPi.GPIO does not know the GPIO chip of a {model.strip()}; {use}"
    version = re.match(r"(\d+)\.(\d+)", kernel)
    if version is None or (int(version[1]), int(version[2])) >= (6, 6):
        return f"RPi.GPIO detects no edges on kernel {kernel} (6.6 and later); {use}"
    return None


def open_factory(name: FactoryName, run_dir: str | None = None) -> Any:
    """A gpiozero pin factory. `run_dir`: where lgpio puts its pipe (systemd's RuntimeDirectory; None: a temporary one).

    Importing lgpio creates a pipe in the working directory, and dies where it may not (joan2937/lg/issues/22). The
    variable LG_WD names another place for it, but makes the import change the working directory; it is changed back.
    **Raises** PanelRefused (wrong choice), OSError or lgpio.error (no chip, no permission).
    """
    if name == "mock":
        return MockFactory()
    if name == "rpigpio":
        return _rpigpio_factory()
    try:
        home = Path.cwd()
        directory = Path(run_dir or tempfile.gettempdir())
        directory.mkdir(parents=True, exist_ok=True)
        os.environ["LG_WD"] = str(directory)
        try:
            from gpiozero.pins.lgpio import LGPIOFactory
        finally:
            os.chdir(home)
    except ModuleNotFoundError as trouble:
        raise PanelRefused(f"{trouble.name} is not installed; it is in requirements/pi.txt") from None
    return LGPIOFactory()


def _rpigpio_factory() -> Any:
    tree = Path("/proc/device-tree/model")
    model = tree.read_text(errors="replace").rstrip("\0") if tree.exists() else ""
    reason = why_not_rpigpio(model, os.uname().release, (d.metadata["Name"] for d in distributions()))
    if reason:
        raise PanelRefused(reason)
    try:
        from gpiozero.pins.rpigpio import RPiGPIOFactory
    except (ModuleNotFoundError, RuntimeError) as trouble:
        raise PanelRefused(f'RPi.GPIO cannot be used here: {trouble}; choose factory = "lgpio"') from None
    return RPiGPIOFactory()


def device_errors(factory: FactoryName) -> tuple[type[BaseException], ...]:
    """What a pin's library raises when the device, not the program, is at fault."""
    errors: tuple[type[BaseException], ...] = (OSError, GPIOZeroError)
    if factory == "rpigpio":
        errors += (RuntimeError,)
    if lgpio := sys.modules.get("lgpio"):
        errors += (lgpio.error,)
    return errors


def dispatcher_alive(factory: FactoryName) -> bool:
    """Whether edges can arrive: lgpio serves all pins with one thread, which an exception would end for good."""
    if factory != "lgpio":
        return True
    thread = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
    return thread is None or thread.is_alive()


def explain(trouble: BaseException) -> tuple[ErrorKind, str]:
    """The kind of a pin trouble, and what the person at the table does about it."""
    text = str(trouble)
    if "busy" in text.lower() or "in use" in text:
        return ErrorKind.BUSY, "another program holds the keys' pins: stop it, or restart the unit"
    if isinstance(trouble, PermissionError) or "permission" in text.lower() or "can not open gpiochip" in text:
        return ErrorKind.DENIED, "the keys' chip cannot be opened: is /dev/gpiochip0 there, and the user in group gpio?"
    return ErrorKind.GONE, f"the keys do not answer ({text}): check the panel's cable, then restart the unit"
