"""Selling goods (CF-10)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from domain.games.column_of_fire.data import BUYERS, CAPTAIN_VP, GOODS, PACK, PRICE
from domain.games.column_of_fire.table import Column

Action = list[str | int]


def ship_sales(t: Column, seat: str, country: str) -> list[Action]:
    """CF-10.4: in this country one tile of each kind it buys."""
    return sales(t, seat, ((sale.good, country) for sale in PACK.countries[country].sales))


def good_sales(t: Column, seat: str, good: str) -> list[Action]:
    """CF-10.5: of this good one tile in each country that buys it."""
    return sales(t, seat, ((good, country) for country in BUYERS[good]))


def sales(t: Column, seat: str, pairs: Iterable[tuple[str, str]]) -> list[Action]:
    """Every way to sell: with a house there (CF-10.1), one tile of a kind in a country a turn (CF-10.3)."""
    held, sold = t.zones[f"goods:{seat}"], t.zones["sold"]
    if not held:
        return []
    can = [
        (good, f"{good}@{country}")
        for good, country in pairs
        if good in held and f"{good}@{country}" not in sold and t.house(country, seat)
    ]
    ways: list[Action] = []
    for n in range(1, len(can) + 1):
        for some in combinations(can, n):
            kinds = [good for good, _ in some]
            if all(kinds.count(good) <= held[good] for good in kinds):
                ways.append(["sell", *(sale for _, sale in some)])
    return ways


def sell(t: Column, seat: str, *sold: str) -> None:
    """CF-10.2: the tiles go back to the supply, the VP are scored at once."""
    for sale in sold:
        good, country = sale.split("@")
        t.move(good, f"goods:{seat}", "box", cite="CF-10.2")
        t.move(sale, "box", "sold", cite="CF-10.3")
        t.gain(seat, PRICE[good, country], "CF-10.2")


def captain_sales(t: Column, seat: str) -> list[Action]:
    """CF-10.6: one tile of any kind, with a house in a country that buys it; whether that counts as a sale there is A-12."""
    ways: list[Action] = []
    for good in GOODS:
        if good not in t.zones[f"goods:{seat}"]:
            continue
        buyers = [country for country in BUYERS[good] if t.house(country, seat)]
        if t.options["captain_counts_for_limit"]:
            ways += [["sell_any_for_3", good, country] for country in buyers if f"{good}@{country}" not in t.zones["sold"]]
        elif buyers:
            ways.append(["sell_any_for_3", good])
    return ways


def captain(t: Column, seat: str, good: str, country: str = "") -> None:
    t.move(good, f"goods:{seat}", "box", cite="CF-10.6")
    if country:
        t.move(f"{good}@{country}", "box", "sold", cite="CF-10.3")
    t.gain(seat, CAPTAIN_VP, "CF-10.6")
