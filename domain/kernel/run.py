"""The run: drives a title's coroutines step by step, from question to question.

Every step starts a fresh coroutine on the table alone, so live play *is* resumption and nothing can hide in a local.
An answer is atomic: if a rule fails half-way, the table, the questions and the log stay as they were.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from domain.kernel.ask import Ask, AskAll, AskAny, Draw, Request, Roll, Rules, Shuffle, Taken
from domain.kernel.chance import Recorded, Source, record
from domain.kernel.errors import ChanceryError, NotAsked, Refused, RulesCrashed
from domain.kernel.event import Chance, Cite, Shown, Veil
from domain.kernel.ops import Op
from domain.kernel.table import Table
from domain.kernel.title import END, Title

ENDLESS = 1000
CHANCE = (Roll, Draw, Shuffle)


class Part(NamedTuple):
    """What becomes one event: it ends at a question or, marked, where a step ends."""

    ops: list[Op]
    chance: list[Chance]
    cites: list[Cite]
    shown: list[Shown]
    mark: bool
    digest: bytes


class Answered(NamedTuple):
    """A decision since the last mark, enough to make it again."""

    seat: str
    key: str
    answer: Any
    chance: list[Chance]


class Run:
    """A game in play: `asks` must be answered, `offers` may be taken, `answer` goes on."""

    def __init__(self, title: Title, table: Table, source: Source, drawn: int = 0) -> None:
        self.title, self.table, self.source = title, table, source
        self.drawn = drawn  # effective draws so far: the number of the next one
        self.asks: list[Ask] = []
        self.offers: list[Ask] = []
        self.over = False
        self._rules: Rules | None = None
        self._sealed: dict[str, Any] | None = None
        self._standing: list[Ask] = []
        self._clean = False  # nothing has happened since the step began
        self._interrupting = False
        self._chance: list[Chance] = []
        # Since the last mark: what the rules did unasked, then the decisions, and all ops of both.
        self._opening: list[Chance] = []
        self._trail: list[Answered] = []
        self._since: list[Op] = []
        self.first: list[Part] = []
        self._advance(None, self.first)
        self._remember(self.first)

    # -- questions -------------------------------------------------------------------------------

    def question(self, seat: str, key: str) -> Ask:
        """The open question or offer a seat means."""
        for ask in (*self.asks, *self.offers):
            if ask.seat == seat and ask.key == key:
                return ask
        mine = sorted({ask.key for ask in (*self.asks, *self.offers) if ask.seat == seat})
        if mine:
            raise NotAsked("", f"{seat} is not asked {key!r} now, but: {', '.join(mine)}", seat=seat, key=key, legal=mine)
        if self.over:
            raise NotAsked("", "the game is over", seat=seat, key=key, legal=[])
        waited = ", ".join(sorted({ask.seat for ask in self.asks}))
        raise NotAsked(
            "", f"nothing is asked of {seat} now: the game waits for {waited or 'anybody'}", seat=seat, key=key, legal=[]
        )

    def check(self, seat: str, key: str, answer: Any) -> Ask:
        """The question, if the answer is legal; else a refusal with the rule and what is legal."""
        ask = self.question(seat, key)
        try:
            reason = ask.refusal(answer)
        except ChanceryError:
            raise
        except Exception as crash:
            raise RulesCrashed(
                f"the rules failed on checking {seat}'s answer to {key!r}: {crash!r}; nothing was changed"
            ) from crash
        if reason is not None:
            raise Refused(ask.cite, reason, seat=seat, key=key, legal=ask.describe()["choice"])
        return ask

    @property
    def sealed(self) -> bool:
        """Whether the open questions are answered sealed."""
        return self._sealed is not None

    def veil(self, ask: Ask, answer: Any) -> Veil | None:
        """Who may read the answer; a sealed one is its seat's alone."""
        return Veil() if self.sealed and ask in self.asks else ask.veil(answer)

    # -- answers ---------------------------------------------------------------------------------

    def answer(self, seat: str, key: str, answer: Any) -> list[Part]:
        """Carry a decision out up to the next question: one part per event."""
        ask = self.check(seat, key, answer)
        drawn, parts = self.drawn, list[Part]()
        try:
            self._answer(ask, answer, parts)
        except ChanceryError:
            self._roll_back(parts, drawn)
            raise
        except Exception as crash:
            self._roll_back(parts, drawn)
            raise RulesCrashed(
                f"the rules failed on {seat}'s answer {answer!r} to {key!r}: {crash!r}; nothing was changed"
            ) from crash
        if any(part.mark for part in parts):
            self._remember(parts)
        else:
            self._trail.append(Answered(seat, key, answer, [outcome for part in parts for outcome in part.chance]))
            for part in parts:
                self._since += part.ops
        return parts

    def _answer(self, ask: Ask, answer: Any, parts: list[Part]) -> None:
        if ask in self._standing:
            # Nothing has happened since the mark: drop the question, run the right, start the step anew.
            assert self.title.interrupt is not None and self._rules is not None
            self._rules.close()
            self._rules = self.title.interrupt(self.table, ask.seat, ask.key, answer)
            self._interrupting = True
            self._advance(None, parts)
        elif ask in self.offers:
            self._advance(Taken(ask.seat, ask.key, answer), parts)
        elif self._sealed is None:
            self._advance(answer, parts)
        elif len(self.asks) == 1:
            self._advance({**self._sealed, ask.seat: answer}, parts)
        else:
            self._begin()
            self.table.set(f"sealed:{ask.seat}", [answer])  # in a list: a pass must look like any other answer
            self._close(parts, mark=False)
            self._sealed = {**self._sealed, ask.seat: answer}
            self.asks = [other for other in self.asks if other is not ask]
            self.offers, self._standing = [], []

    def _remember(self, parts: list[Part]) -> None:
        """Where a roll-back starts: at the last mark, with what the rules did unasked since."""
        last = parts[-1]
        self._trail, self._opening, self._since = [], [], []
        if not last.mark:
            self._opening, self._since = last.chance, list(last.ops)

    def _roll_back(self, parts: list[Part], drawn: int) -> None:
        """Take the failed answer's ops back and stand at its question again."""
        table = self.table
        table.unfold(table.ops)
        for part in reversed(parts):
            table.unfold(part.ops)
        self.__dict__.update(self._again(table, self.source, drawn).__dict__)

    def fork(self, source: Source) -> Run:
        """The same game at the same question on a table of its own, with its own chance from here on."""
        return self._again(self.table.copy(), source, self.drawn)

    def since_mark(self) -> tuple[Table, list[Chance], list[Answered], int]:
        """The table at the last mark, what was drawn unasked since, the decisions since, and the draws before."""
        table = self.table.copy()
        table.unfold(self._since)
        drawn = self.drawn - len(self._opening) - sum(len(answered.chance) for answered in self._trail)
        return table, list(self._opening), list(self._trail), drawn

    def _again(self, table: Table, source: Source, drawn: int) -> Run:
        """Take a table back to the last mark, re-run the rules on it, and make the decisions since then again."""
        table.unfold(self._since)
        drawn -= len(self._opening) + sum(len(answered.chance) for answered in self._trail)
        recorded = Recorded(self._opening)
        again = Run(self.title, table, recorded, drawn)
        for seat, key, answer, chance in self._trail:
            recorded.left = list(chance)
            again.answer(seat, key, answer)
        again.source = source
        return again

    # -- the engine ------------------------------------------------------------------------------

    def _begin(self) -> None:
        table = self.table
        table.ops, table.cites, table.shown, self._chance = [], [], [], []
        table.cache.clear()

    def _close(self, parts: list[Part], *, mark: bool) -> None:
        table = self.table
        digest = table.digest() if mark else b""
        parts.append(Part(table.ops, self._chance, table.cites, table.shown, mark, digest))
        self._begin()

    def _advance(self, value: Any, parts: list[Part]) -> None:
        """Send a value into the rules and run to the next question."""
        table = self.table
        self._begin()
        for seat in sorted(self._sealed or ()):
            table.set(f"sealed:{seat}", None)
        self.asks, self.offers, self._standing, self._sealed = [], [], [], None
        self._clean = False
        while True:
            if self._rules is None:
                step = table.get("step", self.title.first)
                if step == END:
                    self.over = True
                    break
                if len(parts) > ENDLESS:
                    raise RulesCrashed(f"the rules go round in circles without asking anybody, at step {step!r}")
                self._rules = self.title.steps[step](table)
                self._clean, self._interrupting, value = True, False, None
            try:
                request = self._rules.send(value)
                while type(request) in CHANCE:
                    request = self._rules.send(self._draw(request))  # type: ignore[arg-type]
            except StopIteration as done:
                if not self._interrupting:
                    if done.value != END and done.value not in self.title.steps:
                        raise RulesCrashed(f"there is no step {done.value!r}") from None
                    table.set("step", done.value)
                self._rules = None
                self._close(parts, mark=True)
            else:
                self._ask(request)
                break
        if table.ops or self._chance or table.cites or table.shown or not parts:
            self._close(parts, mark=False)

    def _ask(self, request: Request) -> None:
        if type(request) is AskAll:
            self.asks, self._sealed = list(request.asks), {}
        elif type(request) is AskAny:
            self.offers = list(request.asks)
        else:
            assert type(request) is Ask
            self.asks, self.offers = [request], list(request.offers)
        if self.title.standing and self._clean and not (self.table.ops or self._chance or self.table.shown):
            self._standing = self.title.standing(self.table)
            self.offers += self._standing
        if not self.asks and not self.offers:
            raise RulesCrashed("the rules ask a question of nobody")
        keys = [(ask.seat, ask.key) for ask in (*self.asks, *self.offers)]
        if len(set(keys)) < len(keys):
            raise RulesCrashed(f"two questions at once of one seat with one key: {keys}")
        if len({ask.seat for ask in self.asks}) < len(self.asks):
            raise RulesCrashed(f"a seat is asked twice in one sealed round: {keys}")
        if strange := {seat for seat, _ in keys}.difference(self.table.seats):
            raise RulesCrashed(f"the rules ask a seat that does not play: {', '.join(sorted(strange))}")

    def _draw(self, request: Roll | Draw | Shuffle) -> Any:
        table = self.table
        if type(request) is Roll:
            pool: Any = request.faces
        elif type(request) is Draw:
            pool = sorted(request.only) if request.only is not None else sorted(table.items(request.zone))
            if not pool:
                raise RulesCrashed(f"nothing to draw from {request.zone}")
        else:
            pool = table.zones[request.zone]
        if len(self._chance) >= 10 * ENDLESS:
            raise RulesCrashed(f"the rules draw {request.key!r} for ever without asking anybody")
        value = self.source(request, pool, self.drawn)
        self.drawn += 1
        self._chance.append(record(request, value))
        table.cache.clear()
        if type(request) is Shuffle:
            table.reorder(request.zone, value, cite=request.cite)
        elif type(request) is Draw:
            table.cites.append(Cite(request.cite, len(table.ops)))  # seen with the move that follows
        else:
            table.say(request.cite)
        return value
