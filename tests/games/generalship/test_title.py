"""What the title says about itself, whole games, and the data pack."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain import fuzz, orders
from domain.bots import choose, greedy, guess, random_legal
from domain.games.generalship import TITLE, data
from domain.games.generalship.tell import SENTENCES
from domain.kernel import Ask, Event, Run
from domain.kernel.chance import Fair
from domain.kernel.event import DECIDED
from domain.log import events_of
from tests.games.generalship.campaign import Campaign, allied, commander, stack

GOLDEN = Path(__file__).parents[2] / "golden"
RULES = Path(data.FOLDER).parent


# -- whole games -------------------------------------------------------------------------------------


class Golden:
    """A game as readable text: every order, then what it led to; at the end the score. It replays from its own orders."""

    def __init__(self, players: int) -> None:
        self.file = GOLDEN / f"generalship-{players}p.txt"
        self.run = Run(TITLE, TITLE.lay(TITLE.seats(players)), Fair(b"golden", [], self.file.stem))
        self.lines = self.told(events_of(self.run.first, Event(0, DECIDED), 0))

    def told(self, events: list[Event]) -> list[str]:
        return [line for event in events for line in TITLE.tell(event, str)]

    def decide(self, ask: Ask, answer: Any) -> None:
        self.lines.append(f"> {ask.seat}: {orders.say(TITLE, ask, answer)}")
        self.lines += self.told(events_of(self.run.answer(ask.seat, ask.key, answer), Event(0, DECIDED), 0))

    def text(self) -> str:
        lines = [*self.lines, "", f"Winner: {', '.join(TITLE.winners(self.run.table))}"]
        for line in TITLE.score(self.run.table):
            lines += [f"{line.seat}: {line.points} VP", *(f"  {name}: {fact}" for name, fact in line.facts.items())]
        return "\n".join(lines) + "\n"

    def record(self) -> str:
        rng = Random(self.file.stem)
        while not self.run.over:
            ask = choose(self.run, rng)
            self.decide(ask, greedy(self.run, ask, rng))
        return self.text()

    def replay(self, text: str) -> str:
        for line in text.splitlines():
            if line.startswith("> "):
                seat, _, order = line.removeprefix("> ").partition(": ")
                asks = [ask for ask in self.run.asks if ask.seat == seat]
                key, answer = orders.read(TITLE, asks, order)
                self.decide(self.run.question(seat, key), answer)
        assert self.run.over
        return self.text()


@pytest.mark.parametrize("players", TITLE.players)
def test_golden_game(players):
    """To accept a change of the rules, delete the file and run the test: it plays and writes a new game."""
    golden = Golden(players)
    if not golden.file.exists():
        golden.file.write_text(golden.record(), encoding="utf-8")
        pytest.fail(f"{golden.file.name} was written anew: read it, then run again")
    text = golden.file.read_text(encoding="utf-8")
    assert golden.replay(text) == text


@pytest.mark.parametrize("number", range(21))
def test_random_games_keep_the_invariants(number):
    played = fuzz.play(TITLE, "suite", number, random_legal)
    assert played.dump is None, played.dump and played.dump.detail
    assert played.winners


def test_greedy_beats_random():
    wins = 0
    for game in range(12):
        rng = Random(f"beats {game}")
        seats = TITLE.seats(2 + game % 3)
        mine = seats[game % len(seats)]
        run = Run(TITLE, TITLE.lay(seats), guess(rng))
        while not run.over:
            ask = choose(run, rng)
            run.answer(ask.seat, ask.key, (greedy if ask.seat == mine else random_legal)(run, ask, rng))
        wins += mine in TITLE.winners(run.table)
    assert wins >= 9


# -- words -------------------------------------------------------------------------------------------


def test_every_question_has_its_words():
    decisions = json.loads((data.FOLDER / "decisions.json").read_text())["decision_types"]
    assert TITLE.catalogue["decisions"] == decisions
    assert set(TITLE.prompts) == set(decisions) <= set(TITLE.vocabulary)


def test_every_answer_can_be_written_as_an_order():
    rng = Random("orders")
    run = Run(TITLE, TITLE.lay(TITLE.seats(3)), guess(rng))
    while not run.over:
        ask = choose(run, rng)
        answer = ask.sample(rng)
        assert orders.read(TITLE, [ask], orders.say(TITLE, ask, answer)) == (ask.key, answer)
        run.answer(ask.seat, ask.key, answer)


def test_every_sentence_the_rules_state_is_known():
    stated = set()
    for file in RULES.glob("*.py"):
        stated |= set(re.findall(r'\.tell\(\s*"(\w+)"', file.read_text()))
    stated |= {"give_food", "give_metal", "put", "take", "ambush_succeeds", "ambush_fails"}
    assert stated == set(SENTENCES)


def test_every_rule_the_code_cites_exists():
    numbered = json.loads((RULES / "rules.json").read_text())["rules"]
    cited = set()
    for file in RULES.glob("*.py"):
        cited |= set(re.findall(r'"(G\d\d\.\d+)"', file.read_text()))
    assert cited and cited <= set(numbered)


def test_the_board_shows_every_part_of_the_table():
    war = Campaign().given(stack("austria", "AU-cap", "2 archers"), commander("austria", "G01")).starts("turn")
    names = [section.name for section in TITLE.board(war.view("france"))]
    assert names == ["Map", "Nations", "Population", "Generals and cards", "Action tiles", "Status", "Technologies"]
    scores = {line.seat: line for line in TITLE.score(war.view("france"))}
    assert scores[war.seats["austria"]].facts["commander"] == "Alexandros III"
    assert scores[war.seats["austria"]].facts["infantry"] == 2


def test_the_diplomacy_table_names_guests_and_rivals():
    war = Campaign().given(
        allied("austria", "france"), stack("austria", "FR-left", "1 archers"), stack("england", "BY-left", "1 archers")
    )
    war.given(commander("england", "G48"), commander("byzantium", "G49")).starts("turn")
    found = {(war.nations[r.seat], war.nations[r.other], r.status) for r in TITLE.diplomacy(war.now)}
    assert ("austria", "france", "guest of FR-left") in found
    assert ("england", "byzantium", "occupies BY-left") in found
    assert ("byzantium", "england", "rival commanders") in found


def test_the_options_are_those_of_the_rulings():
    assert {name: option.choices for name, option in TITLE.options.items()} == {
        "draft": ("lobby", "random"),
        "follow_order": ("track", "rotate"),
        "tie_break": ("order", "shared"),
        "neutral_layout": ("free_corners", "sea_by_sea"),
    }


# -- the data pack -----------------------------------------------------------------------------------


def changed(folder: Path, name: str, change) -> list[str]:
    """What the check says of a pack with one change."""
    shutil.copytree(data.FOLDER, folder, dirs_exist_ok=True)
    file = folder / f"{name}.json"
    raw = json.loads(file.read_text(encoding="utf-8"))
    change(raw)
    file.write_text(json.dumps(raw), encoding="utf-8")
    return data.check(folder)


def test_the_pack_is_sound():
    assert data.check(data.FOLDER) == []
    assert TITLE.data == data.DIGEST == data.load(data.FOLDER).digest


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("general_cards", lambda raw: raw["cards"].pop(), "general cards: 48 instead of 49"),
        ("general_cards", lambda raw: raw["cards"][5].update(rival="G08"), "G06: G08 is not a rival in return"),
        ("general_cards", lambda raw: raw["cards"][3].pop("provenance"), "general_cards.json: G04 has no provenance"),
        ("general_cards", lambda raw: raw["cards"][3]["abilities"][0].update(kind="charm"), "G04: unknown ability 'charm'"),
        ("map_tiles", lambda raw: raw["tiles"][0].update(terrain="swamp"), "AU-cap: unknown terrain 'swamp'"),
        ("technologies", lambda raw: raw["technologies"][1].update(requires_any=["fire"]), "stirrup: needs the unknown 'fire'"),
        ("units", lambda raw: raw["units"][1].update(technology="magic"), "heavy_infantry: needs the unknown 'magic'"),
        ("action_tiles", lambda raw: raw["tiles"][0].update(circles=3), "circles with 2 players: 7 instead of 6"),
        (
            "layouts",
            lambda raw: raw["layouts"][0]["adjacency"]["S1"].remove("S2"),
            "layout 2: S2 is next to S1, but not the other way round",
        ),
        ("tactic_cards", lambda raw: raw["cards"].pop(), "NA8: copies: 2 instead of 3"),
        ("events", lambda raw: raw.pop("provenance"), "events.json: no provenance"),
    ],
)
def test_a_broken_pack_is_named(tmp_path, name, change, problem):
    assert problem in changed(tmp_path / "pack", name, change)


def test_a_missing_or_unreadable_file_is_named(tmp_path):
    shutil.copytree(data.FOLDER, tmp_path / "pack")
    (tmp_path / "pack" / "units.json").unlink()
    assert data.check(tmp_path / "pack") == ["units.json is missing"]
    (tmp_path / "pack" / "units.json").write_text("{")
    assert data.check(tmp_path / "pack")[0].startswith("not readable as JSON")
