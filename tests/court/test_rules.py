"""Other rules for a running match: proposed, voted on, adopted by an event; and a ruling by the vote of the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.audit import audit
from domain.docket import PATIENCE
from domain.games import column_of_fire
from domain.kernel import Ask, NotFound, Refused
from domain.kernel.event import RULED
from domain.match import Forbidden, Policy
from service.court import Court
from service.database import Database
from service.matches import Matches
from service.settings import Settings
from service.store import open_store
from tests.court.test_court import Table
from tests.kernel import toy


def first(t: Any) -> Any:
    """Three words make a round; each counts once."""
    for _ in range(3):
        t.set("word", (yield Ask("red", "word", ["yes", "no"], "T 1")), cite="T 1")
        t.add("clock", 1, cite="T 2")
    return "setup"


def second(t: Any) -> Any:
    """The second edition: a word that is no does not count."""
    for _ in range(3):
        word = yield Ask("red", "word", ["yes", "no"], "T 1")
        t.set("word", word, cite="T 1")
        if word == "yes":
            t.add("clock", 1, cite="T 2")
    return "setup"


FIRST = msgspec.structs.replace(toy.title(first), players=(3,), seats=lambda n: list(toy.SEATS))
SECOND = msgspec.structs.replace(FIRST, rules="2", steps={"setup": second})


class Editions:
    """A collection whose newest edition changes under running matches; the older one is kept, or not."""

    def __init__(self, keep: bool = True) -> None:
        self.newest, self.keep = FIRST, keep

    def get(self, id: str) -> Any:
        return self.newest

    def all(self) -> list[Any]:
        return [self.newest]

    def library(self, id: str, rules: str) -> Any:
        return {"1": FIRST, "2": SECOND}.get(rules) if self.keep or rules == self.newest.rules else None


class Club:
    """Ana is red and the game master, Ben is blue, Cem is green."""

    def __init__(self, folder: Path, keep: bool = True, **policy: Any) -> None:
        self.store = open_store(Settings(db=str(folder / "club.db")))
        database = Database(self.store)
        database.migrate()
        self.time, self.editions, self._database = 1_000_000_000, Editions(keep), database
        self.ana, self.ben, self.cem = "", "", ""
        self.sit_down()
        self.ana, self.ben, self.cem = (self.matches.accounts.create(name).id for name in ("ana", "ben", "cem"))
        self.id = self.matches.open(self.ana, "toy", players=3, policy=Policy(**policy)).id
        for who in (self.ana, self.ben, self.cem):
            self.matches.join(who, self.id)
        self.matches.start(self.ana, self.id)

    def sit_down(self) -> None:
        """A process starts."""
        self.matches = Matches(self.store, self._database, b"k" * 32, clock=lambda: self.time, titles=self.editions)
        self.court = Court(self.matches, self._database)

    def second_edition(self) -> None:
        """The server is started again with the second edition."""
        self.editions.newest = SECOND
        self.sit_down()

    def say(self, *words: str) -> None:
        for word in words:
            self.matches.decide(self.ana, self.id, "red", "word", word)

    @property
    def log(self) -> Any:
        return self.matches.open_log(self.matches.register.load(self.id).line)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Any]:
    made: list[Club] = []

    def open_(**given: Any) -> Club:
        made.append(Club(tmp_path, **given))
        return made[-1]

    yield open_
    for one in made:
        one.store.close()


def test_a_match_stays_with_its_rules_until_every_seat_agreed_to_others(club):
    table = club()
    table.say("yes", "no", "yes", "no")
    table.second_edition()
    table.say("no")
    assert table.log.run.table.get("clock") == 5, "the first edition counts every word, and goes on doing so"
    proposed = table.court.propose_upgrade(table.ben, table.id, "blue", "the mistake is mended")
    assert proposed.closed is None and proposed.proposed.needs == ["red", "green"]
    assert table.court.vote_upgrade(table.ana, table.id, proposed.proposed.id, "red", True).closed is None
    adopted = table.court.vote_upgrade(table.cem, table.id, proposed.proposed.id, "green", True)
    assert adopted.closed.outcome == "adopted" and table.log.rules_in_force()[0] == "2"
    ruled = next(item for item in table.log.raw() if item.kind == RULED)
    assert ruled.answer["rules"] == "2" and ruled.mark
    assert table.log.run.table.get("clock") == 3, (
        "the two words since the mark are taken back: the second edition counts them otherwise"
    )
    table.say("no", "yes")
    assert table.log.run.table.get("clock") == 4
    assert audit(table.log, table.editions.library).rules == ["1", "2"] and audit(table.log, table.editions.library).clean


def test_rules_that_agree_with_everything_since_the_mark_are_adopted_as_the_table_stands(club):
    table = club()
    table.say("no", "no", "no", "yes")
    table.second_edition()
    assert table.court.rules_at_hand(table.ben, table.id)["again"] == 0
    proposed = table.court.propose_upgrade(table.ana, table.id, "game master")
    for who, seat in ((table.ana, "red"), (table.ben, "blue"), (table.cem, "green")):
        found = table.court.vote_upgrade(who, table.id, proposed.proposed.id, seat, True)
    assert found.closed.outcome == "adopted" and table.log.run.table.get("clock") == 4
    assert not table.log.raw()[-1].mark


def test_how_much_would_be_decided_again_is_told_before_the_vote(club):
    table = club()
    table.say("yes", "yes", "yes", "yes", "no")
    table.second_edition()
    said = table.court.rules_at_hand(table.cem, table.id)
    assert (said["rules"], said["newest"], said["differ"], said["again"]) == ("1", "2", True, 2)


def test_where_the_old_rules_are_gone_nothing_is_decided_until_the_table_agreed(club):
    table = club(keep=False)
    table.say("yes", "no")
    before = table.log.whole_table().state()
    table.second_edition()
    assert table.log.whole_table().state() == before, "the past is folded without any rules"
    with pytest.raises((Refused, NotFound)):
        table.say("yes")
    proposed = table.court.propose_upgrade(table.ana, table.id, "red")
    for who, seat in ((table.ben, "blue"), (table.cem, "green")):
        table.court.vote_upgrade(who, table.id, proposed.proposed.id, seat, True)
    table.say("no", "yes")
    assert table.log.run.table.get("clock") == 1


def test_one_refusal_ends_a_proposal_and_one_that_nobody_answers_lapses(club):
    table = club()
    table.second_edition()
    one = table.court.propose_upgrade(table.ana, table.id, "red").proposed.id
    with pytest.raises(Refused, match="proposed already"):
        table.court.propose_upgrade(table.ben, table.id, "blue")
    assert table.court.vote_upgrade(table.ben, table.id, one, "blue", False).closed.outcome == "refused"
    two = table.court.propose_upgrade(table.ana, table.id, "red").proposed.id
    table.time += PATIENCE + 1
    with pytest.raises(Refused, match="lapsed"):
        table.court.vote_upgrade(table.ben, table.id, two, "blue", True)
    three = table.court.propose_upgrade(table.ana, table.id, "red").proposed.id
    with pytest.raises(Refused, match="only whoever proposed"):
        table.court.withdraw_upgrade(table.ben, table.id, three, "blue")
    assert table.court.withdraw_upgrade(table.ana, table.id, three, "red").closed.outcome == "withdrawn"
    assert table.log.rules_in_force()[0] == "1"


def test_who_may_propose_is_a_house_rule(club):
    table = club(upgrade="master")
    with pytest.raises(Refused, match="newest rules and data already"):
        table.court.propose_upgrade(table.ana, table.id, "game master")
    table.second_edition()
    with pytest.raises(Forbidden):
        table.court.propose_upgrade(table.ben, table.id, "blue")
    with pytest.raises(Forbidden):
        table.court.propose_upgrade(table.ben, table.id, "game master")
    assert table.court.propose_upgrade(table.ana, table.id, "game master").closed.outcome == "adopted"


def test_a_match_may_keep_its_rules_for_good(club):
    table = club(upgrade="never")
    table.second_edition()
    with pytest.raises(Forbidden):
        table.court.propose_upgrade(table.ana, table.id, "game master")


# -- the table as arbiter -----------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    found = Table(tmp_path, arbiter="vote")
    yield found
    found.matches.store.close()  # type: ignore[attr-defined]


def test_where_the_table_rules_more_than_half_of_the_seats_carry_a_motion(table: Table) -> None:
    table.play(30)
    case = table.court.claim(table.ben, table.id, table.log.head, "red had 5 points more").claimed.id
    points = table.log.standpoint()[0].get("vp:red")
    ops = [["s", "vp:red", points, points + 5]]
    with pytest.raises(Forbidden, match="the table rules"):
        table.court.rule(table.ana, table.id, case, "corrected", "so be it", ops=ops)
    moved = table.court.move(table.ben, table.id, case, "corrected", "red gets 5", seat="yellow", ops=ops, rules=["CF-9.1"])
    assert moved.closed is None and moved.votes == {"yellow": True}
    assert table.log.whole_table().get("vp:red") != points + 5
    carried = table.court.vote_motion(table.cem, table.id, moved.moved.id, "green", True)
    assert carried.closed is not None and carried.closed.outcome == "carried"
    assert table.court.docket(table.ana, table.id).disputes[case].ruled.outcome == "corrected"  # type: ignore[union-attr]
    assert table.log.standpoint()[0].get("vp:red") == points + 5
    assert audit(table.log, lambda id, rules: column_of_fire.TITLE).clean


def test_a_motion_that_half_of_the_seats_refuse_is_rejected_and_another_may_be_moved(table: Table) -> None:
    table.play(20)
    case = table.court.claim(table.ben, table.id, 10, "wrong").claimed.id
    moved = table.court.move(table.ben, table.id, case, "rewound", "back", seat="yellow").moved.id
    with pytest.raises(Refused, match="moved a ruling on this already"):
        table.court.move(table.cem, table.id, case, "stands", "no", seat="green")
    table.court.vote_motion(table.ana, table.id, moved, "red", False)
    assert table.court.vote_motion(table.cem, table.id, moved, "green", False).closed.outcome == "rejected"  # type: ignore[union-attr]
    again = table.court.move(table.cem, table.id, case, "stands", "it was legal", seat="green").moved.id
    assert table.court.vote_motion(table.ana, table.id, again, "red", True).closed.outcome == "carried"  # type: ignore[union-attr]
