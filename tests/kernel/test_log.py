"""The log: decide, undo, fork, load any version, go on under other rules; nothing is ever deleted (L7)."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import domain.log
from domain.audit import audit
from domain.bots import choose
from domain.contract import questions
from domain.kernel import (
    ARBITER,
    END,
    OPEN,
    Ask,
    AskAll,
    BrokenLog,
    Event,
    Move,
    NotFound,
    Refused,
    Roll,
    RulesCrashed,
    Stale,
    redact,
)
from domain.kernel.chance import Recorded
from domain.kernel.event import DECIDED, RULED, UNDONE
from domain.log import Diverged, Log, Match, effective, groups, resume
from service.store.memory import MemoryStore
from tests.contract import proof
from tests.kernel import toy


def reopened(log: Log) -> Log:
    """The same line as another process would load it."""
    return Log(log.store, log.title, log.match, log.store.line(log.line.id))


def stands(log: Log, version: int | None = None):
    """What a loaded version looks like: its table and its questions."""
    run = log.run_at(version)
    return run.table.digest(), questions(run, ARBITER)


def notes(t):
    """Each seat in turn writes words; a step for each word."""
    seat = toy.SEATS[t.get("clock", 0) % 3]
    word = yield Ask(seat, "word", ["yes", "no", "stop"], "T 1")
    t.set("word", word, cite="T 1")
    if word == "stop":
        return END
    t.add("clock", 1)
    return "setup"


def alone(t):
    """Red writes words; every fifth one ends a step, and the next begins with something unasked."""
    t.add("clock", 100)
    for _ in range(5):
        t.set("word", (yield Ask("red", "word", ["yes", "no", "maybe"], "T 1")), cite="T 1")
        t.add("clock", 1)
    return "setup"


def steady(t):
    """Red writes words for ever, one event each."""
    t.set("word", (yield Ask("red", "word", ["yes", "no", "maybe"], "T 1")), cite="T 1")
    t.add("clock", 1)
    return "setup"


WORDS = ["yes", "no", "maybe", "no"]


def write(log: Log, n: int) -> Log:
    for index in range(n):
        log.decide("red", "word", WORDS[index % len(WORDS)])
    return log


# -- events in force ------------------------------------------------------------------------------------


def test_an_undone_event_takes_back_everything_after_the_version_it_names():
    events = [Event(n, DECIDED) for n in (1, 2, 3)]
    events += [
        Event(4, UNDONE, answer=2),
        Event(5, DECIDED),
        Event(6, UNDONE, answer=2),
        Event(7, UNDONE, answer=1),
        Event(8, DECIDED),
    ]
    assert [item.version for item in effective(events)] == [1, 8]
    assert [item.version for item in effective(events[:5])] == [1, 2, 5]


def test_a_group_is_a_decision_with_what_it_set_off():
    log = write(toy.log(toy.title(alone)), 6)
    assert [[item.kind for item in group] for group in groups(log.raw())] == [["created"]] + [["decided"]] * 4 + [
        ["decided", "advanced"]
    ] + [["decided"]]


# -- undo -----------------------------------------------------------------------------------------------


def test_L7_an_undo_is_an_event_that_leads_back_to_the_question_and_deletes_nothing():
    log = write(toy.log(toy.title(alone)), 2)
    before, there = stands(log, 2), log.raw()
    [undone] = log.undo("red", cause="a slip")
    assert undone.kind == UNDONE and undone.answer == 2 and undone.cause == "a slip" and undone.version == 4
    assert log.raw()[:3] == there and stands(log) == stands(reopened(log)) == before
    assert log.decide("red", "word", "maybe")[0].version == 5 and audit(log).clean
    assert log.whole_table().get("word") == "maybe" and log.table("red", 3).get("word") == "?"


def test_L7_undos_may_follow_one_another_across_a_mark_and_what_the_rules_did_unasked():
    log = toy.log(toy.title(alone))
    stood = [stands(log)]
    for n in range(7):
        write(log, 1) if n == 0 else log.decide("red", "word", WORDS[n % 4])
        stood.append(stands(log))
    for expected in reversed(stood[:-1]):
        log.undo("red")
        assert stands(log) == stands(reopened(log)) == expected
    with pytest.raises(Refused, match="nothing has been decided since"):
        log.undo("red")
    assert audit(log).clean and [item.version for item in log.raw()] == list(range(1, log.head + 1))


def test_L7_a_long_chain_of_undos_ends_only_at_the_start():
    log = write(toy.log(toy.title(steady)), 70)
    for _ in range(70):
        log.undo("red")
    assert stands(log) == stands(log, 1) and log.head == 141


def test_L7_only_the_seat_that_decided_last_takes_back():
    log = toy.log(toy.title(notes))
    log.decide("red", "word", "yes")
    log.decide("blue", "word", "no")
    with pytest.raises(Refused, match="nothing red can simply take back: the last decision was blue's; ask the table for a rewind"):
        log.undo("red")
    log.undo("blue")
    log.undo("red")
    assert log.run.asks[0].seat == "red"


def turning(what):
    def play(t):
        t.move("ace:1", "box", "deck")
        t.move("king:1", "box", "pile")
        t.move("king:2", "box", "hand:red")
        yield Ask("red", "ready", ["yes"], "T 0")
        yield Ask("red", "go", ["on"], "T 1")
        yield from what(t)
        yield Ask("blue", "then", ["on"], "T 1")
        return END

    return toy.title(play)


def rolled(t):
    yield Roll(1, "die", "T 2")


def shown(t):
    t.show("green", "deck", ["ace:1"])
    yield from ()


def face_up(t):
    t.move("ace:1", "deck", "open")
    yield from ()


def for_another(t):
    t.move("king:1", "pile", "hand:blue")
    yield from ()


def back_up(t):
    t.move("ace:1", "deck", "camp")
    yield from ()


def face_down(t):
    t.move("king:2", "hand:red", "pile")
    t.move("ace:1", "deck", "vault")
    yield from ()


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (rolled, "chance was drawn"),
        (shown, "something was shown"),
        (face_up, "something was turned up"),
        (for_another, "something was turned up"),
        (back_up, "something was turned up"),
    ],
)
def test_L7_what_somebody_learnt_cannot_simply_be_taken_back_and_the_refusal_names_nothing(what, why):
    log = toy.log(turning(what))
    log.decide("red", "ready", "yes")
    log.decide("red", "go", "on")
    with pytest.raises(Refused, match=why) as refused:
        log.undo("red")
    assert not any(name in str(refused.value) for name in ("ace", "king", "blue", "green"))


def test_L7_what_only_went_out_of_sight_can_be_taken_back():
    log = toy.log(turning(face_down))
    log.decide("red", "ready", "yes")
    before = stands(log)
    log.decide("red", "go", "on")
    log.undo("red")
    assert stands(log) == before


def sealed(t):
    said = yield AskAll([Ask(seat, "bid", [0, 1, 2], "T 1") for seat in t.seats])
    t.set("clock", sum(said.values()))
    yield Ask("red", "then", ["on"], "T 2")
    return END


def test_L7_a_sealed_answer_may_be_taken_back_until_the_round_is_opened():
    log = toy.log(toy.title(sealed))
    log.decide("red", "bid", 1)
    log.undo("red")
    log.decide("blue", "bid", 2)
    log.decide("red", "bid", 0)
    log.decide("green", "bid", 0)
    with pytest.raises(Refused, match="the sealed answers were opened"):
        log.undo("green")


def test_L7_the_last_decision_of_a_game_stands():
    log = toy.log(toy.title(notes))
    log.decide("red", "word", "stop")
    with pytest.raises(Refused, match="the game is over"):
        log.undo("red")


# -- versions, snapshots and random histories -----------------------------------------------------------


@pytest.mark.parametrize("version", [0, -1, 99])
def test_a_version_that_is_not_there_is_not_found(version):
    log = write(toy.log(toy.title(alone)), 2)
    for read in (
        log.whole_table,
        log.run_at,
        lambda v: log.questions("red", v),
        lambda v: log.table("red", v),
        lambda v: log.fork("x", v),
    ):
        with pytest.raises(NotFound, match=f"there is no version {version}: the log of toy has versions 1 to 3"):
            read(version)


def test_between_a_decision_and_what_it_set_off_nothing_is_asked():
    """Given a step that begins with an op, the version before that op has a table but no question."""
    log = write(toy.log(toy.title(alone)), 6)
    between = next(item.version for item in log.raw() if item.mark)
    assert log.whole_table(between).get("clock") == 105
    with pytest.raises(NotFound, match=f"version {between} lies between a decision and what it set off"):
        log.run_at(between)
    assert log.fork("there", between).line.at == between + 1, "a fork goes to the next question"


@pytest.fixture
def often(monkeypatch):
    monkeypatch.setattr(domain.log, "SNAPSHOT_EVERY", 3)


def test_an_undo_older_than_a_snapshot_is_loaded_from_an_older_one(often):
    log = toy.log(toy.title(notes))
    words = {"red": "yes", "blue": "no", "green": "yes"}
    stood = {1: stands(log)}
    for _ in range(12):
        seat = log.run.asks[0].seat
        log.decide(seat, "word", words[seat])
        stood[log.head] = stands(log)
    kept = log.store.snapshot("toy", 99).version
    for _ in range(8):
        log.undo(effective(log.raw())[-1].seat)
        stood[log.head] = stands(log)
    assert effective(log.raw())[-1].version < kept
    for version, expected in stood.items():
        assert stands(reopened(log), version) == expected
    for _ in range(6):
        seat = log.run.asks[0].seat
        log.decide(seat, "word", "no")
        assert stands(log) == stands(reopened(log))
    assert audit(log).clean


class Forgetful(MemoryStore):
    """A store that keeps no snapshots."""

    def keep(self, line, snapshot):
        pass


@toy.examples(25)
@given(st.integers(0, 2**32))
def test_L1_random_histories_of_decisions_undos_and_forks_load_alike_at_every_version(seed):
    """Given any history, every version of every line loads as it stood, with snapshots and without, and audits clean."""
    rng, every = Random(seed), domain.log.SNAPSHOT_EVERY
    domain.log.SNAPSHOT_EVERY = rng.choice([2, 5, 50])
    try:
        store = rng.choice([MemoryStore, Forgetful])()
        match = Match(id="main", title="small-court", seed=rng.randbytes(8))
        lines = [Log.create(store, proof.TITLE, match, seats=proof.SEATS[: rng.choice([2, 3])])]
        stood = {("main", lines[0].head): stands(lines[0])}
        for step in range(60):
            index = rng.randrange(len(lines))
            log = lines[index] = lines[index] if rng.random() < 0.6 else reopened(lines[index])
            act = rng.random()
            if act < 0.08 and len(lines) < 6:
                lines.append(log.fork(f"line-{step}", rng.randint(1, log.head)))
                stood.update(
                    {(lines[-1].line.id, v): at for (id, v), at in stood.items() if id == log.line.id and v <= lines[-1].line.at}
                )
                continue
            if act < 0.35:
                last = effective(log.raw())[-1]
                try:
                    log.undo(next((item.seat for item in reversed(effective(log.raw())) if item.kind != "advanced"), last.seat))
                except Refused:
                    continue
            elif not log.run.over:
                ask = choose(log.run, rng)
                log.decide(ask.seat, ask.key, ask.sample(rng))
            stood[log.line.id, log.head] = stands(log)
        for log in lines:
            fresh = reopened(log)
            assert [item.version for item in fresh.raw()] == list(range(1, log.head + 1))
            finding = audit(fresh).finding
            assert finding is None, finding
            for viewer in log.schema.seats:
                view = redact.table(log.title.lay(log.schema.seats, log.schema.options), viewer)
                for item in fresh.events(viewer):
                    redact.fold(view, viewer, item.ops)
                assert view.state() == fresh.table(viewer).state()
        for (id, version), expected in stood.items():
            fresh = reopened(next(log for log in lines if log.line.id == id))
            assert stands(fresh, version) == expected
            assert fresh.whole_table(version).digest() == expected[0]
    finally:
        domain.log.SNAPSHOT_EVERY = every


def test_L6_a_line_loaded_from_a_snapshot_goes_on_with_the_same_luck(often):
    """Given a step that begins with dice, the snapshot at its mark does not count them: they are rolled after it."""

    def dice_first(t):
        [pips] = yield Roll(1, "die", "T 1")
        t.add("clock", pips)
        yield Ask("red", "word", ["yes"], "T 2")
        return "setup"

    kept, fresh = (toy.log(toy.title(dice_first)) for _ in range(2))
    for _ in range(20):
        kept.decide("red", "word", "yes")
        fresh = reopened(fresh)
        fresh.decide("red", "word", "yes")
    assert fresh.raw() == kept.raw() and fresh.store.snapshot("toy", 99).version > 30 and audit(fresh).clean


def test_a_snapshot_of_another_schema_is_ignored(often):
    log = write(toy.log(toy.title(alone)), 12)
    kept = log.store.snapshot("toy", 99)
    log.store.keep("toy", msgspec.structs.replace(kept, schema="another", zones={"cellar": {"ace:1": 1}}))
    assert stands(reopened(log)) == stands(log)


# -- forks ----------------------------------------------------------------------------------------------


def test_a_fork_copies_nothing_and_leaves_its_parent_alone():
    log = write(toy.log(toy.title(alone)), 3)
    fork = log.fork("what-if", 2, by="blue", reason="what if not")
    assert log.store.read("what-if", 0, 99) == [] and fork.head == 2 and fork.raw() == log.raw(lte=2)
    fork.decide("red", "word", "maybe")
    assert (fork.line.parent, fork.line.at, fork.line.by, fork.line.reason) == ("toy", 2, "blue", "what if not")
    assert [item.version for item in log.store.read("what-if", 0, 99)] == [3]
    assert log.head == 4 and log.whole_table().get("word") == "maybe" and fork.whole_table().get("clock") == 102
    assert audit(fork).clean and audit(log).clean


def test_a_fork_of_a_fork_reads_through_its_whole_lineage():
    log = write(toy.log(toy.title(steady)), 6)
    child = write(log.fork("child", 4), 3)
    grandchild = write(child.fork("grandchild", 6), 2)
    assert grandchild.line.parent == "child"
    assert grandchild.raw(lte=4) == log.raw(lte=4) and grandchild.raw(4, 6) == child.raw(4, 6)
    assert [item.version for item in grandchild.raw()] == list(range(1, grandchild.head + 1))
    assert [grandchild.line_of(v) for v in (4, 5, 6, 7)] == ["toy", "child", "child", "grandchild"]
    assert all(audit(reopened(line)).clean for line in (log, child, grandchild))


@pytest.mark.parametrize(("version", "parent"), [(2, "toy"), (3, "toy"), (4, "toy"), (5, "child"), (6, "child"), (8, "grandchild")])
def test_a_fork_hangs_on_the_line_that_holds_its_version(version, parent):
    """Given a line whose early versions belong to its grandparent, a fork from one of them is the grandparent's child."""
    log = write(toy.log(toy.title(steady)), 4)
    child = write(log.fork("child", 4), 3)
    grandchild = write(child.fork("grandchild", 6), 3)
    fork = grandchild.fork("new", version)
    assert (fork.line.parent, fork.line.at) == (parent, version) and stands(fork) == stands(grandchild, version)
    fork.decide("red", "word", "maybe")
    assert fork.head == version + 1 and audit(fork).clean


def test_a_fork_of_what_was_later_undone_goes_on_from_there():
    log = write(toy.log(toy.title(alone)), 3)
    there = stands(log, 4)
    log.undo("red")
    log.undo("red")
    fork = log.fork("kept", 4)
    assert stands(fork) == there and fork.whole_table().get("clock") == 103
    fork.undo("red")
    fork.decide("red", "word", "yes")
    assert audit(fork).clean and log.head == 6


def test_on_a_fork_a_seat_may_take_back_its_decision_on_the_parent_without_changing_it():
    log = write(toy.log(toy.title(alone)), 2)
    fork = log.fork("again")
    fork.undo("red")
    assert stands(fork) == stands(log, 2) and log.head == 3 and audit(fork).clean


def test_a_line_is_not_made_twice():
    log = write(toy.log(toy.title(alone)), 2)
    write(log.fork("once", 2), 1)
    with pytest.raises(Refused, match="already a line 'once'"):
        log.fork("once", 1)
    assert log.store.head("once") == 3


# -- several writers, failing stores, dry runs ----------------------------------------------------------


def test_of_two_writers_the_second_is_told_to_read_again():
    one = toy.log(toy.title(alone))
    other = reopened(one)
    _ = other.run, other.version
    stored = one.decide("red", "word", "yes")
    with pytest.raises(Stale, match="version 1 is not the newest any more: the log is at version 2"):
        other.decide("red", "word", "no", expect=1)
    with pytest.raises(Stale):
        other.undo("red", expect=1)
    assert other.decide("red", "word", "no", expect=2)[0].version == 3 and other.raw()[1:2] == stored


class Failing(MemoryStore):
    """A store that can be told to fail, or to be overtaken by another writer."""

    failure: Exception | None = None

    def append(self, line, events):
        if self.failure:
            failure, self.failure = self.failure, None
            raise failure
        super().append(line, events)


@pytest.mark.parametrize("failure", [OSError("disk full"), Stale(1, 2), KeyboardInterrupt()])
def test_L2_what_could_not_be_stored_did_not_happen(failure):
    store = Failing()
    log = Log.create(store, toy.title(alone), Match(id="toy", title="toy", seed=b"s"), seats=toy.SEATS)
    write(log, 1)
    before = stands(log)
    store.failure = failure
    with pytest.raises(type(failure)):
        log.decide("red", "word", "no")
    assert log.run.table.digest() == before[0] and stands(log) == before and log.head == 2
    store.failure = failure
    with pytest.raises(type(failure)):
        log.undo("red")
    assert stands(log) == before
    log.decide("red", "word", "maybe")
    assert log.run.table.digest() == stands(reopened(log))[0] and audit(log).clean


def test_a_decision_refused_or_broken_stores_nothing():
    def fragile(t):
        t.set("word", (yield Ask("red", "word", ["yes", "no"], "T 1")))
        raise KeyError("a bug")

    log = toy.log(toy.title(fragile))
    for answer, error in (("maybe", Refused), ("yes", RulesCrashed)):
        with pytest.raises(error):
            log.decide("red", "word", answer)
    assert log.head == 1 and log.whole_table().get("word") is None


@pytest.mark.parametrize("what", [rolled, shown, face_up, for_another, back_up])
def test_a_dry_run_foretells_nothing_that_somebody_would_learn(what):
    log = toy.log(turning(what))
    log.decide("red", "ready", "yes")
    before = stands(log)
    assert log.decide("red", "go", "on", dry=True) == [] and log.head == 2 and stands(log) == before


def test_a_dry_run_stores_nothing_and_tells_what_would_be_stored():
    words = toy.log(toy.title(alone))
    [foreseen] = words.decide("red", "word", "yes", dry=True)
    assert words.head == 1 and words.run.table.get("word") is None
    with pytest.raises(Refused):
        words.decide("red", "word", "perhaps", dry=True)
    [stored] = words.decide("red", "word", "yes")
    assert (foreseen.ops, foreseen.answer) == (stored.ops, stored.answer)


# -- going on under other rules -------------------------------------------------------------------------


def court(seed: int, upto: str) -> Log:
    """A game of the Small Court played until a question with this key is open."""
    rng = Random(seed)
    match = Match(id="court", title="small-court", seed=rng.randbytes(8))
    log = Log.create(MemoryStore(), proof.TITLE, match, seats=proof.SEATS[:3], options={"rounds": 3})
    while not log.run.over and upto not in [ask.key for ask in log.run.asks]:
        ask = choose(log.run, rng)
        log.decide(ask.seat, ask.key, ask.sample(rng))
    return log


def library(id, rules):
    return {"1": proof.TITLE, "2": proof.SECOND_EDITION}[rules]


def test_L7_new_rules_that_agree_since_the_last_mark_are_adopted_by_an_event():
    log = court(1, "posts")
    before = stands(log)
    [ruled] = log.upgrade(proof.SECOND_EDITION, cause="the second edition is out")
    assert (ruled.kind, ruled.answer["rules"]) == (RULED, "2") and log.title.rules == "2" and stands(log) == before
    rng = Random(2)
    while not log.run.over:
        ask = choose(log.run, rng)
        log.decide(ask.seat, ask.key, ask.sample(rng))
    assert audit(log, library).rules == ["1", "2"] and audit(log, library).clean


def test_new_rules_that_disagree_since_the_last_mark_are_refused_and_the_old_go_on():
    """Given a courier who has just looked at three letters, rules by which he looks at four do not fit until the step ends."""
    log = next(log for log in (court(seed, "arrange") for seed in range(50)) if not log.run.over)
    before, head = stands(log), log.head
    with pytest.raises(Refused, match="rules 2 disagree since the last mark; try again at the next"):
        log.upgrade(proof.SECOND_EDITION)
    assert log.head == head and log.title.rules == "1" and stands(log) == before
    ask = log.run.asks[0]
    log.decide(ask.seat, ask.key, next(ask.all()))
    log.upgrade(proof.SECOND_EDITION)
    assert audit(log, library).clean


def test_rules_that_lay_the_table_differently_are_refused():
    def wider(seats, options):
        s = proof.schema(seats, options)
        s.register("weather", str, OPEN)
        return s

    log = court(1, "posts")
    with pytest.raises(Refused, match="lay the table differently"):
        log.upgrade(msgspec.structs.replace(proof.TITLE, rules="3", schema=wider))
    assert log.title.rules == "1"


def crashing(t):
    raise KeyError("a bug")
    yield


def talkative(t):
    t.add("turns", 1)
    return (yield from proof.posts(t))


@pytest.mark.parametrize("step", [crashing, talkative], ids=["that crash", "that do more unasked"])
def test_rules_that_cannot_go_on_here_are_refused_and_the_line_is_as_good_as_before(step):
    log = court(1, "posts")
    before = stands(log)
    with pytest.raises(Refused, match="rules 4 disagree"):
        log.upgrade(msgspec.structs.replace(proof.TITLE, rules="4", steps={**proof.TITLE.steps, "posts": step}))
    assert log.title.rules == "1" and stands(log) == before
    ask = log.run.asks[0]
    log.decide(ask.seat, ask.key, next(ask.all()))


# -- rulings --------------------------------------------------------------------------------------------


def peeking(t):
    """Blue is shown the deck, then red writes two words."""
    t.show("blue", "deck", t.items("deck"))
    for _ in range(2):
        t.set("word", (yield Ask("red", "word", ["yes", "no"], "T 1")), cite="T 1")
    return "setup"


def test_L7_a_ruling_corrects_the_table_of_the_last_mark_and_the_step_starts_anew():
    log = toy.log(toy.title(peeking))
    for word in ("yes", "yes", "no"):
        log.decide("red", "word", word)
    stored = log.raw()
    ruled = log.rule({"text": "an ace was missing"}, [Move("ace:1", "box", "deck")])
    assert [item.kind for item in ruled] == [RULED, "advanced"] and ruled[1].shown[0].items == ["ace:1"]
    assert log.raw()[: len(stored)] == stored and stands(log) == stands(reopened(log))
    assert log.whole_table().get("word") == "yes", "what was written since the mark is taken back"
    with pytest.raises(Refused, match="nothing has been decided since"):
        log.undo("red")
    log.decide("red", "word", "no")
    log.undo("red")
    assert audit(log).clean and stands(log) == stands(reopened(log))


def test_a_ruling_that_does_not_fit_the_table_is_refused_and_changes_nothing():
    log = toy.log(toy.title(peeking))
    before = stands(log)
    with pytest.raises(Refused, match="does not fit the table"):
        log.rule({"text": "so be it"}, [Move("ace:1", "deck", "open")])
    assert stands(log) == before and log.head == 1


# -- foreign and changed logs ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "forge",
    [
        lambda item: msgspec.structs.replace(item, answer="no"),
        lambda item: msgspec.structs.replace(item, answer="perhaps"),
        lambda item: msgspec.structs.replace(item, seat="blue"),
        lambda item: msgspec.structs.replace(item, ops=item.ops[:-1]),
        lambda item: msgspec.structs.replace(item, mark=True),
        lambda item: msgspec.structs.replace(item, ask="bid"),
    ],
)
def test_L4_a_changed_event_is_found_where_it_is_loaded(forge):
    log = write(toy.log(toy.title(alone)), 3)
    events = log.store._events["toy"]
    events[1] = forge(events[1])
    with pytest.raises(BrokenLog):
        _ = reopened(log).run
    finding = audit(reopened(log)).finding
    assert finding is not None and finding.version == 2


def test_L4_rules_that_reach_a_mark_with_another_table_than_recorded_are_found():
    log = write(toy.log(toy.title(alone)), 5)
    *before, last = groups(log.raw())
    forged = [msgspec.structs.replace(last[0], digest=b"x" * 16), *last[1:]]
    start = [item for group in before for item in group]
    with pytest.raises(Diverged, match="version 6"):
        resume(log.title, log.title.lay(toy.SEATS), [*start, *forged], Recorded(), 0)
    assert resume(log.title, log.title.lay(toy.SEATS), [*start, *last], Recorded(), 0).table.digest() == log.run.table.digest()


def test_a_line_without_events_is_not_found():
    store = MemoryStore()
    store.add_match(Match("empty", "toy", b"s"), domain.log.Line("empty", "empty"))
    with pytest.raises(NotFound, match="line empty has no events"):
        Log(store, toy.title(alone), store.match("empty"), store.line("empty"))
