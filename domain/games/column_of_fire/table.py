"""The game's own words over the table."""

from __future__ import annotations

from domain.games.column_of_fire.data import BLACK, COUNTRIES, DICE, PACK, RELIGIONS, SPACE, TRACK
from domain.games.column_of_fire.schema import PILES, SPACES
from domain.kernel import Table

FIFTY_POINTS, DECK_USED_UP = "fifty_points", "deck_used_up"


class Column(Table):
    """The table of A Column of Fire."""

    __slots__ = ()

    # -- players ---------------------------------------------------------------------------------

    @property
    def active(self) -> str:
        return str(self.registers["active"])

    def clockwise(self, first: str) -> list[str]:
        """All seats from this one on."""
        at = self.seats.index(first)
        return [*self.seats[at:], *self.seats[:at]]

    def vp(self, seat: str) -> int:
        return int(self.registers.get(f"vp:{seat}", 0))

    def gain(self, seat: str, vp: int, cite: str) -> None:
        """VP are scored at once; 50 on the track set the end flag, which stays (CF-9.1, CF-9.2)."""
        self.add(f"vp:{seat}", vp, cite=cite)
        if self.vp(seat) >= PACK.end_trigger and "end" not in self.registers:
            self.set("end", FIFTY_POINTS, cite="CF-9.1")

    def pay(self, seat: str, vp: int, cite: str) -> None:
        """A voluntary payment: only asked for where the score allows it (CF-12.6)."""
        if vp:
            self.add(f"vp:{seat}", -vp, cite=cite)

    def lose(self, seat: str, vp: int, cite: str) -> None:
        """An involuntary loss never goes below 0 (A-16)."""
        self.pay(seat, self.loss(seat, vp), cite)

    def loss(self, seat: str, vp: int) -> int:
        """How much of an involuntary loss really hits (A-16)."""
        return vp if self.options["allow_negative_vp"] else min(vp, max(self.vp(seat), 0))

    def religion(self, seat: str) -> str:
        return str(self.registers.get(f"religion:{seat}", ""))

    def minority(self, seat: str) -> bool:
        """Whether nobody shares this player's religion (CF-13.1)."""
        mine = self.registers.get(f"religion:{seat}")
        return all(self.registers.get(f"religion:{other}") != mine for other in self.seats if other != seat)

    def goods(self, seat: str) -> dict[str, int]:
        return dict(self.zones[f"goods:{seat}"])

    def protection(self, seat: str) -> int:
        return int(self.zones[f"protection:{seat}"].get("protection", 0))

    # -- dice ------------------------------------------------------------------------------------

    def shows(self, seat: str, die: str) -> int | None:
        """The number of a die; None for a free die that has none this turn."""
        return self.registers.get(f"die:{seat}:{die}")

    def free(self, seat: str) -> list[str]:
        held = self.zones[f"free:{seat}"]
        return [die for die in DICE if die in held]

    def on_cards(self, seat: str) -> list[str]:
        """The dice on a player's cards from left to right (CF-2.5)."""
        return [*self.zones[f"prison:{seat}"], BLACK, *self.zones[f"dice:{seat}"]]

    def card_of(self, seat: str, die: str) -> str:
        """The character a die lies on."""
        return str(self.zones[f"display:{seat}"][self.zones[f"dice:{seat}"].index(die)])

    def die_of(self, seat: str, card: str) -> str:
        """The die on a character."""
        return str(self.zones[f"dice:{seat}"][self.zones[f"display:{seat}"].index(card)])

    # -- countries -------------------------------------------------------------------------------

    def house(self, country: str, seat: str) -> int:
        """The placement space a player's house stands on; 0 for none."""
        zones = self.zones
        for number, space in SPACES[country]:
            if seat in zones[space]:
                return number
        return 0

    def houses(self, seat: str) -> dict[str, int]:
        """A player's houses on the board: country and number."""
        return {country: number for country in COUNTRIES if (number := self.house(country, seat))}

    def stones(self, country: str) -> dict[str, int]:
        held = self.zones[f"stones:{country}"]
        return {kind: held.get(kind, 0) for kind in PACK.stones}

    def free_spaces(self, country: str) -> int:
        """Religion spaces without a stone; two players have one space less (CF-16.2)."""
        return PACK.players[len(self.seats)].religion_spaces - int(sum(self.zones[f"stones:{country}"].values()))

    def full(self, country: str) -> bool:
        """All religion spaces are filled: a torch stands there and a conflict is pending (CF-11.1)."""
        return self.free_spaces(country) <= 0

    def winning(self, country: str) -> str:
        """The religion with more stones; empty if neither has (CF-11.6, CF-11.10)."""
        held = self.zones[f"stones:{country}"]
        first, second = RELIGIONS
        lead = held.get(first, 0) - held.get(second, 0)
        return first if lead > 0 else second if lead < 0 else ""

    def face_up(self, country: str) -> str:
        """The character on a deck; empty if there is none."""
        return next(iter(self.zones[f"top:{country}"]), "")

    def used_up(self, country: str) -> bool:
        return not self.zones[f"top:{country}"] and not self.zones[f"deck:{country}"] and self.get("country") != country

    # -- track and tiles -------------------------------------------------------------------------

    def disc(self, seat: str) -> str:
        return str(self.registers.get(f"disc:{seat}", ""))

    def ahead(self, seat: str) -> list[str]:
        """The unoccupied spaces clockwise from a player's disc, less than one lap (CF-8.2, CF-8.4)."""
        at = SPACE[self.disc(seat)].index
        taken = {self.registers[f"disc:{other}"] for other in self.seats}
        return [space.id for space in (*TRACK[at + 1 :], *TRACK[:at]) if space.id not in taken]

    def piles(self) -> list[int]:
        """The piles of advantage tiles that can be drawn from."""
        return [number for number, pile in enumerate(PILES, 1) if self.zones[pile]]
