"""Setting the game up (C)."""

from __future__ import annotations

from domain.games.pax_renaissance.data import BANKS, CARDS, EMPIRES, MAPS, PACK, SIDES, START, TOKENS, VICTORIES
from domain.games.pax_renaissance.market import fill, foretell
from domain.games.pax_renaissance.schema import cards_of
from domain.games.pax_renaissance.table import PaxTable
from domain.kernel import Draw, Roll, Rules


def setup(t: PaxTable) -> Rules:
    """C1-C7: the map, the banks, the decks, the market; back comes the start player."""
    lay_map(t)
    yield from deal_banks(t)
    yield from build_decks(t)
    for row in ("east", "west"):  # C6.1
        if t.options["astrology"]:
            yield from foretell(t, row)
        yield from fill(t, row)
    for empire in EMPIRES:
        t.move(empire, "box", "stack", cite="C6.2")
    for victory in VICTORIES:
        t.set(f"victory:{victory}", False, cite="C6.3")
    return (yield from pick_start_player(t))


def lay_map(t: PaxTable) -> None:
    for empire, card in MAPS.items():
        t.set(f"map:{empire}", card.start_side, cite="C1.1")
    for emporium, colour in START.busted.items():
        t.move(f"busted.{colour}", "box", f"city:{emporium}", cite="C1.2")
    for token, n in TOKENS.items():
        if not token.startswith("pawn"):
            t.move(token, "box", "supply", n, cite="B1")
    for start in START.start_tokens:
        t.move(start.token, "supply", f"city:{start.place}", cite="C4.1")


def deal_banks(t: PaxTable) -> Rules:
    """C2, C3: a random player card, ten cubes, one of them on the starting border."""
    for bank in BANKS:
        t.move(bank, "box", "banks")
    for seat in t.seats:
        bank = yield Draw("banks", "deal_banks", "C2.1")
        t.move(bank, "banks", f"bank:{seat}")
        t.move(f"pawn.{bank}", "box", "supply", TOKENS[f"pawn.{bank}"], cite="C3.1")
        t.move(f"pawn.{bank}", "supply", f"border:{BANKS[bank].border}", cite="C3.1")


def build_decks(t: PaxTable) -> Rules:
    """C5: twelve cards with two comets beneath four more a player; the rest leaves the game unseen."""
    for card in cards_of(t.options):
        t.move(card, "box", f"unused:{CARDS[card].deck}", cite="C5.1")
    if t.options["expert"]:  # N1
        for _ in range(START.transferred):
            card = yield Draw("unused:west", "expert_transfer", "N1")
            t.move(card, "unused:west", "unused:east")
    for deck in SIDES[::-1]:
        sizes = {"lower": START.deck.bottom_cards, "upper": START.deck.top_cards_per_player * len(t.seats)}
        for part, n in sizes.items():
            for _ in range(n):
                card = yield Draw(f"unused:{deck}", f"build_{deck}_deck", "C5.1" if deck == "east" else "C5.2")
                t.move(card, f"unused:{deck}", f"deck:{deck}:{part}")
        for comet in PACK.comets.values():
            if comet.deck == deck:
                t.move(comet.id, "box", f"deck:{deck}:lower", cite="C5.1")


def pick_start_player(t: PaxTable) -> Rules:
    """C7.1: Fugger begins if in play; 3, 4, 5, 6 florins clockwise."""
    seats = list(t.seats)
    starter = next((seat for seat in seats if BANKS[t.bank(seat)].always_starts), "")
    if not starter:
        (rolled,) = yield Roll(1, "pick_start_player", "C7.1", faces=range(len(seats)))
        starter = seats[rolled]
    at = seats.index(starter)
    for seat, florins in zip((*seats[at:], *seats[:at]), START.start_florins, strict=False):
        t.earn(seat, florins, "C7.1")
    t.say("C7.1", what="start", seat=starter)
    return starter
