"""What goes in and out, as it is described in the OpenAPI document. What is not described is refused."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import marshmallow as ma
from marshmallow import fields, validate

from domain.match import CANCELLED, FINISHED, OPEN, PLAYER, RUNNING, SPECTATOR, Policy
from service.accounts import LONGEST_PASSWORD

ID = r"^[a-z0-9-]{1,64}$"
DEEPEST, MOST_PARTS, LONGEST_STRING = 8, 5_000, 1_000
SMALLEST, LARGEST = -(2**53), 2**53


def printable(value: str) -> None:
    """Text that can be stored, logged and shown anywhere: no control characters, no half characters."""
    if not value.isprintable():
        raise ma.ValidationError("Only printable characters, on one line.")


def text(longest: int, *, shortest: int = 0, **given: Any) -> fields.String:
    return fields.String(validate=[validate.Length(min=shortest, max=longest), printable], **given)


def identifier(**given: Any) -> fields.String:
    return fields.String(validate=validate.Regexp(ID), **given)


def whole(least: int, most: int, **given: Any) -> fields.Integer:
    return fields.Integer(strict=True, validate=validate.Range(min=least, max=most), **given)


def number(least: int, most: int, **given: Any) -> fields.Integer:
    """A whole number in an address."""
    return fields.Integer(validate=validate.Range(min=least, max=most), **given)


class Answer(fields.Field):
    """An answer as the question's choice describes it: a string, a whole number, true, false, null, or lists of these."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        left = [MOST_PARTS]
        _plain(value, DEEPEST, left)
        return value


def _plain(value: Any, deep: int, left: list[int]) -> None:
    left[0] -= 1
    if left[0] < 0 or deep < 0:
        raise ma.ValidationError("The answer is too large.")
    if type(value) is list:
        for part in value:
            _plain(part, deep - 1, left)
    elif type(value) is str:
        if len(value) > LONGEST_STRING:
            raise ma.ValidationError("The answer is too large.")
        printable(value)
    elif type(value) is int:
        if not SMALLEST <= value <= LARGEST:
            raise ma.ValidationError("The answer is too large.")
    elif value is not None and type(value) is not bool:
        raise ma.ValidationError("An answer is a string, a whole number, true, false, null, or a list of these.")


class Strict(ma.Schema):
    """Unknown fields are refused, so that a typing error is not silently ignored."""

    class Meta:
        unknown = ma.RAISE


# -- titles -------------------------------------------------------------------------------------------


class OptionOut(ma.Schema):
    default = fields.Raw()
    choices = fields.List(fields.Raw())
    rule = fields.String(attribute="cite")
    help = fields.String()


class TitleOut(ma.Schema):
    """A game that can be played."""

    id = fields.String()
    name = fields.String()
    rules = fields.String(metadata={"description": "The version of the rules."})
    data = fields.String(metadata={"description": "The digest of the data pack."})
    players = fields.List(fields.Integer())
    seats = fields.Dict(metadata={"description": "The seats for each number of players."})
    options = fields.Dict(keys=fields.String(), values=fields.Nested(OptionOut))
    provisional = fields.List(fields.String(), metadata={"description": "What the data pack only guesses."})


class TitlesOut(ma.Schema):
    items = fields.List(fields.Nested(TitleOut))


# -- accounts -----------------------------------------------------------------------------------------


class Registration(Strict):
    name = text(40, shortest=1, required=True)
    password = text(LONGEST_PASSWORD, load_default="")
    email = text(254, load_default=None, allow_none=True)


class AccountOut(ma.Schema):
    id = fields.String()
    name = fields.String()
    email = fields.String(allow_none=True)
    made = fields.Integer(metadata={"description": "Milliseconds since 1970, UTC; as all times here."})


class PasswordIn(Strict):
    name = text(40, shortest=1, required=True)
    password = text(LONGEST_PASSWORD, shortest=1, required=True)
    label = text(80, load_default="")


class LinkIn(Strict):
    link = text(2_000, shortest=1, required=True)
    label = text(80, load_default="")


class TokenIn(Strict):
    label = text(80, load_default="")
    days = whole(1, 365, load_default=365)


class TokenOut(ma.Schema):
    id = fields.String()
    label = fields.String()
    made = fields.Integer()
    expires = fields.Integer()


class NewTokenOut(TokenOut):
    token = fields.String(metadata={"description": "The token itself. It is shown this once."})
    account = fields.String()


class TokensOut(ma.Schema):
    items = fields.List(fields.Nested(TokenOut))


# -- matches ------------------------------------------------------------------------------------------


def _policy(name: str, about: str = "") -> fields.String:
    """A house rule: what it may be is said by the policy itself."""
    choices = get_args(get_type_hints(Policy)[name])
    return fields.String(validate=validate.OneOf(choices), metadata={"description": about} if about else {})


class PolicyIn(Strict):
    """The house rules of a match."""

    seating = _policy("seating")
    game_master = _policy(
        "game_master", "What the game master sees; one who sees everything cannot play, and every look is on record."
    )
    spectators = _policy("spectators")
    delay = whole(0, 30 * 24 * 3600, metadata={"description": "So many seconds spectators are held back."})
    undo = _policy("undo", "What may be taken back, and who has to agree.")
    afterwards = _policy("afterwards", "Whether everything is shown to everybody when the game is over.")
    upgrade = _policy("upgrade", "Who has to agree before the match goes on under other rules.")
    arbiter = _policy("arbiter", "Who rules on a dispute: the game master, or more than half of the seats.")
    window = whole(0, 100_000, metadata={"description": "So many versions back a ruling may still take the game back."})


class MatchIn(Strict):
    title = identifier(required=True)
    players = whole(1, 20, required=True)
    name = text(80, load_default="")
    options = fields.Dict(keys=text(60), load_default=dict)
    policy = fields.Nested(PolicyIn, load_default=dict)


class SeatOut(ma.Schema):
    seat = fields.String()
    held_by = fields.String(metadata={"description": "player, bot or nobody."})
    name = fields.String(metadata={"description": "The player's or the bot's name."})
    yours = fields.Boolean()


class TenureOut(ma.Schema):
    seat = fields.String()
    name = fields.String()
    since = fields.Integer(metadata={"description": "After which version."})
    until = fields.Integer(allow_none=True)


class MatchOut(ma.Schema):
    id = fields.String()
    title = fields.String()
    name = fields.String()
    state = fields.String(validate=validate.OneOf([OPEN, RUNNING, FINISHED, CANCELLED]))
    made = fields.Integer()
    options = fields.Dict()
    policy = fields.Nested(PolicyIn)
    seats = fields.List(fields.Nested(SeatOut))
    tenures = fields.List(fields.Nested(TenureOut))
    game_master = fields.String()
    roles = fields.List(fields.String(), metadata={"description": "What you are in this match."})
    viewers = fields.List(fields.String(), metadata={"description": "Through whose eyes you may look, the usual one first."})
    line = fields.String(allow_none=True, metadata={"description": "The line the match is played on."})
    commitment = fields.String(metadata={"description": "SHA-256 of the seed, fixed before anybody joined."})
    seed = fields.String(allow_none=True, metadata={"description": "The seed, when the game is over and everything is shown."})
    version = fields.Integer(allow_none=True, metadata={"description": "The newest version you may see."})


class SummaryOut(ma.Schema):
    id = fields.String()
    title = fields.String()
    name = fields.String()
    state = fields.String()
    made = fields.Integer()


class MatchesOut(ma.Schema):
    items = fields.List(fields.Nested(SummaryOut))
    next = fields.String(allow_none=True, metadata={"description": "Give it as `after` for the next page; null on the last."})


class MatchesQuery(Strict):
    mine = fields.Boolean(load_default=False)
    joinable = fields.Boolean(load_default=False)
    state = fields.String(validate=validate.OneOf([OPEN, RUNNING, FINISHED, CANCELLED]), load_default="")
    title = identifier(load_default="")
    after = fields.String(validate=validate.Regexp(r"^[0-9]{1,15}-[a-z0-9]{1,32}$"), load_default="")
    limit = number(1, 100, load_default=50)


class InvitationIn(Strict):
    role = fields.String(validate=validate.OneOf([PLAYER, SPECTATOR]), load_default=PLAYER)
    seat = text(60, load_default="")
    note = text(200, load_default="")


class InvitationOut(ma.Schema):
    id = fields.String()
    role = fields.String()
    seat = fields.String()
    note = fields.String()
    at = fields.Integer()


class NewInvitationOut(InvitationOut):
    link = fields.String(metadata={"description": "Whoever brings this takes the place. It is shown this once."})


class InvitationsOut(ma.Schema):
    items = fields.List(fields.Nested(InvitationOut))


class JoinIn(Strict):
    seat = text(60, load_default="")
    nonce = text(64, load_default="", metadata={"description": "Your share of the dice; made for you if you give none."})
    invitation = text(2_000, load_default="", metadata={"description": "The link you were invited with."})


class JoinOut(ma.Schema):
    seat = fields.String(metadata={"description": "The seat you hold now; empty if you were invited to watch."})
    match = fields.Nested(MatchOut)


class BotIn(Strict):
    policy = identifier(load_default="greedy")


class ReasonIn(Strict):
    reason = text(200, load_default="")


# -- play ---------------------------------------------------------------------------------------------


class LookQuery(Strict):
    viewer = text(
        60, data_key="as", load_default="", metadata={"description": "Through whose eyes: a seat, `spectator` or `arbiter`."}
    )
    line = identifier(load_default="", metadata={"description": "Which line; the one the match is played on by default."})


class MomentQuery(LookQuery):
    version = number(1, 2**31, load_default=None, metadata={"description": "At which version; the newest by default."})


class QuestionOut(ma.Schema):
    seat = fields.String()
    key = fields.String()
    must = fields.Boolean(metadata={"description": "Whether it has to be answered; an offer need not be."})
    rule = fields.String()
    choice = fields.Dict(metadata={"description": "What is accepted: one_of, number, counts or assign."})
    optional = fields.Boolean(metadata={"description": "Whether null (pass) is accepted too."})
    about = fields.Dict()
    count = fields.Integer(metadata={"description": "How many answers there are at most."})
    answers = fields.List(fields.Raw(), allow_none=True, metadata={"description": "Every legal answer, where they are few."})


class QuestionsOut(ma.Schema):
    match = fields.String()
    line = fields.String()
    version = fields.Integer(metadata={"description": "Send it as If-Match with your decision."})
    viewer = fields.String()
    over = fields.Boolean()
    items = fields.List(fields.Nested(QuestionOut))


class DecisionIn(Strict):
    seat = text(60, shortest=1, required=True)
    key = text(120, shortest=1, required=True)
    answer = Answer(required=True, allow_none=True, metadata={"description": "As the question's choice describes it."})


class DecisionQuery(Strict):
    line = identifier(load_default="")
    dry_run = fields.Boolean(load_default=False, metadata={"description": "Only check: nothing is stored, nothing drawn or told."})


class UndoIn(Strict):
    seat = text(60, shortest=1, required=True)


class UndoQuery(Strict):
    line = identifier(load_default="")


class OpOut(ma.Schema):
    op = fields.String(validate=validate.OneOf(["move", "set", "reorder"]))
    item = fields.String()
    src = fields.String()
    dst = fields.String()
    n = fields.Integer()
    at = fields.Integer()
    to = fields.Integer()
    register = fields.String()
    old = fields.Raw(allow_none=True)
    new = fields.Raw(allow_none=True)
    zone = fields.String()
    order = fields.List(fields.Integer())


class CiteOut(ma.Schema):
    rule = fields.String()
    op = fields.Integer(metadata={"description": "The op it is about; -1 said aloud; -2 about the question."})
    facts = fields.Dict()


class RollOut(ma.Schema):
    key = fields.String()
    seat = fields.String()
    faces = fields.List(fields.Integer())
    values = fields.List(fields.Integer())


class ShownOut(ma.Schema):
    seat = fields.String()
    zone = fields.String()
    items = fields.List(fields.String())


class EventOut(ma.Schema):
    """One event, as far as the viewer may see it. `?` stands for what may not be seen."""

    version = fields.Integer()
    kind = fields.String()
    seat = fields.String()
    key = fields.String()
    answer = fields.Raw(allow_none=True)
    rolls = fields.List(fields.Nested(RollOut))
    ops = fields.List(fields.Nested(OpOut))
    cites = fields.List(fields.Nested(CiteOut))
    shown = fields.List(fields.Nested(ShownOut))
    mark = fields.Boolean(metadata={"description": "Whether a step of the rules ended here."})
    via = fields.String()
    at = fields.Integer()


class DecidedOut(ma.Schema):
    match = fields.String()
    line = fields.String()
    version = fields.Integer(metadata={"description": "The version after the decision."})
    dry_run = fields.Boolean()
    events = fields.List(fields.Nested(EventOut))
    receipt = fields.Dict(metadata={"description": "Signed: keep it, and no decision of yours can be denied or changed later."})


class KeyOut(ma.Schema):
    key = fields.String(metadata={"description": "The Ed25519 public key under receipts, heads and bundles, in hex."})


class HeadQuery(Strict):
    line = fields.String(load_default="", validate=validate.Length(max=64))


class HeadOut(ma.Schema):
    head = fields.Dict(metadata={"description": "Signed: the newest version of the line and its link."})


class SpanOut(ma.Schema):
    text = fields.String()
    seat = fields.String()


class SectionOut(ma.Schema):
    name = fields.String()
    head = fields.List(fields.String())
    rows = fields.List(fields.List(fields.List(fields.Nested(SpanOut))))


class ScoreOut(ma.Schema):
    seat = fields.String()
    points = fields.Integer()
    facts = fields.Dict()


class TableOut(ma.Schema):
    match = fields.String()
    line = fields.String()
    version = fields.Integer()
    viewer = fields.String()
    over = fields.Boolean()
    zones = fields.Dict(metadata={"description": "What lies where: counts by item, or a list where order matters."})
    registers = fields.Dict()
    board = fields.List(fields.Nested(SectionOut))
    scores = fields.List(fields.Nested(ScoreOut))
    winners = fields.List(fields.String())


class LogQuery(LookQuery):
    after = number(0, 2**31, load_default=0, metadata={"description": "Only events after this version."})
    since = fields.String(
        validate=validate.OneOf(["mine"]), load_default="", metadata={"description": "`mine`: since your own last decision."}
    )
    limit = number(1, 500, load_default=200)


class StreamQuery(LookQuery):
    after = number(
        0, 2**31, load_default=None, metadata={"description": "Begin after this version; with the next event by default."}
    )


class LogOut(ma.Schema):
    match = fields.String()
    line = fields.String()
    viewer = fields.String()
    version = fields.Integer()
    items = fields.List(fields.Nested(EventOut))
    next = fields.Integer(allow_none=True, metadata={"description": "Give it as `after` for the next page; null on the last."})


class ForkIn(Strict):
    line = identifier(load_default="")
    version = whole(1, 2**31, load_default=None, allow_none=True)
    reason = text(200, load_default="")


class LineOut(ma.Schema):
    id = fields.String()
    parent = fields.String(allow_none=True)
    at = fields.Integer(metadata={"description": "The version of the parent after which it goes on."})
    reason = fields.String()
    made = fields.Integer()
    played = fields.Boolean(metadata={"description": "Whether the match was or is played on it."})
    current = fields.Boolean()
    yours = fields.Boolean()
    imagined = fields.String(allow_none=True, metadata={"description": "The seat from whose knowledge it starts, if it does."})
    name = fields.String()
    tags = fields.List(fields.String())
    comments = fields.Integer()


class LinesOut(ma.Schema):
    items = fields.List(fields.Nested(LineOut))


class LookedOut(ma.Schema):
    at = fields.Integer()
    name = fields.String()
    viewer = fields.String()
    what = fields.String()
    line = fields.String()
    version = fields.Integer()


class LooksOut(ma.Schema):
    items = fields.List(fields.Nested(LookedOut))


# -- views --------------------------------------------------------------------------------------------


class PointsOut(ma.Schema):
    version = fields.Integer()
    at = fields.Integer()
    step = fields.String()
    points = fields.Dict(keys=fields.String(), values=fields.Integer())
    undone = fields.Boolean()


class PlaceOut(ma.Schema):
    match = fields.String()
    line = fields.String()
    viewer = fields.String()
    version = fields.Integer()


class ScoreboardOut(PlaceOut):
    scores = fields.List(fields.Nested(ScoreOut))
    history = fields.List(fields.Nested(PointsOut), metadata={"description": "The points of every seat from each version on."})


class RelationOut(ma.Schema):
    seat = fields.String()
    other = fields.String()
    status = fields.String()
    note = fields.String()
    cite = fields.String()


class ClauseOut(ma.Schema):
    kind = fields.String()
    by = fields.String()
    to = fields.String()
    given = fields.Dict()
    terms = fields.List(fields.Dict())
    mutual = fields.Boolean()
    binding = fields.Boolean(metadata={"description": "Kept by the rules themselves; else a promise."})
    rule = fields.String()
    text = fields.String(metadata={"description": "As an offer would say it."})
    sentence = fields.String()
    status = fields.String(metadata={"description": "`kept`, `broken`, `over` or nothing of these."})
    course = fields.List(fields.Dict(), metadata={"description": "What became of it at which version."})


class TreatyOut(ma.Schema):
    id = fields.String()
    state = fields.String(metadata={"description": "offered, agreed, broken, over, ended, refused, withdrawn, countered or lapsed"})
    secret = fields.Boolean()
    public = fields.Boolean()
    parties = fields.List(fields.String())
    clauses = fields.List(fields.Nested(ClauseOut))
    agreed = fields.Dict(allow_none=True)
    closed = fields.Dict(allow_none=True)
    claims = fields.List(fields.Dict(), metadata={"description": "Breaches that a party claims."})
    offer = fields.Dict(allow_none=True, metadata={"description": "How it was negotiated: for its parties only."})


class DiplomacyOut(PlaceOut):
    relations = fields.List(fields.Nested(RelationOut))
    history = fields.List(fields.Dict(), metadata={"description": "For each pair, what it became and when."})
    treaties = fields.List(fields.Nested(TreatyOut), metadata={"description": "Treaties and promises that you may know of."})


class TimelineOut(PlaceOut):
    moments = fields.List(fields.Dict(), metadata={"description": "Every decision; its version is a place to branch off."})
    branches = fields.List(fields.Dict())


class ChronicleQuery(LookQuery):
    after = number(0, 2**31, load_default=0)
    limit = number(1, 500, load_default=100)
    language = fields.String(validate=validate.OneOf(["en", "de"]), load_default="en")


class SentencesOut(ma.Schema):
    version = fields.Integer()
    at = fields.Integer()
    kind = fields.String()
    seat = fields.String()
    mark = fields.Boolean()
    sentences = fields.List(fields.String())
    undone = fields.Boolean()


class ChronicleOut(PlaceOut):
    items = fields.List(fields.Nested(SentencesOut))
    next = fields.Integer(allow_none=True)


class WaitingOut(PlaceOut):
    class Meta:
        exclude = ("viewer",)

    name = fields.String()
    title = fields.String()
    seat = fields.String()
    question = fields.String()
    since = fields.Integer()


class InboxOut(ma.Schema):
    items = fields.List(fields.Nested(WaitingOut))


class RatingOut(ma.Schema):
    player = fields.String()
    rating = fields.Float()
    mu = fields.Float()
    sigma = fields.Float()
    games = fields.Integer()
    won = fields.Integer()


class StandingsOut(ma.Schema):
    title = fields.String()
    items = fields.List(fields.Nested(RatingOut))
