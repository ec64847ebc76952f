"""The words of Pax Renaissance over the table: units, locations, silence, abilities, cities, borders, prestige."""

from __future__ import annotations

from typing import Any, NamedTuple

from domain.games.pax_renaissance.data import (
    BORDERS,
    BORDERS_OF,
    CARDS,
    EAST,
    EMPIRES,
    EMPORIA,
    FAITH,
    KIND,
    KING,
    MAPS,
    MEDIEVAL,
    PRESTIGE,
    REPUBLIC,
    SIDES,
    SLOTS,
    SLOTS_OF,
    START,
    WEST,
    shares,
)
from domain.games.pax_renaissance.pack import Face, Op, Slot
from domain.kernel import Table

OTHER_ROW = {EAST: WEST, WEST: EAST}


class Spot(NamedTuple):
    """Where a tableau card is: whose, on which side, at which place from the player card, and the main card of its unit."""

    seat: str
    side: str
    place: int
    main: str


class PaxTable(Table):
    """A table of Pax Renaissance. Derived facts are kept in `cache`, which every op clears."""

    __slots__ = ()

    def kept(self, key: Any, make: Any) -> Any:
        """A derived fact, made once until the table changes."""
        found = self.cache.get(key)
        if found is None:
            found = self.cache[key] = make()
        return found

    # -- bankers ---------------------------------------------------------------------------------

    def bankers(self) -> list[str]:
        """The seats still in the game (G6)."""
        return self.kept("bankers", lambda: [seat for seat in self.seats if not self.registers.get(f"out:{seat}")])

    def opponents(self, seat: str) -> list[str]:
        return self.kept(("opponents", seat), lambda: [other for other in self.bankers() if other != seat])

    def bank(self, seat: str) -> str:
        return next(iter(self.zones[f"bank:{seat}"]), "")

    def pawn(self, seat: str) -> str:
        return f"pawn.{self.bank(seat)}"

    def owner(self, pawn: str) -> str:
        """Whose cube it is."""
        bank = pawn.partition(".")[2]
        return next(seat for seat in self.seats if bank in self.zones[f"bank:{seat}"])

    def florins(self, seat: str) -> int:
        held: int = self.zones[f"money:{seat}"].get("florin", 0)
        return held

    def pay(self, seat: str, n: int, cite: str) -> None:
        """Florins to China (GL-CHINA.1)."""
        self.move("florin", f"money:{seat}", "china", n, cite=cite)

    def earn(self, seat: str, n: int, cite: str) -> None:
        """Florins from China."""
        self.move("florin", "china", f"money:{seat}", n, cite=cite)

    # -- the market ------------------------------------------------------------------------------

    def card_at(self, row: str, column: int) -> str:
        """The card in a column of the market, or nothing."""
        return next(iter(self.zones[f"market:{row}:{column}"]), "")

    def florins_at(self, row: str, column: int) -> int:
        lying: int = self.zones[f"florins:{row}:{column}"].get("florin", 0)
        return lying

    def deck_size(self, row: str) -> int:
        return self.total(f"deck:{row}:upper") + self.total(f"deck:{row}:lower") + self.total(f"next:{row}")

    # -- tableaus --------------------------------------------------------------------------------

    def spots(self) -> dict[str, Spot]:
        """Every card of every tableau and where it is: queens and vassals are where their unit is (F1.2)."""
        return self.kept("spots", self._spots)

    def _spots(self) -> dict[str, Spot]:
        found: dict[str, Spot] = {}
        for seat in self.seats:
            for side in SIDES:
                for index, main in enumerate(self.zones[f"{side}:{seat}"]):
                    spot = found[main] = Spot(seat, side, index, main)
                    if main in EMPIRES:
                        found.update((card, spot) for card in self.family(main)[1:])
        return found

    def spot(self, card: str) -> Spot | None:
        return self.spots().get(card)

    def family(self, main: str) -> list[str]:
        """The cards of a unit: the main card, its queen, its vassals."""
        below = self.zones[f"on:{main}"]
        return [main, *sorted(item for item in below if item not in KIND)] if below else [main]

    def cards(self, seat: str, side: str) -> list[str]:
        """The cards of one side of a tableau, from the player card outwards."""
        return [card for main in self.zones[f"{side}:{seat}"] for card in self.family(main)]

    def tableau(self, seat: str) -> list[str]:
        return self.kept(("tableau", seat), lambda: [card for side in SIDES for card in self.cards(seat, side)])

    def queen(self, main: str) -> str:
        return next((card for card in self.family(main)[1:] if card in CARDS), "")

    def vassals(self, main: str) -> list[str]:
        return [card for card in self.family(main)[1:] if card in EMPIRES]

    def bishop(self, main: str) -> str:
        """The bishop that stands on a unit; he stands on its main card (F1.10)."""
        return next((item for item in self.zones[f"on:{main}"] if KIND.get(item) == "bishop"), "")

    def bishops(self) -> list[tuple[str, str]]:
        """Every bishop in play and the unit it stands on."""
        spots = self.spots()
        return self.kept(
            "bishops",
            lambda: [(bishop, card) for card, spot in spots.items() if card == spot.main and (bishop := self.bishop(card))],
        )

    def repressed(self, empire: str) -> list[str]:
        """The repressed tokens on an empire card, one entry a piece."""
        return [item for item in self.items(f"on:{empire}") if KIND.get(item, "bishop") != "bishop"]

    def in_play(self, empire: str) -> bool:
        return empire in self.spots()

    def face(self, empire: str) -> Face:
        """The side of an empire card that is up."""
        card = EMPIRES[empire]
        return card.republic if self.registers.get(f"side:{empire}") == REPUBLIC else card.king

    def is_king(self, card: str) -> bool:
        return card in EMPIRES and self.registers.get(f"side:{card}") == KING

    def ops_of(self, card: str) -> tuple[Op, ...]:
        return self.face(card).ops if card in EMPIRES else CARDS[card].ops

    def prestige_of(self, card: str) -> tuple[str, ...]:
        return self.face(card).prestige if card in EMPIRES else CARDS[card].prestige

    def location(self, card: str) -> str:
        """Where a tableau card is on the map: a crowned queen is where her king is (I1.2)."""
        if card in EMPIRES:
            return card
        return CARDS[card].location or self.spots()[card].main

    def locations(self, main: str) -> list[str]:
        """The locations of a unit: those of its empire cards (F1.2)."""
        return [card for card in self.family(main) if card in EMPIRES] if main in EMPIRES else [self.location(main)]

    def units_at(self, location: str) -> list[str]:
        """The main cards of every unit, of any player, that shares a location (GL-ORT.3)."""
        return [
            card
            for card, spot in self.spots().items()
            if card == spot.main and any(shares(location, other) for other in self.locations(card))
        ]

    # -- silence and abilities -------------------------------------------------------------------

    def silenced(self, card: str) -> bool:
        """F1.7: a bishop silences the whole unit he stands on, unless its owner is immune (M4)."""
        spot = self.spots()[card]
        return bool(self.bishop(spot.main)) and spot.seat not in self._immune()

    def _immune(self) -> list[str]:
        spots = self.spots()
        return self.kept(
            "immune", lambda: [spots[card].seat for card in spots if card in CARDS and "immune_to_silencing" in CARDS[card].effects]
        )

    def abilities(self, effect: str, seat: str = "") -> list[tuple[str, dict[str, Any]]]:
        """The unsilenced cards with an ability, of one seat or of all, and the ability."""
        known = self.kept("abilities", self._abilities)
        return [(card, one) for owner, card, one in known.get(effect, ()) if not seat or owner == seat]

    def _abilities(self) -> dict[str, list[tuple[str, str, dict[str, Any]]]]:
        found: dict[str, list[tuple[str, str, dict[str, Any]]]] = {}
        for card, spot in self.spots().items():
            if card in CARDS and CARDS[card].abilities and not self.silenced(card):
                for name, effect in CARDS[card].effects.items():
                    found.setdefault(name, []).append((spot.seat, card, effect))
        return found

    def hand_limit(self, seat: str) -> int | None:
        """E1.7: two cards, or none with the ability."""
        return None if self.abilities("no_hand_limit", seat) else START.hand_limit

    def disreputed(self, victory: str) -> bool:
        """M3.2: an unsilenced torch in any tableau."""
        for card in self.spots():
            if card in CARDS and (torch := CARDS[card].torch) and torch.victory == victory and not self.silenced(card):
                return True
        return False

    # -- the map ---------------------------------------------------------------------------------

    def map_side(self, empire: str) -> str:
        return self.registers.get(f"map:{empire}", MEDIEVAL)

    def theocracy(self, empire: str) -> bool:
        return self.map_side(empire) != MEDIEVAL

    def occupant(self, slot: str) -> str:
        """The token (or busted marker) in a place of a city, or nothing."""
        return next(iter(self.zones[f"city:{slot}"]), "")

    def slots(self, empire: str) -> list[Slot]:
        """The places of a map card that are in play: no busted emporium (B5.2), a spare one only by its ability (M4)."""
        return [slot for slot in SLOTS_OF[empire] if self.in_use(slot)]

    def in_use(self, slot: Slot) -> bool:
        if slot.spare:
            return self._spare_in_use(slot)
        return slot.city not in EMPORIA or self.occupant(slot.id) in KIND or not self.zones[f"city:{slot.id}"]

    def _spare_in_use(self, slot: Slot) -> bool:
        for _, effect in self.abilities("city_capacity"):
            if effect["city"] == slot.city:
                symbol = FAITH[SLOTS[slot.city].levies[self.map_side(slot.empire)]]
                return symbol == effect["religion"] == FAITH.get(self.occupant(slot.city))
        return False

    def fits(self, token: str, slot: Slot) -> bool:
        """Whether a token may stand in a place: the spare one takes only its ability's religion."""
        return not slot.spare or FAITH[token] == FAITH.get(self.occupant(slot.city))

    def free_slots(self, empire: str) -> list[Slot]:
        """The unoccupied places of a map card (BAT.9)."""
        return [slot for slot in self.slots(empire) if not self.zones[f"city:{slot.id}"]]

    def saturated(self, empire: str) -> bool:
        """GL-SAETTIGUNG.1"""
        return not self.free_slots(empire)

    def rulers(self, empire: str) -> list[tuple[str, str]]:
        """The ruling class of a map card: (zone, token)."""
        return [(f"city:{slot.id}", token) for slot in SLOTS_OF[empire] for token in self.zones[f"city:{slot.id}"] if token in KIND]

    def pirate(self, border: str) -> str:
        return next((token for token in self.zones[f"border:{border}"] if KIND[token] == "rook"), "")

    def concession(self, border: str) -> str:
        return next((token for token in self.zones[f"border:{border}"] if KIND[token] == "pawn"), "")

    def pirates(self, empire: str) -> list[tuple[str, str]]:
        """The pirates on the borders of a map card: (zone, token)."""
        return [(f"border:{border.id}", token) for border in BORDERS_OF[empire] if (token := self.pirate(border.id))]

    def empty_borders(self, empire: str) -> list[str]:
        return [border.id for border in BORDERS_OF[empire] if not self.zones[f"border:{border.id}"]]

    def adjacent(self, empire: str) -> list[str]:
        """GL-BENACHBART.1: sharing a border or touching diagonally, but for a buffer state (M4)."""
        apart = [effect["pair"] for _, effect in self.abilities("not_adjacent")]
        return [other for other in MAPS[empire].adjacent if not any(empire in pair and other in pair for pair in apart)]

    def emporium(self, colour: str) -> str:
        """The uncovered emporium of a colour (B5.2)."""
        return next(city for city, of in EMPORIA.items() if of == colour and not self.busted(city))

    def busted(self, emporium: str) -> bool:
        return f"busted.{EMPORIA[emporium]}" in self.zones[f"city:{emporium}"]

    # -- what counts -----------------------------------------------------------------------------

    def prestige(self, seat: str) -> dict[str, int]:
        """L2.3: of the tableau and of the old maids."""
        return self.kept(("prestige", seat), lambda: self._prestige([*self.tableau(seat), *self.zones[f"maids:{seat}"]]))

    def tableau_prestige(self, seat: str, without: str = "") -> dict[str, int]:
        """Of the tableau alone (H1.2, M2.1)."""
        return self._prestige([card for card in self.tableau(seat) if card != without])

    def _prestige(self, cards: list[str]) -> dict[str, int]:
        found = dict.fromkeys(PRESTIGE, 0)
        for card in cards:
            for one in self.prestige_of(card):
                found[one] += 1
        return found

    def kings(self, seat: str) -> list[str]:
        """Suzerains and vassals (GL-VASALL.1)."""
        return self.kept(("kings", seat), lambda: [card for card in self.tableau(seat) if self.is_king(card)])

    def republics(self, seat: str) -> list[str]:
        return [card for card in self.tableau(seat) if card in EMPIRES and not self.is_king(card)]

    def concessions(self, seat: str, empire: str = "") -> list[str]:
        """The borders with a cube of this banker, of one map card or of all."""
        return self.kept(("concessions", seat, empire), lambda: self._concessions(seat, empire))

    def _concessions(self, seat: str, empire: str) -> list[str]:
        pawn = self.pawn(seat)
        borders = BORDERS_OF[empire] if empire else BORDERS.values()
        return [border.id for border in borders if pawn in self.zones[f"border:{border.id}"]]
