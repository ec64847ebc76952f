"""Studies: rollouts that belong together. The swings of a game, or every alternative at one decision."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from domain.kernel.errors import NotFound, Refused
from domain.kernel.event import Chance
from domain.kernel.schema import ARBITER
from domain.log import Log
from domain.rollout import Estimate, start_at
from domain.whatif import decision_at
from service import analysis
from service.analysis import Made, Point, Swept, Swing
from service.database import Database
from service.matches import Matches, new_id
from service.rollouts import CANCELLED, DONE, QUEUED, RUNNING, Rollouts, wanted

SWINGS, SWEEP = "swings", "sweep"
MOST_PLAYOUTS = 1_000


class Item(msgspec.Struct, frozen=True):
    """One rollout of a study: where it starts, and what is decided first."""

    job: str
    version: int
    said: Any = None
    decided: bool = False


class Body(msgspec.Struct):
    """What a study looks at; of a sweep, also which alternative was the real one."""

    items: list[Item] = []
    draw: int | None = None
    chosen: Any = None
    seat: str = ""
    split: bool = False


class Study(NamedTuple):
    """A study and how far it is."""

    id: str
    match: str
    line: str
    version: int
    viewer: str
    kind: str
    policy: str
    seed: str
    playouts: int
    state: str
    done: int
    wanted: int
    curve: list[Point]
    swings: list[Swing]
    swept: list[Swept]
    chosen: Any
    seat: str
    draw: int | None


class Studies:
    """Ask, watch, cancel."""

    def __init__(self, matches: Matches, database: Database, rollouts: Rollouts) -> None:
        self._matches, self._database, self._rollouts = matches, database, rollouts
        self._turn = threading.Lock()
        rollouts.finished = self.advance

    # -- asking ----------------------------------------------------------------------------------

    def swings(self, who: str, id: str, *, line: str = "", playouts: int = 60, policy: str = "random", seed: str = "0") -> Study:
        """Where a game was won: for those who may see all of it."""
        _bounded(playouts)
        wanted(policy, playouts)
        look = self._matches.look(who, id, line=line, what="swings", note=False)
        if not who or ARBITER not in self._matches.viewers(who, look.match, look.line):
            raise Refused("", "the swings of a game are looked for when it is over: they would tell what others hold")
        study = self._add(who, id, look.line.id, look.head, ARBITER, SWINGS, policy, seed, playouts, Body())
        self.advance(study)
        return self.status(who, id, study)

    def sweep(
        self,
        who: str,
        id: str,
        version: int,
        *,
        line: str = "",
        viewer: str = "",
        draw: int | None = None,
        answers: Sequence[Any] | None = None,
        playouts: int = 60,
        policy: str = "random",
        seed: str = "0",
    ) -> Study:
        """Every alternative at one decision, or every face of one die. Of a running match: of a seat's own decisions, from what it knows."""
        _bounded(playouts)
        wanted(policy, playouts)

        def act(log: Log, at: int, seat: str, _: dict[str, Any]) -> tuple[str, Body, list[tuple[Any, Made]], Any]:
            group = decision_at(log, at, seat)
            first = group[0]
            if seat and first.seat != seat:
                raise Refused("", "what another seat could have done depends on what it holds: look at your own decisions")
            listed = analysis.faces(log, at, draw) if draw is not None else analysis.alternatives(log, at, answers)
            outcomes: list[Chance] = [outcome for item in group for outcome in item.chance]
            chosen = first.answer if draw is None else getattr(outcomes[draw], "values", None)
            start = start_at(log, first.version - 1, seat)
            return log.line.id, Body([], draw, chosen, first.seat), listed, (start, first.version, seat or ARBITER)

        on, body, listed, (start, at, eyes) = self._matches.peer(who, id, act, version=version, line=line, viewer=viewer)
        study = self._add(who, id, on, at, eyes, SWEEP, policy, seed, playouts, body)
        for said, made in listed:
            then = msgspec.structs.replace(start, then=[made])
            job = self._rollouts.queue(who, id, on, at, eyes, then, n=playouts, policy=policy, seed=seed, study=study)
            body.items.append(Item(job, at, said))
        self._keep(study, body)
        return self.status(who, id, study)

    def _add(
        self, who: str, id: str, line: str, version: int, viewer: str, kind: str, policy: str, seed: str, playouts: int, body: Body
    ) -> str:
        self._rollouts.room(who)
        study = new_id(12)
        packed = msgspec.json.encode(body).decode()
        row = (study, id, line, version, viewer, who, kind, policy, seed, playouts, RUNNING, self._matches.clock(), packed)
        names = "id, match, line, version, viewer, account, kind, policy, seed, playouts, state, made, body"
        self._database.write((f"INSERT INTO studies ({names}) VALUES ({', '.join('?' * len(row))})", row))
        return study

    def _keep(self, study: str, body: Body, state: str = RUNNING) -> None:
        row = (msgspec.json.encode(body).decode(), state, study)
        self._database.write(("UPDATE studies SET body = ?, state = ? WHERE id = ?", row))

    # -- going on --------------------------------------------------------------------------------

    def advance(self, study: str) -> None:
        """When everything asked so far is played, ask for what comes next."""
        with self._turn:
            rows = self._database.read(
                "SELECT match, line, account, kind, policy, seed, playouts, state, body FROM studies WHERE id = ?", study
            )
            if not rows or rows[0][7] != RUNNING:
                return
            match, line, who, kind, policy, seed, playouts, _, packed = rows[0]
            body = msgspec.json.decode(packed, type=Body)
            states = self._rollouts.states(study)
            if any(states.get(item.job) in (QUEUED, RUNNING) for item in body.items if item.job):
                return
            log = self._matches.open_log(line)
            while more := self._more(log, study, body) if kind == SWINGS else []:
                for version, decided in more:
                    start = start_at(log, version)
                    if decided:
                        start = msgspec.structs.replace(start, then=[analysis.made_again(decision_at(log, version + 1)[0])])
                    over = analysis.result(log, version) is not None
                    how: dict[str, Any] = {"n": playouts, "policy": policy, "seed": seed, "study": study}
                    job = "" if over else self._rollouts.queue(who, match, line, version, ARBITER, start, **how)
                    body.items.append(Item(job, version, decided=decided))
                if any(item.job for item in body.items[-len(more) :]):
                    break
            self._keep(study, body, RUNNING if more else DONE)

    def _more(self, log: Log, study: str, body: Body) -> list[tuple[int, bool]]:
        """Where to look next on the curve of a game; at last, which decisions to tell from their luck."""
        curve = self._curve(log, study, body)
        if more := analysis.next_points(analysis.questions(log), [point for point in curve if not point.decided]):
            return [(version, False) for version in more]
        if body.split:
            return []
        body.split = True
        return [(version, True) for version in analysis.to_split(log, curve)]

    def _curve(self, log: Log, study: str, body: Body) -> list[Point]:
        found = self._rollouts.found(study)
        points = []
        for item in body.items:
            wins = {one.seat: one.win for one in found.get(item.job, [])} if item.job else analysis.result(log, item.version)
            if wins:
                points.append(Point(item.version, wins, item.decided))
        return sorted(points, key=lambda point: (point.version, point.decided))

    # -- watching --------------------------------------------------------------------------------

    def status(self, who: str, id: str, study: str) -> Study:
        """How far a study is and what it says, for whoever asked for it."""
        self._matches.see(who, id)
        rows = self._database.read("SELECT state FROM studies WHERE id = ? AND match = ? AND account = ?", study, id, who)
        if not rows:
            raise NotFound(f"there is no study {study!r}")
        if rows[0][0] == RUNNING:
            self._rollouts.settle(study)
            self.advance(study)
        return self._read(id, study)

    def _read(self, id: str, study: str) -> Study:
        line, version, viewer, kind, policy, seed, playouts, state, packed = self._database.read(
            "SELECT line, version, viewer, kind, policy, seed, playouts, state, body FROM studies WHERE id = ?", study
        )[0]
        body = msgspec.json.decode(packed, type=Body)
        found: dict[str, list[Estimate]] = self._rollouts.found(study)
        done = sum(estimates[0].n for estimates in found.values() if estimates)
        log = self._matches.open_log(line)
        curve = self._curve(log, study, body) if kind == SWINGS else []
        swings = analysis.swings(log, curve, playouts) if len(curve) > 1 else []
        swept = [Swept(item.said, found.get(item.job, [])) for item in body.items] if kind == SWEEP else []
        jobs = sum(bool(item.job) for item in body.items)
        if kind == SWINGS and state == RUNNING:
            jobs = max(jobs, min(analysis.FINE, len(analysis.questions(log))))
        return Study(
            study,
            id,
            line,
            version,
            viewer,
            kind,
            policy,
            seed,
            playouts,
            state,
            done,
            jobs * playouts,
            curve,
            swings,
            swept,
            body.chosen,
            body.seat,
            body.draw,
        )

    def of_line(self, who: str, id: str, line: str, kind: str) -> list[Study]:
        """The asker's studies of a line, newest first."""
        self._matches.see(who, id)
        rows = self._database.read(
            "SELECT id FROM studies WHERE match = ? AND line = ? AND account = ? AND kind = ? ORDER BY made DESC, id LIMIT 20",
            id,
            line,
            who,
            kind,
        )
        return [self._read(id, row[0]) for row in rows]

    def latest(self, who: str, id: str, line: str) -> Study | None:
        """The newest curve of a line that somebody asked for: all who may see the whole game may see it."""
        rows = self._database.read(
            "SELECT id, account FROM studies WHERE match = ? AND line = ? AND kind = ? AND state != ? ORDER BY made DESC, id LIMIT 1",
            id,
            line,
            SWINGS,
            CANCELLED,
        )
        if not rows:
            return None
        return self.status(who, id, rows[0][0]) if rows[0][1] == who else self._read(id, rows[0][0])

    def cancel(self, who: str, id: str, study: str) -> Study:
        """Stop; what was played is kept."""
        if self.status(who, id, study).state == RUNNING:
            self._rollouts.cancel_all(study)
            self._database.write(("UPDATE studies SET state = ? WHERE id = ?", (CANCELLED, study)))
        return self._read(id, study)


def _bounded(playouts: int) -> None:
    if not 1 <= playouts <= MOST_PLAYOUTS:
        raise Refused("", f"between 1 and {MOST_PLAYOUTS} playouts are made at each point, not {playouts}")
