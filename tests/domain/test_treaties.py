"""Treaties: offered clause by clause, agreed by all or by none, carried out by the rules' own questions, broken in the open."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from domain import clauses, games, observance
from domain.kernel import NotFound, Refused
from domain.kernel.schema import SPECTATOR
from domain.log import Log
from domain.log import Match as Kept
from domain.orders import Ambiguous, OrderError
from domain.treaties import HOUR, PATIENCE, Clause, Term, Treaties, decode, encode
from service.database import Database
from service.matches import Matches
from service.settings import Settings
from service.store import MemoryStore, open_store
from tests.contract import treaties as court

SEATS = ["ash", "birch", "cedar"]
PEACE = Clause("no_raids", "ash", "birch")
WORD = Clause("promise", "ash", "birch", {"text": "I vote for you"})


def never(treaty):
    return None


def book(*clauses_, secret=False, seat="ash"):
    """A book with one offer in it."""
    found = Treaties("m")
    found.offer("k1", seat, clauses_ or [PEACE], seats=SEATS, at=0, secret=secret)
    return found


def agreed(*clauses_, secret=False):
    found = book(*clauses_, secret=secret)
    for seat in found.all["k1"].parties[1:]:
        found.accept("k1", seat, possible=never, line="m", version=7, at=5)
    return found


# -- an offer and its answers -----------------------------------------------------------------------------


def test_an_offer_is_in_force_when_all_its_parties_have_accepted_and_not_before():
    found = book(PEACE, Clause("payment", "cedar", "ash", {"coins": 1}))
    assert found.all["k1"].parties == ["ash", "birch", "cedar"]
    one = found.accept("k1", "birch", possible=never, line="m", version=3, at=1)
    assert one.agreed is None and one.state(1) == "offered"
    found.accept("k1", "cedar", possible=never, line="m", version=4, at=2)
    assert one.state(2) == "agreed" and (one.agreed.version, one.agreed.at) == (4, 2)


def test_a_refusal_ends_the_whole_bundle():
    found = book(PEACE, Clause("payment", "cedar", "ash", {"coins": 1}))
    found.accept("k1", "birch", possible=never, line="m", version=3, at=1)
    assert found.refuse("k1", "cedar", 2).state(2) == "refused"
    with pytest.raises(Refused, match="this offer is refused"):
        found.accept("k1", "cedar", possible=never, line="m", version=3, at=3)


def test_a_counter_offer_closes_what_it_answers_and_is_an_offer_itself():
    found = book()
    counter = found.offer("k2", "birch", [PEACE, WORD], seats=SEATS, at=1, answers="k1")
    assert found.all["k1"].state(1) == "countered" and counter.offered.answers == "k1"
    assert found.accept("k2", "ash", possible=never, line="m", version=3, at=2).state(2) == "agreed"


def test_an_offer_is_withdrawn_by_whoever_made_it_and_by_nobody_else():
    found = book()
    with pytest.raises(Refused, match="this offer is ash's"):
        found.withdraw("k1", "birch", 1)
    with pytest.raises(Refused, match="your own: withdraw it"):
        found.refuse("k1", "ash", 1)
    assert found.withdraw("k1", "ash", 1).state(1) == "withdrawn"


def test_an_offer_that_nobody_answers_lapses_by_itself():
    found = book()
    over = PATIENCE * HOUR
    assert found.all["k1"].state(over - 1) == "offered" and found.all["k1"].state(over) == "lapsed"
    with pytest.raises(Refused, match="lapsed"):
        found.accept("k1", "birch", possible=never, line="m", version=3, at=over)
    found.lapse(over)
    assert found.all["k1"].closed.how == "lapsed"


def test_what_is_not_possible_any_more_when_the_last_one_accepts_is_void_as_a_whole():
    found = book()
    with pytest.raises(Refused, match="can no longer be agreed: the gate is shut"):
        found.accept("k1", "birch", possible=lambda one: "the gate is shut", line="m", version=3, at=1)
    assert found.all["k1"].state(1) == "lapsed" and found.all["k1"].agreed is None


def test_a_treaty_ends_when_all_its_parties_let_it_go():
    found = agreed()
    assert found.withdraw("k1", "birch", 6).state(6) == "agreed"
    assert found.withdraw("k1", "ash", 7).state(7) == "ended"


def test_to_anybody_else_an_offer_is_not_there():
    found = book()
    assert found.seen_by("cedar") == found.seen_by(SPECTATOR) == []
    for verb in (found.refuse, found.withdraw):
        with pytest.raises(NotFound, match="you have no treaty or offer"):
            verb("k1", "cedar", 1)
    found.accept("k1", "birch", possible=never, line="m", version=3, at=1)
    assert [one.id for one in found.seen_by("cedar")] == ["k1"]


def test_E81_a_secret_treaty_is_its_parties_alone_until_one_of_them_claims_that_it_was_broken():
    found = agreed(secret=True)
    assert found.seen_by("cedar") == [] and found.seen_by("birch")
    found.claim("k1", "birch", 0, "ash raided me in round 2", 9, 10)
    assert [claim.by for claim in found.seen_by("cedar")[0].claims] == ["birch"]


def test_an_offer_that_was_never_agreed_cannot_be_broken():
    with pytest.raises(Refused, match="never agreed"):
        book().claim("k1", "birch", 0, "he broke it", 9, 10)


def test_the_facts_give_the_same_treaties_again():
    found = agreed(PEACE, Clause("way", "ash", "birch", {"posts": [["gate", 1]]}, [Term("round", {"round": 2})]))
    found.claim("k1", "ash", 1, "no way", 9, 10)
    again = Treaties("m", [decode(encode(fact)) for fact in found.new])
    assert again.version == found.version and again.all["k1"].clauses == found.all["k1"].clauses
    assert again.all["k1"].claims == found.all["k1"].claims and again.all["k1"].agreed == found.all["k1"].agreed


def test_the_same_request_makes_an_offer_once_and_nobody_floods_the_table():
    found = Treaties("m")
    for id in ("k1", "k2"):
        found.offer(id, "ash", [PEACE], seats=SEATS, at=0, source="mail 7")
    assert list(found.all) == ["k1"]
    for n in range(19):
        found.offer(f"n{n}", "ash", [PEACE], seats=SEATS, at=0)
    with pytest.raises(Refused, match="at most 20 open offers"):
        found.offer("n20", "ash", [PEACE], seats=SEATS, at=0)


# -- clauses in words -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table():
    return court.TITLE.lay(SEATS)


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("ash no raids birch", PEACE),
        ("ASH NO RAIDS with Birch until round 2", Clause("no_raids", "ash", "birch", {}, [Term("round", {"round": 2})])),
        ("birch pays ash 1", Clause("payment", "birch", "ash", {"coins": 1})),
        ("birch pays ash coins 1 if poorer", Clause("payment", "birch", "ash", {"coins": 1}, [Term("poorer", {})])),
        ("ash gives way to birch gate, tower", Clause("way", "ash", "birch", {"posts": [["gate", 1], ["tower", 1]]})),
        ("ash stands by birch cedar 3", Clause("attack_pact", "ash", "birch", {"target": "cedar", "agents": 3})),
        ("ash promises birch: I vote for you", WORD),
        ("ash prom birch I vote for you", WORD),
    ],
)
def test_a_clause_is_who_what_whom_and_what_it_leaves_open(table, text, clause):
    assert clauses.read_clause(court.TITLE, table, SEATS, text) == clause
    assert clauses.read_clause(court.TITLE, table, SEATS, clauses.say(court.TITLE, clause)) == clause


def test_a_bundle_says_how_long_it_stands_and_whether_it_is_secret(table):
    said = clauses.read(court.TITLE, table, SEATS, "secret for 3 days: ash no raids birch; birch promises ash: a song")
    assert (len(said.clauses), said.secret, said.hours) == (2, True, 72)
    assert clauses.tell(court.TITLE, said.clauses[0]) == "ash and birch do not raid each other"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "who owes whom what"),
        ("elm no raids birch", "a seat is wanted"),
        ("ash hugs birch", "no kind of clause"),
        ("ash pays birch", "say the coins"),
        ("ash pays birch many", "a number from 1"),
        ("ash stands by birch birch 3", "not among the choices"),
        ("ash no raids birch for ever", "left over"),
        ("ash no raids birch until doomsday", "no kind of clause|which kind"),
        ("; ; ;", "who owes whom what"),
    ],
)
def test_what_is_no_clause_is_refused_with_its_place(table, text, why):
    with pytest.raises(OrderError, match=why):
        clauses.read(court.TITLE, table, SEATS, text)


def test_five_thousand_fuzzed_offers_give_only_clean_errors(table):
    rng = Random(5)
    good = [
        "ash no raids birch until round 1",
        "cedar pays ash 1 if poorer",
        "birch gives way to ash gate tower",
        "ash promises cedar: é",
    ]
    pool = [word for line in good for word in line.split()] + ["2", "99", ";", ":", ",", "secret", "for", "days", "漢", "-1"]
    read = 0
    for _ in range(5_000):
        words = rng.choice(good).split()
        for _ in range(rng.randrange(4)):
            words[rng.randrange(len(words))] = rng.choice(pool)
        text = " ".join(words[: rng.randrange(1, 12)])
        try:
            for clause in clauses.read(court.TITLE, table, SEATS, text).clauses:
                assert clauses.read_clause(court.TITLE, table, SEATS, clauses.say(court.TITLE, clause)) == clause
                read += 1
        except (OrderError, Ambiguous):
            pass
    assert 200 < read < 4_900


@pytest.mark.parametrize(
    ("clause", "why"),
    [
        (Clause("no_raids", "ash", "ash"), "with himself"),
        (Clause("no_raids", "ash", "elm"), "no seat"),
        (Clause("marriage", "ash", "birch"), "no clause"),
        (Clause("payment", "ash", "birch", {"coins": 99}), "coins"),
        (Clause("payment", "ash", "birch", {}), "has the fields coins"),
        (Clause("promise", "ash", "birch", {"text": "one; two"}), "without semicolons"),
        (Clause("promise", "ash", "birch", {"text": "x" * 301}), "300 characters"),
        (Clause("no_raids", "ash", "birch", {}, [Term("comet", {})]), "no condition"),
        (Clause("promise", "ash", "birch", {"text": "x"}, [Term("poorer", {})]), "its own words"),
    ],
)
def test_what_a_title_does_not_allow_cannot_be_offered(table, clause, why):
    with pytest.raises(Refused, match=why):
        clauses.check(court.TITLE, table, SEATS, [clause])


def test_what_is_carried_out_in_the_open_cannot_stand_in_a_secret_treaty(table):
    with pytest.raises(Refused, match="cannot be agreed in secret"):
        clauses.check(court.TITLE, table, SEATS, [Clause("payment", "ash", "birch", {"coins": 1})], secret=True)
    clauses.check(
        court.TITLE, table, SEATS, [PEACE, Clause("attack_pact", "ash", "birch", {"target": "cedar", "agents": 3})], secret=True
    )


@pytest.mark.parametrize("title", games.all(), ids=lambda title: title.id)
def test_every_title_has_the_promise_and_says_how_its_clauses_are_written(title):
    seats = list(title.seats(title.players[-1]))
    told = clauses.describe(title, title.lay(seats), seats[0], seats[1])
    assert told["clauses"][-1]["kind"] == "promise" and len(clauses.examples(title, seats)) == len(told["clauses"])
    clauses.check(title, title.lay(seats), seats, [Clause("promise", seats[0], seats[1], {"text": "my word"})])


# -- carried out at a table --------------------------------------------------------------------------------


class Titles:
    def __init__(self, title):
        self._title = title

    def get(self, id):
        return self._title

    def all(self):
        return [self._title]


class Realm:
    """People at a running game of a title, on a real file."""

    def __init__(self, folder: Path, title, players: int, **options) -> None:
        self.store = open_store(Settings(db=str(folder / "realm.db")))
        database = Database(self.store)
        database.migrate()
        self.time = 1_000_000_000
        self.matches = Matches(self.store, database, b"k" * 32, titles=Titles(title), clock=lambda: self.time)
        self.pacts, self.title = self.matches.pacts, title
        people = [self.matches.accounts.create(f"p{n}").id for n in range(players)]
        self.id = self.matches.open(people[0], title.id, players=players, options=options or None).id
        self.holder = {self.matches.join(who, self.id)[1]: who for who in people}
        self.matches.start(people[0], self.id)
        self.rng = Random("realm")

    @property
    def log(self):
        return self.matches.open_log(self.matches.register.load(self.id).line)

    def decide(self, seat, key, answer):
        self.time += 1_000
        return self.matches.decide(self.holder[seat], self.id, seat, key, answer)

    def ask(self, seat, key):
        return self.log.run.question(seat, key)

    def agree(self, seat, text):
        """One offers, all others accept."""
        one = self.pacts.offer(self.holder[seat], self.id, seat, text)
        for other in one.parties:
            if other != seat:
                one = self.pacts.accept(self.holder[other], self.id, one.id, other)
        return one

    def until(self, key, answers=None, most=400):
        """Play on until this is asked; the ask."""
        for _ in range(most):
            run = self.log.run
            for ask in run.asks:
                if ask.key == key:
                    return ask
            ask = run.asks[0] if run.asks else run.offers[0]
            known = (answers or {}).get(ask.key, ...)
            known = known(ask) if callable(known) else known
            answer = known if known is not ... and ask.refusal(known) is None else ask.sample(self.rng)
            self.decide(ask.seat, ask.key, answer)
        raise AssertionError(f"nobody was asked {key}")

    def shown(self, seat, treaty):
        look = self.matches.look(self.holder[seat], self.id, seat)
        return next(one for one in self.pacts.listed(look, self.holder[seat]) if one["id"] == treaty.id)

    def statuses(self, seat, treaty):
        return [clause["status"] for clause in self.shown(seat, treaty)["clauses"]]


CALM = {"aim": "coins", "bid": lambda ask: 2 if ask.seat == "ash" else 0, "roll_again": "keep"}


@pytest.fixture
def realm(tmp_path):
    found = Realm(tmp_path, court.TITLE, 3, rounds=2, rumours=False)
    found.until("deed", CALM)
    yield found
    found.store.close()


def test_a_binding_payment_is_made_by_answering_the_four_questions_of_the_rules_and_nothing_else(realm):
    assert realm.log.run.asks[0].seat == "ash"
    before, coins = realm.log.head, realm.log.whole_table().coins("birch")
    one = realm.agree("birch", "ash pays birch 1; birch promises ash: a letter")
    events = realm.log.raw(before)
    assert [(event.seat, event.ask, event.answer) for event in events if event.ask] == [
        ("ash", "deed", "deal"),
        ("ash", "partner", "birch"),
        ("ash", "give", [["coin", 1]]),
        ("ash", "take", []),
        ("ash", "confirm", "yes"),
        ("birch", "confirm", "yes"),
    ]
    assert {event.cause for event in events if event.ask} == {"treaty"}
    assert realm.log.whole_table().coins("birch") == coins + 1
    assert realm.statuses("cedar", one) == ["over", ""] and realm.shown("cedar", one)["clauses"][0]["course"][0]["what"] == "kept"


def test_VQ_9_1_06_who_confirms_first_gets_it_and_what_comes_later_falls_away(realm):
    coins = realm.log.whole_table().coins("ash")
    first = realm.pacts.offer(realm.holder["ash"], realm.id, "ash", f"ash pays birch {coins}")
    second = realm.pacts.offer(realm.holder["ash"], realm.id, "ash", f"ash pays cedar {coins}; cedar promises ash: peace")
    realm.pacts.accept(realm.holder["birch"], realm.id, first.id, "birch")
    with pytest.raises(Refused, match="can no longer be agreed: ash has no"):
        realm.pacts.accept(realm.holder["cedar"], realm.id, second.id, "cedar")
    assert realm.shown("cedar", second)["state"] == "lapsed"


def test_MU_C_9_a_binding_clause_refuses_what_would_break_it_and_leaves_the_rest_of_the_rules_alone(realm):
    one = realm.agree("ash", "ash no raids birch until round 1")
    realm.decide("ash", "deed", "raid")
    with pytest.raises(Refused, match=f"SC 5.4: your treaty {one.id} binds you: you do not raid each other"):
        realm.decide("ash", "victim", "birch")
    with pytest.raises(Refused, match="binds you"):
        realm.matches.check(realm.holder["ash"], realm.id, "ash", "victim", "birch")
    realm.decide("ash", "victim", "cedar")
    assert realm.statuses("birch", one) == [""]


def test_MU_C_13_a_clause_ends_at_its_term_and_binds_nobody_after_it(realm):
    one = realm.agree("ash", "ash no raids birch until round 1")
    for _ in range(60):
        if realm.log.whole_table().get("round") == 2:
            break
        ask = realm.log.run.asks[0]
        calm = {"deed": "rest", "bid": 0}
        realm.decide(ask.seat, ask.key, calm.get(ask.key, ask.sample(realm.rng)))
    assert realm.shown("cedar", one)["state"] == "over" and realm.statuses("cedar", one) == ["over"]
    realm.until("deed", CALM)
    raider = realm.log.run.asks[0].seat
    if raider in ("ash", "birch"):
        realm.decide(raider, "deed", "raid")
        realm.decide(raider, "victim", "birch" if raider == "ash" else "ash")


def test_where_the_rules_leave_no_other_answer_a_treaty_gives_way_and_the_breach_is_marked(tmp_path):
    realm = Realm(tmp_path, court.TITLE, 2, rounds=1, rumours=False)
    realm.until("deed", CALM)
    one = realm.agree("ash", "ash no raids birch; birch promises ash: thanks")
    realm.decide("ash", "deed", "raid")
    realm.decide("ash", "victim", "birch")
    shown = realm.shown("birch", one)
    assert shown["state"] == "broken" and realm.statuses("birch", one) == ["broken", ""]
    version = shown["clauses"][0]["course"][0]["version"]
    assert [(event.ask, event.answer) for event in realm.log.raw(version - 1, version)] == [("victim", "birch")]
    realm.store.close()


def test_a_breach_that_is_taken_back_is_none(tmp_path):
    realm = Realm(tmp_path, court.TITLE, 2, rounds=1, rumours=False)
    realm.until("deed", CALM)
    one = realm.agree("ash", "ash no raids birch")
    realm.decide("ash", "deed", "raid")
    realm.decide("ash", "victim", "birch")
    assert realm.statuses("ash", one) == ["broken"]
    realm.matches.undo(realm.holder["ash"], realm.id, "ash")
    assert realm.statuses("ash", one) == [""]
    realm.store.close()


def test_on_a_branch_nobody_is_bound(realm):
    realm.agree("ash", "ash no raids birch")
    branch = realm.log.fork("elsewhere", by=realm.holder["ash"])
    run = branch.run
    run.answer("ash", "deed", "raid")
    realm.pacts.hold_to(branch, "ash", "victim", "birch")


def test_a_bot_that_takes_a_seat_over_keeps_its_treaties(tmp_path):
    realm = Realm(tmp_path, court.TITLE, 3, rounds=1, rumours=False)
    realm.until("deed", CALM)
    realm.agree("ash", "ash no raids birch")
    realm.decide("ash", "deed", "raid")
    realm.matches.seat_bot(realm.holder["ash"], realm.id, "ash", "random")
    assert [event.answer for event in realm.log.raw() if event.ask == "victim"] == ["cedar"]
    with pytest.raises(Refused, match="bots make no treaties"):
        realm.pacts.offer(realm.holder["birch"], realm.id, "birch", "ash no raids birch")
    realm.store.close()


# -- Generalship -------------------------------------------------------------------------------------------


@pytest.fixture
def war(tmp_path):
    found = Realm(tmp_path, games.get("generalship"), 3)
    found.until("choose_action_tile")
    yield found
    found.store.close()


def test_G12_7_an_alliance_by_treaty_is_made_when_one_of_them_takes_the_alliance_action(war):
    seat = war.log.run.asks[0].seat
    other = next(name for name in war.holder if name != seat)
    one = war.agree(seat, f"{seat} allies with {other} space 2")
    assert war.statuses(other, one) == [""] and not war.log.whole_table().allied(seat, other)
    war.decide(seat, "choose_action_tile", "AT5")
    assert war.log.whole_table().allied(seat, other)
    assert [(event.ask, event.answer) for event in war.log.raw() if event.cause == "treaty"] == [
        ("edit_alliances", f"put {seat} 2"),
        ("edit_alliances", f"put {other} 2"),
    ]
    with pytest.raises(Refused, match="binds you"):
        war.decide(seat, "edit_alliances", f"take {other} 2")
    war.decide(seat, "edit_alliances", None)
    assert war.statuses(other, one) == ["kept"]


def test_G12_7_there_are_no_alliances_with_two_players(tmp_path):
    war = Realm(tmp_path, games.get("generalship"), 2)
    seat, other = war.holder
    with pytest.raises(Refused, match=r"G12\.7: there are no alliances with two players"):
        war.pacts.offer(war.holder[seat], war.id, seat, f"{seat} allies with {other} space 1")
    war.store.close()


def played_to_upkeep_help():
    """A game with bots up to where an ally is asked for help: (log, helper, payer)."""
    title = games.get("generalship")
    for number in range(60):
        store = MemoryStore()
        kept = Kept(id=f"g{number}", title=title.id, seed=f"upkeep {number}".encode().ljust(32, b"."), made=0, name="")
        log = Log.create(store, title, kept, seats=list(title.seats(3)))
        rng = Random(number)
        for _ in range(1_500):
            if log.run.over:
                break
            ask = log.run.asks[0]
            if ask.key == "upkeep_help" and ask.choice.high >= 2:
                return log, ask.seat, ask.about["for"]
            bold = {"choose_action_tile": "AT5", "edit_alliances": None, "upkeep_remove": []}
            answer = bold.get(ask.key, ...)
            if ask.key == "edit_alliances" and log.run.table.total("alliance:1") < 2:
                answer = next((option for option in ask.choice.options if option.startswith("put") and option.endswith("1")), None)
            legal = answer is not ... and ask.refusal(answer) is None
            log.decide(ask.seat, ask.key, answer if legal else ask.sample(rng))
    raise AssertionError("nobody ever needed help")


def test_G28_6_help_with_upkeep_is_given_by_the_helpers_own_answer_and_never_less_than_was_agreed():
    log, helper, payer = played_to_upkeep_help()
    found = Treaties(log.match.id)
    found.offer("k1", helper, [Clause("upkeep_help", helper, payer, {"food": 1})], seats=log.run.table.seats, at=0)
    one = found.accept("k1", payer, possible=never, line=log.line.id, version=log.head, at=0)
    public, ask = log.table(SPECTATOR), log.run.asks[0]
    pledges = observance.bound(log.title, public, [one], lambda treaty: observance.follow(log.title, log, treaty))
    assert observance.owed(public, pledges, ask) == [1]
    with pytest.raises(Refused, match=f"G28.6: your treaty k1 binds you: you help {payer} with 1 food"):
        observance.hold_to(public, pledges, ask, 0)
    observance.hold_to(public, pledges, ask, 2)  # more than that is theirs to give
    log.decide(helper, "upkeep_help", 1)
    assert [happened.what for happened in observance.follow(log.title, log, one)] == ["kept"]


def test_G12_13_a_promised_peace_binds_nobody_and_its_breach_is_recognised(war):
    seats = sorted(war.holder)
    texts = [f"{a} peace with {b}" for n, a in enumerate(seats) for b in seats[n + 1 :]]
    one = war.agree(seats[0], "; ".join(texts))
    for _ in range(1_500):
        run = war.log.run
        if run.over or any(war.statuses(seats[0], one)):
            break
        ask = run.asks[0]
        war.decide(ask.seat, ask.key, ask.sample(war.rng))
    shown = war.shown(seats[1], one)
    assert shown["state"] == "broken"
    broken = next(clause for clause in shown["clauses"] if clause["status"] == "broken")
    table = war.log.whole_table(broken["course"][0]["version"])
    assert {table.get("attacker"), table.get("defender")} == {broken["by"], broken["to"]}
