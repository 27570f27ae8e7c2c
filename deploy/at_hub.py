"""A virtual table that joins a hub of this machine: what the hub's own file says about one of its tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from deploy.errors import WrongUse
from deploy.virtual_table import TableFile
from drivers.mqtt_link import Address
from hub import config as hub_config
from hub import register


class Seat(NamedTuple):
    """The table's file, and the folder where its journal stays: a table that comes back must know what it played."""

    file: TableFile
    folder: Path


def join(hub_file: str, table_no: int, language: str) -> Seat:
    """Table `table_no` of the hub whose file is `hub_file`. Raises WrongUse if there is no such table or hub."""
    try:
        config = hub_config.load(hub_file)
        address = Address.parse(_broker(config, hub_file))
    except ValueError as trouble:
        raise WrongUse(str(trouble)) from None
    unit = next((table.unit for table in config.tables if table.no == table_no), None)
    if unit is None:
        numbers = ", ".join(str(table.no) for table in config.tables)
        raise WrongUse(f"--table {table_no}: {hub_file} has the tables {numbers}")
    if address.tls:
        raise WrongUse(f"{hub_file}: a broker with TLS wants certificates: give them to `bottone table`")
    hub: dict[str, Any] = {"unix": address.path} if address.path else {"host": address.host, "port": address.port}
    key = register.kept_badge_key(Path(config.data_dir) / hub_config.STORE)
    plan = config.tournament
    file = TableFile(
        unit=unit, site=config.site, book=plan.book, language=language, size=plan.size, chip=plan.chip,
        more={"hub": hub, "badges": {"site_key": key}},
    )  # fmt: skip
    return Seat(file, Path(config.data_dir).parent / unit)


def _broker(config: hub_config.HubConfig, hub_file: str) -> str:
    if config.broker != "auto":
        return config.broker
    try:
        return (Path(config.data_dir) / hub_config.BROKER_URL).read_text(encoding="utf-8")
    except OSError:
        raise WrongUse(f"{hub_file}: this hub was never started; first: bottone hub --config {hub_file}") from None
