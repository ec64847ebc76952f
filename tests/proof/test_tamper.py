"""S14-S15: whatever is changed, by a stranger or by the server itself, does not hold, and the version is named."""

from __future__ import annotations

import os
import time
from functools import cache
from random import Random

import msgspec
import pytest

from domain import proof
from domain.kernel.event import Drawn, Event, Rolled
from domain.kernel.ops import Move
from domain.log import Log
from domain.proof import Unproven
from service import archive, bundle
from tests.proof.forger import KEY, MAIN, Rows, edited, manifest, rewritten, rows, seen_by, signed_again, whole
from tests.proof.smugglers import TITLE, deal, play

FLIP = os.environ.get("CHANCERY_FLIP", "")  # "0/1" flips every byte; "3/20" is pass 3 of 20, every twentieth byte from the third on


@cache
def game() -> Log:
    log = play(deal(copies=99, rounds=60), 300)
    assert 300 <= log.head < 310
    return log


def library(id: str, rules: str):
    return TITLE


def first_bid(found: Rows, seat: str) -> int:
    """The row of a seat's first sealed bid."""
    return next(n for n, row in enumerate(found) if row["event"].get("ask") == "bid" and row["event"]["seat"] == seat)


def refused(raw: bytes) -> Unproven:
    with pytest.raises(Unproven) as caught:
        bundle.check(raw)
    return caught.value


# -- a stranger changes the file ------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", ["arbiter", "red"])
def test_S15_every_flipped_byte_is_detected_in_under_a_second(viewer):
    """Every byte counts, also those of the zip around the files: a bundle can be written in one way only."""
    raw = bundle.export(game(), viewer, KEY)
    if FLIP:
        part, parts = map(int, FLIP.split("/"))
        places = range(part, len(raw), parts)
    else:
        rng = Random(15)
        directory = len(raw) - 22 - 3 * 46 - sum(map(len, archive.unpack(raw)))
        places = sorted({*range(60), *range(directory - 30, len(raw)), *rng.sample(range(len(raw)), 150)})
    slowest = 0.0
    for place in places:
        mask = 0x20 if place % 2 else 1 << place % 8  # also the case of letters, which many readers do not mind
        flipped = raw[:place] + bytes([raw[place] ^ mask]) + raw[place + 1 :]
        started = time.process_time()
        with pytest.raises(Unproven):
            bundle.check(flipped)
        slowest = max(slowest, time.process_time() - started)
    assert slowest < 1


def test_S15_every_way_to_cut_the_file_short_or_to_add_to_it_is_detected():
    raw = seen_by(game(), "red")
    for changed in (raw[:-1], raw[1:], raw + b"\0", b"\0" + raw, raw + raw, raw[: len(raw) // 2], b"", raw[:-22]):
        refused(changed)


def test_S14_an_edited_event_is_named():
    raw = whole(game())
    place = first_bid(rows(raw), "blue")
    found = refused(edited(raw, lambda found: found[place]["event"].update(answer=5 - found[place]["event"]["answer"])))
    assert (found.where, found.version) == (MAIN, place + 1) and "hash chain" in found.reason


def test_S14_a_dropped_last_event_is_found_by_the_signed_head():
    for viewer in ("arbiter", "red", "spectator"):
        found = refused(edited(bundle.export(game(), viewer, KEY), lambda found: found.pop()))
        assert found.version == game().head - 1 and "signed head" in found.reason


def test_S14_an_event_out_of_the_middle_is_missed():
    found = refused(edited(seen_by(game(), "red"), lambda found: found.pop(99)))
    assert found.version == 100


def test_S14_swapped_bids_of_two_seats_are_found():
    def swap(found: Rows) -> None:
        red, blue = (found[first_bid(found, seat)]["event"] for seat in ("red", "blue"))
        red["answer"], blue["answer"] = blue["answer"] + 1, red["answer"] + 1

    raw = whole(game())
    assert refused(edited(raw, swap)).version == min(first_bid(rows(raw), "red"), first_bid(rows(raw), "blue")) + 1


def test_S14_parts_swapped_between_two_seats_bundles_are_found():
    red, blue = rows(seen_by(game(), "red")), rows(seen_by(game(), "blue"))
    place = first_bid(red, "blue")
    assert blue[place]["mine"]["answer"] in range(6) and red[place].get("mine") is None

    def swap(found: Rows) -> None:
        found[place].update(mine=blue[place]["mine"], salt=blue[place]["salt"])

    assert refused(edited(seen_by(game(), "red"), swap)).version == place + 1
    assert (
        refused(edited(seen_by(game(), "red"), lambda found: found[place].update(others=blue[place]["others"]))).version
        == place + 1
    )


def test_S14_a_bundle_is_signed_by_the_key_it_names():
    raw = whole(game())
    files = archive.unpack(raw)
    files[bundle.MANIFEST] = files[bundle.MANIFEST].replace(proof.public_key(KEY).encode(), b"00" * 32)
    assert "signature" in refused(archive.pack(files)).reason


# -- the server changes the past and signs again ----------------------------------------------------------


def test_S14_a_hidden_card_replaced_after_the_fact_is_found():
    log = game()
    raw = whole(log)
    version = next(item.version for item in log.raw() if any(type(op) is Move and op.dst == "hold:red" for op in item.ops))

    def replace(found: Rows) -> None:
        op = next(op for op in found[version - 1]["event"]["ops"] if op[3] == "hold:red")
        op[1] = "relics98" if op[1] != "relics98" else "relics97"

    changed = edited(raw, replace)
    assert refused(changed).version == version
    assert refused(signed_again(changed)).version == version


def test_S14_a_hidden_card_replaced_in_its_owners_own_bundle_is_found():
    """The seat that holds the card has the salt of its part: it sees that this is not the part that was committed to."""
    log = game()
    version = next(item.version for item in log.raw() if any(type(op) is Move and op.dst == "hold:red" for op in item.ops))

    def replace(found: Rows) -> None:
        op = next(op for op in found[version - 1]["mine"]["ops"] if op[3] == "hold:red")
        op[1] = "relics98" if op[1] != "relics98" else "relics97"

    changed = edited(seen_by(log, "red"), replace)
    assert refused(changed).version == version
    assert refused(signed_again(changed)).version == version


def test_S14_a_past_made_anew_contradicts_the_bundle_a_seat_already_has():
    log = game()
    theirs = bundle.check(seen_by(log, "red"))

    def corrected(item: Event) -> Event:
        return msgspec.structs.replace(item, cause="corrected") if item.version == 50 else item

    newer = bundle.check(whole(rewritten(log, corrected)))
    with pytest.raises(Unproven, match="another event stood here before") as caught:
        bundle.agree(newer, theirs)
    assert caught.value.version == 50
    bundle.agree(bundle.check(whole(log)), theirs)


def test_S14_a_log_cut_short_and_signed_again_contradicts_the_bundle_a_seat_already_has():
    log = game()
    shorter = bundle.check(whole(rewritten(log, lambda item: item, log.head - 1)))
    with pytest.raises(Unproven, match="missing") as caught:
        bundle.agree(shorter, bundle.check(seen_by(log, "green")))
    assert caught.value.version == log.head


def test_S16_a_server_that_rolls_again_is_caught_by_the_seed():
    log = game()
    version = next(item.version for item in log.raw() if any(type(outcome) is Rolled for outcome in item.chance))

    def rolled_again(item: Event) -> Event:
        if item.version != version:
            return item
        first = next(outcome for outcome in item.chance if type(outcome) is Rolled)
        better = [face % 6 + 1 for face in first.values]
        return msgspec.structs.replace(item, chance=[msgspec.structs.replace(first, values=better), *item.chance[1:]])

    with pytest.raises(Unproven, match="the committed seed gives") as caught:
        whole(rewritten(log, rolled_again))
    assert caught.value.version == version


def test_S16_another_card_drawn_is_caught_by_the_seed_and_the_rules():
    log = play(deal(rounds=10))
    version = next(item.version for item in log.raw() if any(type(outcome) is Drawn for outcome in item.chance))

    def drawn_again(item: Event) -> Event:
        if item.version != version:
            return item
        drawn = item.chance[0]
        other = "clerk-bribed" if drawn.item != "clerk-bribed" else "captain-stern"
        ops = [msgspec.structs.replace(op, item=other) if type(op) is Move and op.item == drawn.item else op for op in item.ops]
        return msgspec.structs.replace(item, chance=[msgspec.structs.replace(drawn, item=other)], ops=ops, digest=b"")

    again = rewritten(log, drawn_again)
    table = again.whole_table(version)
    again = rewritten(
        again, lambda item: msgspec.structs.replace(item, digest=table.digest()) if item.version == version else item, upto=version
    )
    checked = bundle.check(whole(again))
    assert checked.draws.left == 1
    assert "the committed seed gives" in str(bundle.rerun(checked, library)[0].finding)


def test_S16_another_seed_is_not_the_one_committed_to():
    raw = signed_again(whole(game()), lambda found: found.update(seed="00" * 32))
    assert "not the one that was committed to" in refused(raw).reason


def test_S14_who_sees_what_cannot_be_changed_afterwards():
    def open_holds(found: dict) -> None:
        found["layout"]["sights"]["hold:red"]["others"] = 3

    assert "who may see what" in refused(signed_again(whole(game()), open_holds)).reason


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda found: found["header"].update(rules="9"), "did not begin"),
        (lambda found: found["header"]["seats"].reverse(), "layout|who may see"),
        (lambda found: found.update(viewer="blue"), "a whole bundle has the seed"),
        (lambda found: found["lines"][0].update(id="other"), "does not fit where"),
        (lambda found: found["lines"][0].update(luck="parent"), "does not fit where"),
        (lambda found: found["lines"][0].update(version=299), "after the signed head"),
        (lambda found: found["lines"][0].update(link="00" * 32), "not the signed head"),
        (lambda found: found["lines"].append(dict(found["lines"][0], id="b", parent="b", at=3)), "does not hold the files"),
        (lambda found: found.update(version=2), "cannot be read"),
        (lambda found: found.update(extra=1), "cannot be read"),
        (lambda found: found.update(match="a\x1b[2J"), "cannot be read"),
        (lambda found: found["header"].update(seats=[f"seat{n}" for n in range(1000)]), "seats"),
    ],
)
def test_S14_a_manifest_that_lies_is_refused_even_if_it_is_signed(change, reason):
    with pytest.raises(Unproven, match=reason):
        bundle.check(signed_again(whole(game()), change))


def test_S14_a_seats_bundle_signed_again_still_breaks_at_the_chain():
    raw = seen_by(game(), "red")
    place = first_bid(rows(raw), "red")
    changed = signed_again(edited(raw, lambda found: found[place]["mine"].update(answer=9)))
    assert manifest(changed)["key"] == proof.public_key(KEY)
    assert refused(changed).version == place + 1
