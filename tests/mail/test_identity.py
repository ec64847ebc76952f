"""Whose a mail is: the seat's address, the registered sender, the word of our own mail server. All three, or nothing is applied."""

from __future__ import annotations

import re
import time
from email.message import EmailMessage

import pytest
import time_machine

from service.wsgi import close, create_app
from tests.mail.conftest import TRUSTED, text, vouched

OK = vouched("ana@home.example")


def mail(sender: str = "Ana <ana@home.example>", head: bytes = OK, more: str = "", body: str = "hide left") -> bytes:
    return head + f"From: {sender}\r\nDate: Mon, 01 Mar 2027 04:00:00 +0000\r\nSubject: orders\r\n{more}\r\n{body}\r\n".encode()


def forged(verdict: str) -> bytes:
    return f"Authentication-Results: {verdict}\r\nReceived: by {TRUSTED}\r\n".encode()


PASS = "dmarc=pass header.from=home.example"

FORGERIES = {
    "no results at all": mail(head=b""),
    "dmarc failed": mail(head=vouched("ana@home.example", verdict="fail")),
    "dmarc none": mail(head=vouched("ana@home.example", verdict="none")),
    "dmarc temperror": mail(head=vouched("ana@home.example", verdict="temperror")),
    "results of another server": mail(head=vouched("ana@home.example", "mx.evil.example")),
    "results of a server that begins alike": mail(head=vouched("ana@home.example", f"{TRUSTED}.evil.example")),
    "results without a server": mail(head=forged(PASS)),
    "results in a comment": mail(head=forged(f"{TRUSTED}; none (dmarc=pass header.from=home.example)")),
    "results for another domain": mail(head=forged(f"{TRUSTED}; dmarc=pass header.from=evil.example")),
    "results for two domains": mail(head=forged(f"{TRUSTED}; dmarc=pass header.from=evil.example header.from=home.example")),
    "results that name no domain": mail(head=forged(f"{TRUSTED}; dmarc=pass")),
    "only spf": mail(head=forged(f"{TRUSTED}; spf=pass smtp.mailfrom=home.example")),
    "only dkim": mail(head=forged(f"{TRUSTED}; dkim=pass header.d=home.example")),
    "pass and fail": mail(head=forged(f"{TRUSTED}; dmarc=fail header.from=home.example; dmarc=pass header.from=home.example")),
    "a verdict in a quotation": mail(head=forged(f'{TRUSTED}; spf=pass smtp.mailfrom="x; {PASS}"@evil.example')),
    "a verdict that begins alike": mail(head=forged(f"{TRUSTED}; dmarc=passed header.from=home.example")),
    "results under the second Received": mail(
        head=f"Received: by {TRUSTED}\r\nReceived: from evil\r\nAuthentication-Results: {TRUSTED}; {PASS}\r\n".encode()
    ),
    "two results in our server's name": mail(
        head=f"Authentication-Results: {TRUSTED}; dmarc=fail header.from=home.example\r\n".encode() + OK
    ),
    "the right name in brackets": mail("ana@home.example <eve@evil.example>", vouched("eve@evil.example")),
    "the right address as a name": mail('"ana@home.example" <eve@evil.example>', vouched("eve@evil.example")),
    "two senders": mail("ana@home.example, eve@evil.example", vouched("eve@evil.example")),
    "two From": mail(more="From: eve@evil.example\r\n", head=vouched("eve@evil.example")),
    "a group": mail("Friends: ana@home.example, eve@evil.example;", vouched("eve@evil.example")),
    "a look-alike domain": mail("ana@hοme.example", vouched("ana@xn--hme-tlc.example")),
    "a look-alike name": mail("аna@home.example", forged(f"{TRUSTED}; dmarc=fail header.from=home.example")),
    "a domain that begins alike": mail("ana@home.example.evil.example", vouched("ana@home.example.evil.example")),
    "a longer name": mail("x.ana@home.example", forged("mx.evil.example; dmarc=pass header.from=home.example")),
    "a plus": mail("ana+eve@home.example", vouched("eve@evil.example")),
    "only a Sender": mail("eve@evil.example", vouched("eve@evil.example"), more="Sender: ana@home.example\r\n"),
    "only a Reply-To": mail("eve@evil.example", vouched("eve@evil.example"), more="Reply-To: ana@home.example\r\n"),
    "an encoded sender": mail("=?utf-8?q?ana=40home=2Eexample?= <eve@evil.example>", vouched("eve@evil.example")),
    "no From": OK + b"Subject: orders\r\n\r\nhide left\r\n",
    "a folded From": mail("Ana\r\n <ana@home.example>\r\n <eve@evil.example>", vouched("eve@evil.example")),
}


@pytest.mark.parametrize("how", FORGERIES)
def test_S1_a_forged_mail_changes_nothing_and_its_seat_is_told_once(town, how):
    id = town.match()
    before = len(town.to("ana"))
    for number in range(3):
        again = FORGERIES[how].replace(b"hide left", f"hide left # {number}".encode())
        assert town.post.deliver(again, town.address(id, "ana"), "ana@home.example") in ("refused", "waits", "unknown")
    town.post.round()
    assert town.versions(id) == 1
    assert len(town.to("ana")) == before + 1 and "Nothing was changed" in town.last("ana")
    assert "hide left" not in town.last("ana")  # what a stranger wrote is not passed on


def test_S1_without_the_token_and_without_a_voucher_nobody_is_told(town):
    id = town.match()
    wrong = re.sub(r"\+[a-z2-7]{26}@", "+" + "a" * 26 + "@", town.address(id, "ana"))
    for raw in (mail(head=b""), mail("eve@evil.example", vouched("eve@evil.example"))):
        assert town.post.deliver(raw, wrong) == "unknown"
    town.post.round()
    assert town.versions(id) == 1 and town.kinds("ana") == ["started"]


def test_all_three_signs_are_enough_whatever_the_letters_of_the_address(town):
    id = town.match()
    raw = mail("ANA@Home.Example", vouched("ana@HOME.example"))
    assert town.post.deliver(raw, town.address(id, "ana").upper(), "ana@home.example") == "taken"
    assert town.versions(id) == 2


def test_where_no_mail_server_is_trusted_every_mail_waits_for_a_click(tmp_path):
    from tests.mail.conftest import Town

    town = Town(tmp_path, "untrusted")
    town.office.addresses._trusted = ""
    id = town.match()
    assert town.write(id, "ana", "hide left") == "waits"
    town.close()


def test_addresses_of_other_places_and_unknown_seats_are_nobody(town):
    id = town.match()
    own = town.address(id, "ana")
    for address in (
        "",
        "ana@home.example",
        own.replace("red", "purple"),
        own.replace(id, "x" * 10),
        own.replace("play", "pray"),
        own + "\n",
    ):
        assert town.post.deliver(mail(), address) in ("unknown",) or address == own + "\n"
    assert town.versions(id) <= 2


def test_a_token_has_130_bits_and_changes_with_the_holder_and_the_password(town):
    id = town.match()
    first = town.address(id, "ana")
    assert re.fullmatch(rf"{id}\+red\+[a-z2-7]{{26}}@play\.example\.org", first)
    town.matches.accounts.set_password(town.people["ana"].id, "a new password")
    town.people["ana"] = town.matches.accounts.get(town.people["ana"].id)
    assert town.address(id, "ana") != first


@pytest.fixture
def pages(town):
    app = create_app(town.settings, background=False, titles=town.matches.titles)
    yield app.test_client()
    close(app)


def link(body: str, kind: str) -> str:
    return re.search(rf"https://chancery\.example(/mail/{kind}/\S+)", body)[1]


def test_two_signs_wait_for_a_click_on_the_link_in_the_holders_own_mailbox(town, pages):
    id = town.match()
    assert town.post.deliver(mail(head=b""), town.address(id, "ana")) == "waits"
    town.post.round()
    path = link(town.last("ana"), "waiting")
    shown = pages.get(path).get_data(as_text=True)
    assert "hide left" in shown and town.versions(id) == 1  # looking is not confirming
    action = re.search(r'action="([^"]+)"', shown)[1]
    assert pages.post(path.rsplit("/", 1)[0] + "/" + action).status_code == 200
    town.post.round()
    assert town.versions(id) == 2 and "done, version 2" in town.last("ana")
    assert pages.post(path.rsplit("/", 1)[0] + "/" + action).status_code == 404


def test_a_link_for_one_thing_is_not_one_for_another(town, pages):
    id = town.match()
    town.post.deliver(mail(head=b""), town.address(id, "ana"))
    town.post.round()
    token = link(town.last("ana"), "waiting").rsplit("/", 1)[1]
    assert pages.get(f"/mail/unsubscribe/{token}").status_code == 404
    assert pages.get(f"/mail/waiting/{token[:-2]}xx").status_code == 404


def test_S20_an_error_page_holds_nothing_of_the_error(town, pages, monkeypatch):
    id = town.match()
    town.post.deliver(mail(head=b""), town.address(id, "ana"))
    town.post.round()
    path = link(town.last("ana"), "waiting")

    def broken(*_):
        raise RuntimeError("CANARY-ERROR hide left")

    monkeypatch.setattr("service.mail.desk.Desk.waiting", broken)
    shown = pages.get(path)
    assert shown.status_code == 500
    for secret in ("CANARY", "hide left", "Traceback", "ana@home.example", path.rsplit("/", 1)[1]):
        assert secret not in shown.get_data(as_text=True)


def test_S2_an_old_link_and_one_of_a_former_holder_open_nothing(town, pages):
    id = town.match()
    town.post.deliver(mail(head=b""), town.address(id, "ana"))
    town.post.round()
    path = link(town.last("ana"), "waiting")
    action = re.search(r'action="([^"]+)"', pages.get(path).get_data(as_text=True))[1]
    with time_machine.travel(time.time() + 31 * 86_400):
        assert pages.get(path).status_code == 404
        old = pages.post(path.rsplit("/", 1)[0] + "/" + action)
    assert old.status_code == 404 and "hide left" not in old.get_data(as_text=True)
    town.matches.join(town.person("eve").id, id, link=town.matches.invite(town.people["ana"].id, id, seat="red")[1])
    assert pages.get(path).status_code == 404 and pages.post(path.rsplit("/", 1)[0] + "/" + action).status_code == 404
    assert town.versions(id) == 1


def test_one_click_ends_the_mails_but_not_the_receipts(town, pages):
    id = town.match()
    path = link(town.to("ana")[-1]["List-Unsubscribe"].strip("<>"), "unsubscribe")
    assert town.to("ana")[-1]["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "No more mails" in pages.get(path).get_data(as_text=True)
    assert pages.post(path, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    town.write(id, "ana", "hide left")
    assert town.kinds("ana") == ["started", "receipt"]
    town.write(id, "ben", next(line for line in text(town.to("ben")[-1]).splitlines() if line.startswith("  * bid"))[4:])
    town.post.round()
    assert town.kinds("ana") == ["started", "receipt"]


def test_a_mail_with_html_only_is_read_too(town):
    id = town.match()
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "ana@home.example", "x"
    mail.set_content("<div>hide left</div><blockquote>hide right</blockquote>", subtype="html")
    assert town.post.deliver(OK + mail.as_bytes(), town.address(id, "ana")) == "taken"
    assert town.matches.open_log(id).raw()[-1].answer == "left"
