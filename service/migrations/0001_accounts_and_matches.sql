-- Accounts, what they may show to be let in, and the life of every match. Only TEXT and BIGINT: the same on SQLite and PostgreSQL.

CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE,
    email TEXT UNIQUE,
    password TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    made BIGINT NOT NULL
);

CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    label TEXT NOT NULL,
    made BIGINT NOT NULL,
    expires BIGINT NOT NULL
);
CREATE INDEX tokens_of_account ON tokens (account);

CREATE TABLE used_links (
    id TEXT PRIMARY KEY,
    expires BIGINT NOT NULL
);

-- Facts are only ever added. `matches` and `members` are what the facts come to, written in the same transaction.
CREATE TABLE facts (
    match TEXT NOT NULL,
    version BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (match, version)
);

CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    public BIGINT NOT NULL,
    joinable BIGINT NOT NULL,
    made BIGINT NOT NULL
);
CREATE INDEX matches_by_age ON matches (made, id);

CREATE TABLE members (
    match TEXT NOT NULL,
    account TEXT NOT NULL,
    role TEXT NOT NULL,
    seat TEXT NOT NULL,
    PRIMARY KEY (match, account, role, seat)
);
CREATE INDEX members_by_account ON members (account);

-- Every look of a game master at what is not public.
CREATE TABLE looks (
    match TEXT NOT NULL,
    at BIGINT NOT NULL,
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    viewer TEXT NOT NULL,
    what TEXT NOT NULL,
    line TEXT NOT NULL,
    version BIGINT NOT NULL
);
CREATE INDEX looks_by_match ON looks (match, at);
