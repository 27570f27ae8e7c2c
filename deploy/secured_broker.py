"""The Mosquitto of a real installation: TLS, a certificate for everybody, and what each may say and hear.

Two files for Debian's Mosquitto 2 (mosquitto.conf(5)), which includes what lies in /etc/mosquitto/conf.d:

- everybody shows a certificate of the site's authority; its common name is user and client id, so that nobody can throw
  another out by taking its id (`use_identity_as_username`, `use_username_as_clientid`);
- a unit writes below its own `up/`, reads below its own `dn/` and what the hub tells all; the hub the other way round.
  Mosquitto grants every subscription and then keeps back what may not be read;
- messages are not lost in a burst, and retained ones outlive a kill, as in `broker.py`.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

from deploy.certificates import AUTHORITY, BROKER, REVOKED
from engine.wire import PROTOCOL

CONF, ACL = "mosquitto.conf", "mosquitto.acl"

_CONF = """\
# Made by `bottone certificates`; docs/broker.md says what to do with it.
listener {listener}
cafile {folder}/{authority}.pem
certfile {folder}/{broker}.pem
keyfile {folder}/{broker}.key
crlfile {folder}/{revoked}.pem
tls_version tlsv1.3
require_certificate true
use_identity_as_username true
use_username_as_clientid true
allow_anonymous false
acl_file {folder}/{acl}
autosave_interval 1
autosave_on_changes true
max_queued_messages 0
max_inflight_messages 200
max_packet_size 65536
"""

_ACL = """\
# Made by `bottone certificates`. %u is the common name in the certificate of whoever asks.
pattern write {tree}/u/%u/up/#
pattern read {tree}/u/%u/dn/#
pattern read {tree}/hub/#

user {hub}
topic read {tree}/u/+/up/#
topic write {tree}/u/+/dn/#
topic write {tree}/hub/#
"""


def hub_name(site: str) -> str:
    """The common name in the hub's certificate, and its client id."""
    return f"hub-{site}"


def write(folder: Path, site: str, port: int, listen: str = "") -> None:
    """Both files into `folder`, which holds the site's certificates. `listen`: an address of this machine, or all."""
    conf = _CONF.format(
        listener=f"{port} {listen}".strip(), folder=folder.resolve(), authority=AUTHORITY, broker=BROKER,
        revoked=REVOKED, acl=ACL,
    )  # fmt: skip
    (folder / CONF).write_text(conf, encoding="utf-8")
    (folder / ACL).write_text(_ACL.format(tree=f"bottone/{PROTOCOL}/{site}", hub=hub_name(site)), encoding="utf-8")
    if os.geteuid() == 0:
        _let_mosquitto_read(folder)


def _let_mosquitto_read(folder: Path) -> None:
    """Debian's Mosquitto gives up root before it reads its files; it gets its own key and no other."""
    with contextlib.suppress(LookupError):    # no such group: there is no Mosquitto on this machine
        for path, mode in ((folder, 0o750), (folder / f"{BROKER}.key", 0o640)):
            shutil.chown(path, group="mosquitto")
            path.chmod(mode)
