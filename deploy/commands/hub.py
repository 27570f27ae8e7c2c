"""`bottone hub`: the hub of one site."""

from __future__ import annotations

import argparse

HELP = "the hub: takes the tables' events in, runs the tournament, serves the pages"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument("--config", required=True, metavar="FILE", help="see deploy/examples/hub.toml")
    parser.add_argument("--verbose", action="store_true", help="say what happens, not only what is wrong")


def run(args: argparse.Namespace) -> int:
    """Runs until Ctrl-C or SIGTERM."""
    import asyncio
    import contextlib
    import logging

    from deploy import broker as own_broker
    from deploy.errors import WrongUse
    from drivers.mqtt_link import Address
    from hub import config as hub_config
    from hub import data_dir, service
    from hub.config import BROKER_URL
    from hub.records import StoreError
    from hub.signing import KeyFileError

    logging.basicConfig(
        level=logging.INFO if args.verbose else logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )
    try:
        config = hub_config.load(args.config)
        with contextlib.ExitStack() as stack:
            data = stack.enter_context(data_dir.held(config.data_dir))
            if config.broker == "auto":
                folder = data / "broker"
                folder.mkdir(exist_ok=True)
                url = stack.enter_context(own_broker.running(folder)).url
                (data / BROKER_URL).write_text(url)
                print(f"broker {url}", flush=True)
            else:
                url = config.broker
            address = Address.parse(url)
            return asyncio.run(service.run(config, address, _tell))
    except (ValueError, StoreError, KeyFileError) as trouble:
        raise WrongUse(str(trouble)) from None


def _tell(pages: str) -> None:
    """Where the room, the clock on the wall and the director's page are; the last answers this machine only."""
    print(f"hub {pages}\nclock {pages}clock\ndirector {pages}director", flush=True)
