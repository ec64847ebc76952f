-- Play by mail. A mail that came in: its id is the digest of what was written bound to the seat it is for, so it is there once.
CREATE TABLE mails_in (
    id TEXT PRIMARY KEY,
    match TEXT NOT NULL,
    seat TEXT NOT NULL,
    account TEXT NOT NULL,
    state TEXT NOT NULL,
    replies TEXT NOT NULL,
    message TEXT NOT NULL,
    text TEXT NOT NULL,
    raw TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX mails_in_by_state ON mails_in (state, at);

-- What each line of a mail came to: written before it is carried out, so that a second reader does the same and nothing else.
CREATE TABLE mail_steps (
    mail TEXT NOT NULL,
    number BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (mail, number)
);

-- A mail that is to go out, or went. Its id is the left part of its Message-ID; the numbers of a seat have no gaps and no twins.
CREATE TABLE outbox (
    id TEXT PRIMARY KEY,
    match TEXT NOT NULL,
    seat TEXT NOT NULL,
    number BIGINT NOT NULL,
    kind TEXT NOT NULL,
    line TEXT NOT NULL,
    version BIGINT NOT NULL,
    account TEXT NOT NULL,
    recipient TEXT NOT NULL,
    mail TEXT NOT NULL,
    made BIGINT NOT NULL,
    due BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    claim TEXT NOT NULL,
    sent BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    UNIQUE (match, seat, number)
);
CREATE INDEX outbox_by_due ON outbox (sent, failed, due);

-- How a seat wants its mails; only while this account holds it.
CREATE TABLE mail_seats (
    match TEXT NOT NULL,
    seat TEXT NOT NULL,
    account TEXT NOT NULL,
    mode TEXT NOT NULL,
    hour TEXT NOT NULL,
    zone TEXT NOT NULL,
    secrets BIGINT NOT NULL,
    PRIMARY KEY (match, seat)
);

-- Deadlines, standing orders and press of a match; facts are only ever added.
CREATE TABLE mail_facts (
    match TEXT NOT NULL,
    stream TEXT NOT NULL,
    version BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (match, stream, version)
);

-- The last trusted time of each machine since it was started: clocks may jump, this does not.
CREATE TABLE mail_clock (
    id TEXT PRIMARY KEY,
    at BIGINT NOT NULL,
    steady BIGINT NOT NULL
);
