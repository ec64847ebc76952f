"""Whatever people do in whatever order: the log only grows, heads are consistent, consents complete, the audit clean."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from domain.audit import audit
from domain.kernel import ChanceryError, Refused
from domain.kernel.event import RULED
from tests.court.editions import Editions
from tests.court.test_court import Table

RUNS = int(os.environ.get("COURT_RUNS", 2000 if os.environ.get("CHANCERY_SOAK") else 12))
STEPS = 40 if RUNS > 100 else 25

seats = st.sampled_from(["red", "yellow", "green"])
seeds = st.integers(0, 10_000)
back = st.integers(1, 40)


class CourtMachine(RuleBasedStateMachine):
    """Three people at one game who decide, take back, ask, vote, claim, rule, move, propose other rules, branch, and let time pass."""

    @initialize(
        undo=st.sampled_from(["touched", "touched", "all", "never"]),
        arbiter=st.sampled_from(["master", "master", "vote"]),
        upgrade=st.sampled_from(["all", "all", "master", "never"]),
    )
    def sit_down(self, undo: str, arbiter: str, upgrade: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.editions = Editions()
        self.table = Table(Path(self.folder.name), undo=undo, titles=self.editions, arbiter=arbiter, upgrade=upgrade)
        self.holder = {self.table.seat(who): who for who in (self.table.ana, self.table.ben, self.table.cem)}
        self.heads: dict[str, tuple[int, bytes]] = {}
        self.table.play(6)

    def attempt(self, verb, *given, **more):
        """What is refused changes nothing; what is not, must be lawful (the invariants say)."""
        try:
            return verb(*given, **more)
        except (Refused, ChanceryError):
            return None

    @rule(seed=seeds)
    def decide(self, seed: int) -> None:
        run = self.table.log.run
        if not run.over:
            ask = run.asks[0]
            self.table.matches.decide(self.holder[ask.seat], self.table.id, ask.seat, ask.key, ask.sample(Random(seed)))

    @rule(seat=seats)
    def take_back(self, seat: str) -> None:
        self.attempt(self.table.matches.undo, self.holder[seat], self.table.id, seat)

    @rule(seat=seats, by=back)
    def ask_rewind(self, seat: str, by: int) -> None:
        self.attempt(
            self.table.court.ask_rewind, self.holder[seat], self.table.id, seat, max(1, self.table.log.head - by), "please"
        )

    @rule(seat=seats, agrees=st.booleans())
    def vote(self, seat: str, agrees: bool) -> None:
        for request in self.table.court.docket(self.table.ana, self.table.id).rewinds:
            self.attempt(self.table.court.vote, self.holder[seat], self.table.id, request, seat, agrees)

    @rule(seat=seats, by=back)
    def claim(self, seat: str, by: int) -> None:
        self.attempt(self.table.court.claim, self.holder[seat], self.table.id, max(1, self.table.log.head - by), "this was wrong")

    @rule(
        outcome=st.sampled_from(["stands", "corrected", "rewound", "analysed"]),
        points=st.integers(1, 5),
        reading=st.sampled_from([{}, {}, {"allow_negative_vp": True}, {"max_paid_removals_per_turn": 1}]),
        seat=seats,
    )
    def ruling(self, outcome: str, points: int, reading: dict, seat: str) -> None:
        for id in self.table.court.docket(self.table.ana, self.table.id).disputes:
            now = self.table.log.standpoint()[0].get("vp:red", 0)
            ops = [["s", "vp:red", now, now + points]] if outcome == "corrected" and not reading else []
            said = {"rules": ["CF-9.1"], "ops": ops, "reading": reading if outcome in ("corrected", "rewound") else {}}
            self.attempt(self.table.court.rule, self.table.ana, self.table.id, id, outcome, "so be it", **said)
            self.attempt(self.table.court.move, self.holder[seat], self.table.id, id, outcome, "so be it", seat=seat, **said)

    @rule(seat=seats, agrees=st.booleans())
    def vote_on_a_ruling(self, seat: str, agrees: bool) -> None:
        for motion in self.table.court.docket(self.table.ana, self.table.id).motions:
            self.attempt(self.table.court.vote_motion, self.holder[seat], self.table.id, motion, seat, agrees)

    @rule(newest=st.sampled_from(["1", "2"]))
    def another_edition_is_the_newest(self, newest: str) -> None:
        self.editions.newest = self.editions.library("", newest)

    @rule(seat=st.sampled_from(["red", "yellow", "green", "game master"]))
    def propose_other_rules(self, seat: str) -> None:
        who = self.holder.get(seat, self.table.ana)
        self.attempt(self.table.court.propose_upgrade, who, self.table.id, seat, "it is mended")

    @rule(seat=seats, agrees=st.sampled_from([True, True, False]))
    def vote_on_other_rules(self, seat: str, agrees: bool) -> None:
        for proposal in self.table.court.docket(self.table.ana, self.table.id).upgrades:
            self.attempt(self.table.court.vote_upgrade, self.holder[seat], self.table.id, proposal, seat, agrees)

    @rule(by=back)
    def branch(self, by: int) -> None:
        self.attempt(self.table.matches.fork, self.table.ana, self.table.id, version=max(1, self.table.log.head - by))

    @rule(hours=st.integers(1, 80))
    def time_passes(self, hours: int) -> None:
        self.table.time += hours * 3_600_000

    @invariant()
    def the_log_only_grows(self) -> None:
        if not hasattr(self, "table"):
            return
        store = self.table.matches.store
        for line in store.lines(self.table.id):
            head = max(store.head(line.id), line.at)
            before, link = self.heads.get(line.id, (0, b""))
            assert head >= before
            if before > line.at:
                assert store.read(line.id, before - 1, before)[0].link == link, "an event that was stored is another now"
            last = store.read(line.id, head - 1, head)
            self.heads[line.id] = (head, last[0].link if last else b"")

    @invariant()
    def what_was_granted_was_agreed_to(self) -> None:
        if not hasattr(self, "table"):
            return
        match = self.table.matches.register.load(self.table.id)
        assert match.line in {line.id for line in self.table.matches.store.lines(self.table.id)}
        for request in self.table.court.docket(self.table.ana, self.table.id).rewinds.values():
            if request.closed is not None and request.closed.outcome == "granted":
                assert all(request.votes[seat] for seat in request.asked.needs)
                assert request.closed.line in match.lines

    @invariant()
    def what_the_match_goes_by_was_agreed_to(self) -> None:
        if not hasattr(self, "table"):
            return
        book = self.table.court.docket(self.table.ana, self.table.id)
        adopted = [one for one in book.upgrades.values() if one.closed is not None and one.closed.outcome == "adopted"]
        assert all(one.agreed for one in adopted)
        ruled = [item.answer for item in self.table.log.raw() if item.kind == RULED]
        assert sum("rules" in said for said in ruled) <= len(adopted)
        readings = [one.ruled.reading for one in book.disputes.values() if one.ruled is not None and one.ruled.reading]
        assert all(said["options"] in readings for said in ruled if "options" in said)
        carried = [one for one in book.motions.values() if one.closed is not None and one.closed.outcome == "carried"]
        assert all(one.carried for one in carried)

    def teardown(self) -> None:
        if hasattr(self, "table"):
            for line in self.table.matches.store.lines(self.table.id):
                report = audit(self.table.matches.open_log(line.id), self.editions.library)
                assert report.clean, report.finding
            self.table.matches.store.close()  # type: ignore[attr-defined]
            self.folder.cleanup()


CourtMachine.TestCase.settings = settings(
    max_examples=RUNS, stateful_step_count=STEPS, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
test_nothing_people_do_breaks_the_record = CourtMachine.TestCase
