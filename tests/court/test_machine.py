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
from domain.games import library
from domain.kernel import ChanceryError, Refused
from tests.court.test_court import Table

RUNS = int(os.environ.get("COURT_RUNS", 2000 if os.environ.get("CHANCERY_SOAK") else 12))
STEPS = 40 if RUNS > 100 else 25

seats = st.sampled_from(["red", "yellow", "green"])
seeds = st.integers(0, 10_000)
back = st.integers(1, 40)


class CourtMachine(RuleBasedStateMachine):
    """Three people at one game who decide, take back, ask, vote, claim, rule, branch, and let time pass."""

    @initialize(undo=st.sampled_from(["touched", "touched", "all", "never"]))
    def sit_down(self, undo: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.table = Table(Path(self.folder.name), undo=undo)
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

    @rule(outcome=st.sampled_from(["stands", "corrected", "rewound", "analysed"]), points=st.integers(1, 5))
    def ruling(self, outcome: str, points: int) -> None:
        for id in self.table.court.docket(self.table.ana, self.table.id).disputes:
            now = self.table.log.standpoint()[0].get("vp:red", 0)
            ops = [["s", "vp:red", now, now + points]] if outcome == "corrected" else []
            self.attempt(self.table.court.rule, self.table.ana, self.table.id, id, outcome, "so be it", rules=["CF-9.1"], ops=ops)

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

    def teardown(self) -> None:
        if hasattr(self, "table"):
            for line in self.table.matches.store.lines(self.table.id):
                report = audit(self.table.matches.open_log(line.id), library)
                assert report.clean, report.finding
            self.table.matches.store.close()  # type: ignore[attr-defined]
            self.folder.cleanup()


CourtMachine.TestCase.settings = settings(
    max_examples=RUNS, stateful_step_count=STEPS, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
test_nothing_people_do_breaks_the_record = CourtMachine.TestCase
