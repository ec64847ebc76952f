"""Whatever seats do with offers in whatever order: nobody is bound without consent, and nobody learns of what is not theirs."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from domain.kernel.errors import ChanceryError
from domain.treaties import HOUR, Clause, Treaties, decode, encode

RUNS = 1_000 if os.environ.get("CHANCERY_SOAK") else 25
SEATS = ["ash", "birch", "cedar", "doric"]

seats = st.sampled_from(SEATS)
picks = st.integers(0, 30)


class TreatyMachine(RuleBasedStateMachine):
    """Four seats that offer, answer, counter, claim, and let time pass."""

    @initialize()
    def sit_down(self) -> None:
        self.book, self.facts, self.at, self.number = Treaties("m"), [], 0, 0
        self.said_yes: dict[str, set[str]] = {}

    def some(self, pick: int) -> str:
        return list(self.book.all)[pick % len(self.book.all)] if self.book.all else "none"

    def attempt(self, verb, *given, **more):
        try:
            verb(*given, **more)
            return True
        except ChanceryError:
            return False
        finally:
            self.facts += self.book.new
            self.book.new = []

    @rule(seat=seats, others=st.sets(seats, min_size=1, max_size=3), secret=st.booleans(), counter=st.booleans(), pick=picks)
    def offer(self, seat, others, secret, counter, pick):
        self.number += 1
        clauses = [Clause("promise", seat, other, {"text": "my word"}) for other in sorted(others)]
        answers = self.some(pick) if counter and self.book.all else ""
        id = f"n{self.number}"
        if self.attempt(self.book.offer, id, seat, clauses, seats=SEATS, at=self.at, secret=secret, hours=24, answers=answers):
            self.said_yes[id] = {seat}

    @rule(seat=seats, pick=picks, possible=st.booleans())
    def accept(self, seat, pick, possible):
        id = self.some(pick)
        why = None if possible else "the world has changed"
        done = self.attempt(self.book.accept, id, seat, possible=lambda one: why, line="m", version=self.number, at=self.at)
        if done:
            self.said_yes[id].add(seat)

    @rule(seat=seats, pick=picks)
    def refuse(self, seat, pick):
        self.attempt(self.book.refuse, self.some(pick), seat, self.at)

    @rule(seat=seats, pick=picks)
    def withdraw(self, seat, pick):
        self.attempt(self.book.withdraw, self.some(pick), seat, self.at)

    @rule(seat=seats, pick=picks)
    def claim(self, seat, pick):
        self.attempt(self.book.claim, self.some(pick), seat, 0, f"broken {self.number}", self.number, self.at)

    @rule(hours=st.integers(1, 20))
    def time_passes(self, hours):
        self.at += hours * HOUR
        self.attempt(self.book.lapse, self.at)

    @invariant()
    def nobody_is_bound_without_consent(self):
        for one in self.book.all.values():
            if one.agreed is not None:
                assert set(one.parties) <= self.said_yes[one.id] and len(one.parties) > 1
            else:
                assert not one.claims and not one.released

    @invariant()
    def nobody_knows_of_what_is_not_theirs(self):
        for seat in SEATS:
            for one in self.book.seen_by(seat):
                assert seat in one.parties or (one.agreed is not None and (not one.offered.secret or one.claims))

    @invariant()
    def what_is_over_stays_over_and_the_facts_say_all(self):
        again = Treaties("m", [decode(encode(fact)) for fact in self.facts])
        assert again.version == self.book.version == len(self.facts)
        for id, one in self.book.all.items():
            assert again.all[id].state(self.at) == one.state(self.at) and again.all[id].claims == one.claims
            assert one.closed is None or one not in self.book.in_force()


TreatyMachine.TestCase.settings = settings(
    max_examples=RUNS,
    stateful_step_count=40,
    deadline=None,
    derandomize=RUNS < 100,
    database=None,
    suppress_health_check=list(HealthCheck),
)
test_whatever_seats_do_nobody_is_bound_without_consent = TreatyMachine.TestCase
