"""The same on PostgreSQL: one effect, one receipt, every mail once, also when two post offices share the database."""

from __future__ import annotations

import threading

from domain.deadlines import HouseRules, Vector
from tests.mail.conftest import Town, options


def test_a_game_by_mail_on_postgresql_with_two_post_offices(tmp_path, postgres):
    town, other = Town(tmp_path, db=postgres), Town(tmp_path, db=postgres)
    id = town.match(rules=HouseRules({"": Vector(next=60, grace=60)}, late="default"))
    raw, address, outcomes = town.written("ana", "hide left"), town.address(id, "ana"), []

    def deliver(number):
        outcomes.append((town, other)[number % 2].post.deliver(raw, address, "ana@home.example"))

    threads = [threading.Thread(target=deliver, args=(number,)) for number in range(20)]
    rounds = [threading.Thread(target=one.post.round) for one in (town, other)]
    for thread in (*threads, *rounds):
        thread.start()
    for thread in (*threads, *rounds):
        thread.join()
    assert outcomes.count("taken") == 1 and outcomes.count("again") == 19 and town.versions(id) == 2
    for one in (town, other) * 12:
        for each in (town, other):
            each.later(minutes=130)
        one.post.sweep()
        one.post.round()
    assert town.matches.register.load(id).state == "finished"
    ids = [mail["Message-ID"] for mail in (*town.sent, *other.sent)]
    assert len(ids) == len(set(ids)) == town.database.read("SELECT count(*) FROM outbox WHERE sent > 0")[0][0]
    assert sum(".receipt-" in one for one in ids) == 1 and sum(".ended@" in one for one in ids) == 2
    assert options(
        next(mail for mail in town.sent + other.sent if ".question@" in mail["Message-ID"]).get_body(("plain",)).get_content()
    )
    town.close()
    other.close()
