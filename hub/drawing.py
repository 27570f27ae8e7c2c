"""The public picture of a running hub (`hub.picture`), drawn from floor, room and tournament at one moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.chip_race import due, to_win
from engine.clock import ClockReading
from hub.directing import race_of
from hub.hubtime import utc_ms
from hub.picture import Alarm, ClockFace, ClockState, Link, Picture, RaceView, TableCard
from hub.records import UnitStatus
from hub.streams import Live as UnitLive
from hub.streams import UnitPicture

if TYPE_CHECKING:
    from hub.floor import Floor

EVENTS_LOST_SHOWN_MS = 3_600_000
"""For so long the director reads that events of a unit are lost."""
LINKS = {UnitLive.READY: Link.ONLINE, UnitLive.LATE: Link.LATE, UnitLive.LOST: Link.LOST, UnitLive.OFF: Link.LOST}


def drawn(floor: Floor) -> Picture:
    """Everything that is public."""
    now_ms = floor.now_ms()
    plan, tournament = floor.config.tournament, floor.tournament
    units = {unit.unit: unit for unit in floor.units()}
    behind = any(unit.last > unit.wm for unit in units.values() if unit.unit not in floor.room.retired)
    waiting_for = (*(("events",) if behind else ()), *tournament.waiting_for(floor.room, now_ms))
    in_use = tournament.tables.in_use(floor.room)
    return Picture(
        title=plan.title,
        site=floor.config.site,
        rev=floor.rev,
        hub=floor.store.epoch,
        book=plan.book,
        stage="over" if tournament.finished else "playing" if tournament.started else "seating",
        clock=_face(floor, now_ms),
        tables=tuple(_card(floor, table.unit, units.get(table.unit)) for table in in_use),
        tape=tuple(floor.room.tape),
        places=tournament.places(floor.room),
        proposals=tournament.moves.views(),
        log=tuple(floor.journal),
        entrants=len(tournament.entrants),
        players_left=tournament.left(floor.room),
        chips=tournament.seating.chips + floor.room.change,
        quiescent=not waiting_for,
        broker=floor.link_up(),
        in_transit=sum(transit.stack for transit in floor.room.transit.values()),
        waiting_for=waiting_for,
        alarms=tuple(_alarms(floor, units, waiting_for)),
        paid=tournament.rounds.paid,
        reentry=plan.reentry and tournament.book.reentry != "none",
        dead_money=tournament.book.blind_dodging == "dead_money_and_penalty",
        spares=tuple(sorted(unit.unit for unit in units.values() if _spare(floor, unit))),
        races=tuple(_races(floor, now_ms)),
    )


def link_of(unit: UnitPicture) -> Link:
    """How fresh a unit's news is; one that was never heard of since the hub started is not called lost."""
    if unit.heard_ago_ms < 0 and unit.live is UnitLive.LOST:
        return Link.NEVER
    return LINKS[unit.live]


def _spare(floor: Floor, unit: UnitPicture) -> bool:
    """Is this a unit that was heard of and has no table?"""
    return unit.status is UnitStatus.SEEN and unit.unit not in floor.room.tables


def _races(floor: Floor, now_ms: int) -> list[RaceView]:
    """Color-up: what each table has to race for in this break."""
    reading = floor.tournament.reading(now_ms)
    kinds = floor.config.tournament.chips
    found = []
    for old in reading.color_up:
        bigger = [kind for kind in kinds if kind > old and kind not in reading.color_up]
        for table in floor.tournament.tables.open(floor.room):
            race = race_of(floor.tournament, table, old, bigger[0]) if bigger and not table.running else None
            if race is not None and race.odd:
                found.append(RaceView(table.table_no, old, bigger[0], to_win(race), due(race)))
    return found


def _alarms(floor: Floor, units: dict[str, UnitPicture], waiting_for: tuple[str, ...]) -> list[Alarm]:
    now = utc_ms()
    room, tournament = floor.room, floor.tournament
    alarms = [*floor.badges.alarms(now), *tournament.alarms(), *floor.pace.alarms(now)]
    alarms += floor.pace.late(room.transit.values(), now)
    alarms += [
        Alarm("quarantined", name=u.unit, why=u.why) for u in units.values() if u.status is UnitStatus.QUARANTINED
    ]
    lost = {each.unit for each in floor.store.troubles.alarms(now - EVENTS_LOST_SHOWN_MS) if each.what == "lost"}
    alarms += [Alarm("events_lost", name=unit) for unit in sorted(lost)]
    if not tournament.finished:
        open_tables = [(table, units.get(table.unit)) for table in tournament.tables.open(room)]
        alarms += [
            Alarm("unit_lost", table.table_no, name=table.unit)
            for table, unit in open_tables if unit is not None and link_of(unit) is Link.LOST
        ]  # fmt: skip
    settled = all(table.settled for table in tournament.tables.in_use(room))
    expected = tournament.seating.chips + room.change
    if not waiting_for and settled and room.chips_in_play() != expected:
        alarms.append(Alarm("chips", counted=room.chips_in_play(), expected=expected))
    return alarms


def _card(floor: Floor, unit: str, heard: UnitPicture | None) -> TableCard:
    table = floor.room.tables[unit]
    return TableCard(
        table_no=table.table_no,
        unit=unit,
        view=table.view,
        link=Link.NEVER if heard is None else link_of(heard),
        age_ms=None if heard is None or heard.heard_ago_ms < 0 else heard.heard_ago_ms,
        floor=table.floor,
        closed=table.table_no in floor.tournament.closed,
        running=table.running,
        hand_rev=table.hand_rev,
        ep=0 if heard is None else heard.ep,
        wm=0 if heard is None else heard.wm,
    )


def _face(floor: Floor, now_ms: int) -> ClockFace:
    clock, now = floor.tournament.clock, floor.tournament.reading(now_ms)
    following = clock.schedule[now.index + 1 : now.index + 2]
    return ClockFace(
        state=_clock_state(floor, now),
        rev=clock.rev,
        now_ms=now_ms,
        remaining_ms=now.remaining_ms,
        real_time=not floor.config.tournament.clock_file,
        level=now.level,
        level_no=now.level.number if now.level is not None else 0,
        next_level=now.next_level,
        next_is_break=bool(following) and following[0].level is None,
        next_break_ms=now.next_break_ms,
        announced=clock.announced,
        hand_for_hand=now.hand_for_hand,
        final_table=now.final_table,
        color_up=now.color_up,
    )


def _clock_state(floor: Floor, now: ClockReading) -> ClockState:
    if floor.tournament.finished:
        return ClockState.OVER
    if not floor.tournament.started:
        return ClockState.BEFORE
    if not now.running:
        return ClockState.PAUSED
    return ClockState.BREAK if now.on_break else ClockState.RUNNING
