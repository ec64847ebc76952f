"""Going back by consent, disputes, rulings: everything is on record and the table is what the ruling says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain import games
from domain.audit import audit
from domain.docket import COOL_DOWN, PATIENCE
from domain.games import library
from domain.kernel import NotFound, Refused, Set
from domain.match import Forbidden, Policy
from service.court import Court
from service.database import Database
from service.matches import Matches
from service.settings import Settings
from service.store import open_store


class Table:
    """Ana (red, host), Ben (yellow) and Cem (green) at a running game."""

    def __init__(self, folder: Path, undo: str = "touched", titles: Any = games, **policy: Any) -> None:
        store = open_store(Settings(db=str(folder / "court.db")))
        database = Database(store)
        database.migrate()
        self.time = 1_000_000_000
        self.matches = Matches(store, database, b"k" * 32, clock=lambda: self.time, titles=titles)
        self.court = Court(self.matches, database)
        self.people = {name: self.matches.accounts.create(name).id for name in ("ana", "ben", "cem", "eve")}
        self.ana, self.ben, self.cem, self.eve = self.people.values()
        self.id = self.matches.open(self.ana, "column-of-fire", players=3, policy=Policy(undo=undo, **policy)).id  # type: ignore[arg-type]
        for who in (self.ana, self.ben, self.cem):
            self.matches.join(who, self.id)
        self.matches.start(self.ana, self.id)
        self.rng = Random("court")

    @property
    def log(self):
        return self.matches.open_log(self.matches.register.load(self.id).line)

    def seat(self, who: str) -> str:
        return self.matches.register.load(self.id).seats_of(who)[0]

    def play(self, decisions: int) -> None:
        holders = {self.seat(who): who for who in (self.ana, self.ben, self.cem)}
        for _ in range(decisions):
            ask = self.log.run.asks[0]
            self.matches.decide(holders[ask.seat], self.id, ask.seat, ask.key, ask.sample(self.rng))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    found = Table(tmp_path)
    yield found
    found.matches.store.close()  # type: ignore[attr-defined]


def test_a_rewind_needs_the_consent_of_everybody_it_touches_and_then_the_game_goes_on_from_there(table: Table) -> None:
    table.play(60)
    before, old = table.log.whole_table(30).state(), table.log.line.id
    request = table.court.ask_rewind(table.ana, table.id, "red", 30, "I misread the card")
    assert request.closed is None and set(request.asked.needs) == {"yellow", "green"}
    assert table.court.vote(table.ben, table.id, request.asked.id, "yellow", True).closed is None
    granted = table.court.vote(table.cem, table.id, request.asked.id, "green", True)
    assert granted.closed is not None and granted.closed.outcome == "granted"
    assert table.log.line.id == granted.closed.line != old
    assert table.log.line.at >= 30 and table.log.whole_table(30).state() == before
    assert table.matches.open_log(old).head > 60, "the taken-back line stays readable"
    table.play(5)
    assert audit(table.log, library).clean


def test_the_dice_after_a_rewind_are_fresh(table: Table) -> None:
    table.play(80)
    old = table.log
    request = table.court.ask_rewind(table.ana, table.id, "red", 20, "again")
    for who, seat in ((table.ben, "yellow"), (table.cem, "green")):
        table.court.vote(who, table.id, request.asked.id, seat, True)
    for event in old.raw(table.log.line.at):
        if event.kind == "decided":
            try:
                table.log.decide(event.seat, event.ask, event.answer)
            except Refused:
                break
    rolls = [[outcome for event in log.raw(table.log.line.at) for outcome in event.chance] for log in (old, table.log)]
    assert rolls[1] and rolls[0][: len(rolls[1])] != rolls[1]


def test_one_refusal_ends_the_request_and_the_next_must_wait_ever_longer(table: Table) -> None:
    table.play(40)
    head = table.log.head
    for refusals in (1, 2):
        request = table.court.ask_rewind(table.ana, table.id, "red", 20, "please")
        closed = table.court.vote(table.ben, table.id, request.asked.id, "yellow", False).closed
        assert closed is not None and closed.outcome == "refused"
        table.time += COOL_DOWN * 2 ** (refusals - 1) - 60_000
        with pytest.raises(Refused, match="ask again in 1 minutes"):
            table.court.ask_rewind(table.ana, table.id, "red", 20, "please")
        table.time += 60_001
    assert table.log.head == head


def test_a_request_nobody_answers_lapses(table: Table) -> None:
    table.play(40)
    request = table.court.ask_rewind(table.ana, table.id, "red", 20, "please")
    table.time += PATIENCE + 1
    with pytest.raises(Refused, match="lapsed"):
        table.court.vote(table.ben, table.id, request.asked.id, "yellow", True)
    assert table.court.docket(table.ana, table.id).rewinds[request.asked.id].closed.outcome == "lapsed"  # type: ignore[union-attr]


def test_only_touched_seats_vote_and_only_once(table: Table) -> None:
    table.play(40)
    request = table.court.ask_rewind(table.ana, table.id, "red", 20, "please")
    with pytest.raises(NotFound):
        table.court.vote(table.ana, table.id, request.asked.id, "yellow", True)
    table.court.vote(table.ben, table.id, request.asked.id, "yellow", True)
    with pytest.raises(Refused, match="voted already"):
        table.court.vote(table.ben, table.id, request.asked.id, "yellow", False)
    with pytest.raises(Refused, match="already asks"):
        table.court.ask_rewind(table.ben, table.id, "yellow", 20, "me too")


def test_a_match_may_forbid_going_back(tmp_path: Path) -> None:
    table = Table(tmp_path, undo="never")
    table.play(20)
    with pytest.raises(Forbidden):
        table.court.ask_rewind(table.ana, table.id, "red", 10, "please")
    table.matches.store.close()  # type: ignore[attr-defined]


def test_a_dispute_from_claim_to_a_corrected_table(table: Table) -> None:
    table.play(30)
    version = table.log.head
    dispute = table.court.claim(table.ben, table.id, version, "red had 5 points more", [version - 1])
    table.court.answer(table.ana, table.id, dispute.claimed.id, "true, I forgot")
    points = table.log.standpoint()[0].get("vp:red")
    with pytest.raises(Forbidden):
        table.court.rule(table.ben, table.id, dispute.claimed.id, "stands", "because I say so")
    ruled = table.court.rule(
        table.ana,
        table.id,
        dispute.claimed.id,
        "corrected",
        "red gets 5 points",
        rules=["CF-9.1"],
        ops=[["s", "vp:red", points, points + 5]],
    )
    assert ruled.ruled is not None and table.log.whole_table().get("vp:red") >= points + 5
    assert any(event.kind == "ruled" and Set("vp:red", points, points + 5) in event.ops for event in table.log.raw())
    table.play(10)
    assert audit(table.log, library).clean
    assert [one.text for one in table.court.precedents("column-of-fire", "CF-9.1")] == ["red gets 5 points"]


def test_a_ruling_may_take_the_game_back_or_let_it_stand(table: Table) -> None:
    table.play(40)
    first = table.court.claim(table.ben, table.id, 20, "this was not legal")
    table.court.rule(table.ana, table.id, first.claimed.id, "stands", "it was", rules=["CF-6.3"])
    second = table.court.claim(table.cem, table.id, 25, "but this was not")
    ruled = table.court.rule(table.ana, table.id, second.claimed.id, "rewound", "back to before it")
    assert table.log.line.id == ruled.ruled.line and table.log.line.at < 25  # type: ignore[union-attr]
    with pytest.raises(Refused, match="ruled already"):
        table.court.answer(table.ben, table.id, second.claimed.id, "too late")


def test_a_correction_that_does_not_fit_is_refused_and_nothing_changes(table: Table) -> None:
    table.play(20)
    dispute = table.court.claim(table.ben, table.id, 10, "wrong")
    head = table.log.head
    for ops in ([["s", "vp:red", 999, 5]], [["x", "y"]], []):
        with pytest.raises(Refused):
            table.court.rule(table.ana, table.id, dispute.claimed.id, "corrected", "so be it", ops=ops)
    assert table.log.head == head


def test_the_case_file_shows_what_the_reader_may_see_and_no_more(table: Table) -> None:
    table.play(50)
    event = next(event for event in table.log.raw() if event.kind == "decided" and event.seat == "red" and event.version > 10)
    own = table.court.case_file(table.ana, table.id, "", event.version)
    other = table.court.case_file(table.ben, table.id, "", event.version)
    assert own["question"]["choice"] and "choice" not in other["question"]
    assert [one["says"] for one in own["verdicts"]] == ["the rules, run again, say exactly what the log says"]
    assert any(step["rule"].startswith("CF-") for step in own["why"])
    assert {reading["option"] for reading in own["readings"]} >= {"allow_negative_vp"}
    with pytest.raises(NotFound):
        table.court.case_file(table.eve, "nosuchmatch", "", 3)


def test_spectators_behind_a_delay_hear_of_a_dispute_when_they_may_see_the_event(tmp_path: Path) -> None:
    table = Table(tmp_path, delay=600)
    table.play(20)
    table.court.claim(table.ben, table.id, 18, "this was wrong")
    assert len(table.court.docket(table.cem, table.id).disputes) == 1
    assert not table.court.docket(table.eve, table.id).disputes
    table.time += 600_001
    assert len(table.court.docket(table.eve, table.id).disputes) == 1
    table.matches.store.close()  # type: ignore[attr-defined]
