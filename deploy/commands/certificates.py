"""`bottone certificates`: the certificates of a site, and the files with which Mosquitto asks for them.

Run again with further names it adds theirs and leaves the others as they are.
"""

from __future__ import annotations

import argparse

HELP = "make the site's certificates and the broker's configuration with per-unit access"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument("units", nargs="*", metavar="UNIT", help="table units and wall clocks, one certificate each")
    parser.add_argument("--dir", required=True, metavar="FOLDER", help="for the files, e.g. /etc/mosquitto/bottone")
    parser.add_argument("--site", required=True, help="as in hub.toml and the tables' files")
    parser.add_argument(
        "--host", action="append", default=[], metavar="NAME", help="name or address by which tables reach the broker"
    )
    parser.add_argument("--port", type=int, default=8883, help="of the broker (default 8883)")
    parser.add_argument("--listen", default="", metavar="ADDRESS", help="of the broker (default: all)")
    parser.add_argument("--revoke", action="append", default=[], metavar="UNIT", help="a unit that is lost: refuse it")


def run(args: argparse.Namespace) -> int:
    """Prints what was made or kept; 0 done, 2 a wrong name."""
    from pathlib import Path

    from deploy import secured_broker
    from deploy.certificates import AUTHORITY, BROKER, REVOKED, Authority
    from deploy.errors import WrongUse
    from engine.wire import UNIT_ID

    hub = secured_broker.hub_name(args.site)
    taken = {AUTHORITY, BROKER, REVOKED, hub}
    for unit in args.units:
        if not UNIT_ID.fullmatch(unit) or unit in taken:
            raise WrongUse(f"{unit!r} is no unit's name; use 3 to 32 of a-z, 0-9 and -, and none of {sorted(taken)}")
    if not UNIT_ID.fullmatch(hub):
        raise WrongUse(f"{args.site!r} is no site's name; use up to 28 of a-z, 0-9 and -")
    folder = Path(args.dir)
    authority = Authority.at(folder, args.site)
    for unit in args.revoke:
        authority.revoke(unit)
        print(f"{unit}: revoked; restart the broker")
    made = [(BROKER, authority.make_broker(args.host))]
    made += [(name, authority.make_client(name)) for name in (hub, *args.units)]
    secured_broker.write(folder, args.site, args.port, args.listen)
    for name, new in made:
        print(f"{name}: {'made' if new else 'kept'} {folder / name}.pem and .key")
    print(f"broker: {folder / secured_broker.CONF} and {secured_broker.ACL}")
    return 0
