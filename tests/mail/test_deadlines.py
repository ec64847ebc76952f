"""When answers are due: at the hour and on the days that were agreed, in every zone, whatever clocks do."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest

from domain.deadlines import DAY, HOUR, MINUTE, Calendar, HouseRules, Vector, decode, encode, on_the_clock, plain_hour, times
from domain.kernel.errors import Refused
from service.database import Database
from service.mail.clock import CAUTION, SteadyClock
from service.settings import Settings
from service.store import open_store

ZONES = sorted(available_timezones())
CLOCKS = ("00:00", "00:30", "01:00", "01:30", "02:00", "02:30", "03:00", "12:00", "23:30")


def moment(text: str, zone: str = "UTC") -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()) * 1000


def changes(zone: ZoneInfo, year: int = 2027) -> list[datetime]:
    """The days of a year on which the clocks of a zone are changed."""
    day, found = datetime(year, 1, 1, tzinfo=UTC), []
    while day.year == year:
        after = day + timedelta(days=1)
        if day.astimezone(zone).utcoffset() != after.astimezone(zone).utcoffset():
            found.append(day)
        day = after
    return found


def test_R7_in_every_zone_around_every_change_of_2027_a_deadline_is_at_its_hour_once_a_day_and_never_past():
    judged = 0
    for name in ZONES:
        zone = ZoneInfo(name)
        for change in changes(zone):
            for clock in CLOCKS:
                vector, before, seen = Vector(next=12 * 60, clock=clock, zone=name), 0, set()
                for hours in range(-72, 72, 9):
                    asked = int((change + timedelta(hours=hours)).timestamp()) * 1000
                    due = times(vector, asked).due
                    assert due >= asked + 12 * HOUR and due >= before, (name, clock, change)
                    assert due - asked <= 12 * HOUR + 28 * HOUR, (name, clock, change)
                    local = datetime.fromtimestamp(due / 1000, zone)
                    assert local.utcoffset() == local.replace(fold=1 - local.fold).utcoffset(), (name, clock, change)
                    naive = local.replace(tzinfo=None, fold=0)
                    late = (naive - naive.replace(hour=int(clock[:2]), minute=int(clock[3:]))) % timedelta(days=1)
                    wanted = (naive - late).replace(tzinfo=zone)
                    shown_once = wanted.utcoffset() == wanted.replace(fold=1).utcoffset()
                    assert late <= timedelta(hours=0 if shown_once else 3), (name, clock, change)
                    before, judged = due, judged + 1
                    seen.add(due)
                days = sorted(seen)
                assert all(later - earlier >= 20 * HOUR for earlier, later in pairwise(days)), (name, clock)
    assert judged > 10_000


def test_an_hour_that_is_skipped_moves_to_the_next_there_is_and_a_doubled_one_behind_its_twin():
    madrid = ZoneInfo("Europe/Madrid")
    assert plain_hour(datetime(2027, 3, 28, 2, 30), madrid) == moment("2027-03-28T01:00:00")  # 03:00 summer time
    assert plain_hour(datetime(2027, 10, 31, 2, 30), madrid) == moment("2027-10-31T02:00:00")  # 03:00 winter time


def test_a_deadline_falls_on_the_days_of_its_vector():
    weekdays = Vector(next=60, clock="20:00", days=(0, 1, 2, 3, 4), zone="Europe/Madrid")
    assert on_the_clock(weekdays, moment("2027-03-05T20:00:01", "Europe/Madrid")) == moment("2027-03-08T20:00:00", "Europe/Madrid")
    sundays = Vector(days=(6,))
    assert on_the_clock(sundays, moment("2027-03-01T10:00:00")) == moment("2027-03-07T10:00:00")


def test_min_and_grace_count_from_the_question_and_the_deadline():
    found = times(Vector(next=600, min=60, grace=30), MINUTE)
    assert found == (MINUTE + 60 * MINUTE, MINUTE + 600 * MINUTE, MINUTE + 630 * MINUTE)


@pytest.mark.parametrize(
    "wrong",
    [{"next": -1}, {"min": 99_999}, {"clock": "25:00"}, {"days": ()}, {"days": (7,)}, {"zone": "Mars/Olympus"}, {"zone": "../x"}],
)
def test_a_vector_that_cannot_work_is_refused(wrong):
    with pytest.raises(Refused):
        Calendar("m").set_rules(HouseRules({"": Vector(**wrong)}))


def test_facts_say_when_whatever_the_rules_became_since():
    first = Calendar("m")
    first.set_rules(HouseRules({"": Vector(next=60)}))
    first.ask("m", 7, "red", "bid", 0)
    first.set_rules(HouseRules({"": Vector(next=6_000)}))
    again = Calendar("m", [decode(encode(fact)) for fact in first.new])
    assert again.open["m", 7, "red"].due == HOUR and again.version == 3
    assert again.ask("m", 7, "red", "bid", 9 * HOUR) == first.open["m", 7, "red"]


def test_a_pause_moves_a_deadline_to_its_hour_again():
    book = Calendar("m")
    book.set_rules(HouseRules({"": Vector(next=24 * 60, clock="20:00")}))
    asked = moment("2027-03-01T10:00:00")
    assert book.ask("m", 1, "red", "bid", asked).due == moment("2027-03-02T20:00:00")
    book.pause(60, "gm", "", asked + HOUR)
    book.wake(asked + 2 * HOUR)
    assert book.paused is None and book.open["m", 1, "red"].due == moment("2027-03-03T20:00:00")


# -- time that does not jump ------------------------------------------------------------------------------


class Machine:
    def __init__(self, folder):
        self.store = open_store(Settings(db=str(folder / "clock.db")))
        self.database = Database(self.store)
        self.database.migrate()
        self.wall, self.up, self.name = moment("2027-03-01T12:00:00"), 5_000_000, "first boot"

    def clock(self):
        return SteadyClock(self.database, clock=lambda: self.wall, steady=lambda: self.up, machine=self.name)

    def later(self, by):
        self.wall += by
        self.up += by


def test_R14_time_goes_on_with_the_machine_when_its_clock_is_set(tmp_path):
    machine = Machine(tmp_path)
    clock, start = machine.clock(), machine.wall
    for jump in (DAY, -DAY, 3 * DAY):
        clock.now()
        machine.wall += jump
        assert abs(clock.now() - start) < 1_000 and clock.alarm
        machine.wall -= jump
        assert clock.now() == start and not clock.alarm


def test_R14_a_process_that_starts_again_after_a_jump_is_not_fooled(tmp_path):
    machine = Machine(tmp_path)
    start = machine.clock().now()
    machine.wall += DAY
    machine.later(HOUR)
    assert machine.clock().now() == start + HOUR


def test_R14_after_a_restart_of_the_machine_nothing_is_judged_for_an_hour_and_time_never_goes_back(tmp_path):
    machine = Machine(tmp_path)
    start = machine.clock().now()
    for wall in (start + 3 * DAY, start - DAY):
        machine.name, machine.up, machine.wall = f"boot {wall}", 10_000, wall
        clock = machine.clock()
        now = clock.now()
        assert clock.cautious and now >= start
        machine.later(CAUTION + 1_000)
        clock.now()
        assert not clock.cautious


def test_R14_a_short_restart_of_the_machine_is_nothing(tmp_path):
    machine = Machine(tmp_path)
    machine.clock().now()
    machine.name, machine.up = "second boot", 10_000
    machine.wall += 5 * MINUTE
    assert not machine.clock().cautious
