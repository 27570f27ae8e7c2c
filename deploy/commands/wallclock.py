"""`bottone wallclock`: the hub's clock on a long chain of LED modules on the wall."""

from __future__ import annotations

import argparse

HELP = "show the hub's clock on a long LED chain on the wall"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument("--broker", required=True, metavar="URL", help="mqtt://host:port, mqtts://... or unix:/path")
    parser.add_argument("--site", required=True, help="the club's name, as at hub and tables")
    parser.add_argument("--modules", type=int, choices=(8, 12, 16), default=12, help="default %(default)s")
    parser.add_argument("--spi", default="0.0", metavar="BUS.DEVICE", help="as in /dev/spidev0.0 (default %(default)s)")
    parser.add_argument("--orientation", type=int, choices=(0, 90, -90, 180), default=-90, help="default %(default)s")
    parser.add_argument("--brightness", type=int, default=8, metavar="0-15", help="default %(default)s")
    parser.add_argument("--record", metavar="FILE", help="keep the bytes in a file; no SPI is touched")
    parser.add_argument("--tls", nargs=3, metavar=("CA", "CERT", "KEY"), help="PEM files for an mqtts broker")
    parser.add_argument("--lang", choices=("it", "en"), default="it", help="default %(default)s")


def run(args: argparse.Namespace) -> int:
    """Shows the clock until SIGTERM or SIGINT (0); 2 for wrong use. A lost hub or display is shown, and waited for."""
    import logging
    import signal
    import sys
    import threading

    from deploy.errors import WrongUse
    from deploy.wall_clock import WallClock
    from drivers.led_clock import Bus, LedClock, spi_bus
    from drivers.mqtt_link import Address, Tls
    from drivers.recording import RecordingBus
    from drivers.seen import InputDown, Seen

    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    bus, _, device = args.spi.partition(".")
    if not (bus.isdecimal() and device.isdecimal()):
        raise WrongUse(f"--spi {args.spi}: write BUS.DEVICE, for example 0.0")

    def open_bus() -> Bus:
        return RecordingBus(path=args.record) if args.record else spi_bus(int(bus), int(device))

    def told(seen: Seen, at_ns: int) -> None:  # noqa: ARG001 - a driver's form
        logging.getLogger("wallclock").warning(seen.hint if isinstance(seen, InputDown) else "the display is back")

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    try:
        display = LedClock(open_bus, args.modules, told, orientation=args.orientation, brightness=args.brightness)
        tls = Tls(*args.tls) if args.tls else None
        address = Address.parse(args.broker)
        clock = WallClock(address, args.site, display, args.modules, language=args.lang, tls=tls)
    except ValueError as trouble:
        raise WrongUse(str(trouble)) from trouble
    clock.run(stop.is_set)
    return 0
