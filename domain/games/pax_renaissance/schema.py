"""The table of Pax Renaissance: what lies where, and who may look (B-Z)."""

from __future__ import annotations

from collections.abc import Sequence

from domain.games.pax_renaissance.data import BORDERS, EMPIRES, PACK, SIDES, SLOTS, START, VICTORIES
from domain.kernel import BAG, BANK, OPEN, ROW, Option, Schema, hidden, own

SEATS = ("primus", "secundus", "tertius", "quartus")
COLUMNS = range(START.market_columns)

_HELP = {
    "open_hands": "everybody sees every hand: each purchase was public anyway",
    "refresh_order": "which row is filled first when one deck serves both",
    "agents_after_oneshot": "whether agents must be placed after a one-shot without a battle",
    "region_agents": "whether two agents of a region card may go to different empires",
    "second_agent_same_place": "whether the second agent of a card may repress the first",
    "sell_old_maids": "whether unmarried queens can be sold",
    "commerce_empty_slot": "whether commerce takes florins left on the vacant slot of a fair",
    "vote_side": "whether a vote looks at the side of the tableau or at the region of the empire",
    "corsair_reach": "how far a pirate sails",
    "bishop_on_regime_change": "what becomes of a bishop when its empire changes its regime",
    "patron_end": "whether the game ends when both decks are empty, or when a vacancy cannot be filled",
    "pirate_double_count": "whether a pirate between two theocracies of its religion counts for both",
}
_RULES = {
    "open_hands": "B-Z",
    "refresh_order": "D2.2",
    "agents_after_oneshot": "E2.1",
    "region_agents": "GL-ORT.7",
    "second_agent_same_place": "E2.2-F",
    "sell_old_maids": "E3.5",
    "commerce_empty_slot": "F2",
    "vote_side": "F6.1",
    "corsair_reach": "F7.1",
    "bishop_on_regime_change": "RC.3",
    "patron_end": "L2.2",
    "pirate_double_count": "L3",
}
_YES_NO = (False, True)

OPTIONS = {
    "astrology": Option(False, _YES_NO, "C5.4", "the next card of each deck lies face up"),
    "bankruptcy": Option(False, _YES_NO, "G6", "the convener of a fair earns nothing, and a ruined banker is out"),
    "expert": Option(False, _YES_NO, "N1", "western cards in the eastern deck; a card's location decides its side"),
    "expansion": Option(False, _YES_NO, "M", "sixty more cards: polymaths, apostasy, torches"),
    "extra_cards": Option(False, _YES_NO, "M", "the sixteen cards of the pack that are not among the sixty"),
    **{
        switch["id"]: Option(switch["default"], tuple(switch["values"]), _RULES[switch["id"]], _HELP[switch["id"]])
        for switch in START.switches
    },
}


def cards_of(options: dict[str, object]) -> list[str]:
    """The tableau cards of a game, without the comets (C5.3)."""
    return [
        *PACK.base,
        *(PACK.expansion if options["expansion"] else ()),
        *(PACK.promos if options["extra_cards"] else ()),
    ]


def seats(n: int) -> Sequence[str]:
    return SEATS[:n]


def schema(seats: Sequence[str], options: dict[str, object]) -> Schema:
    """Everything is open but the decks, the unused cards, the column of the fairs and, if the table wants it so, the hands."""
    s = Schema(seats, options)
    s.zone("china", BANK, OPEN)
    for name in ("supply", "stack", "banks", "profits", "camp", "fleet", "discard"):
        s.zone(name, BAG, OPEN)
    for row in SIDES:
        for part in ("upper", "lower"):
            s.zone(f"deck:{row}:{part}", BAG, hidden())
        s.zone(f"next:{row}", BAG, OPEN)
        s.zone(f"unused:{row}", BAG, hidden())
        for column in COLUMNS:
            s.zone(f"market:{row}:{column}", BAG, OPEN if column else hidden())
            s.zone(f"florins:{row}:{column}", BAG, OPEN)
            s.register(f"locked:{row}:{column}", bool, OPEN)
    for seat in seats:
        s.zone(f"bank:{seat}", BAG, OPEN)
        s.zone(f"money:{seat}", BAG, OPEN)
        s.zone(f"hand:{seat}", BAG, OPEN if options["open_hands"] else own(seat))
        s.zone(f"maids:{seat}", BAG, OPEN)
        for side in SIDES:
            s.zone(f"{side}:{seat}", ROW, OPEN)
        s.register(f"out:{seat}", bool, OPEN)
        s.register(f"won:{seat}", bool, OPEN)
    for card in (*EMPIRES, *cards_of(options)):
        s.zone(f"on:{card}", BAG, OPEN)
        s.register(f"used:{card}", bool, OPEN)
    for slot in SLOTS:
        s.zone(f"city:{slot}", BAG, OPEN)
    for border in BORDERS:
        s.zone(f"border:{border}", BAG, OPEN)
    for empire in EMPIRES:
        s.register(f"side:{empire}", str, OPEN)
        s.register(f"map:{empire}", str, OPEN)
    for victory in VICTORIES:
        s.register(f"victory:{victory}", bool, OPEN)
    for name in ("active", "ops", "voyage", "ending"):
        s.register(name, str, OPEN)
    for name in ("turn", "actions", "stop"):
        s.register(name, int, OPEN)
    for deed in ("ops:east", "ops:west", "fair:east", "fair:west", "free_fair"):
        s.register(f"done:{deed}", bool, OPEN)
    return s
