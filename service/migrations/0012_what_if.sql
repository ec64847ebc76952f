-- What is said about lines: names, tags, comments, links to share, what grew on them. Facts are only ever added.
CREATE TABLE line_facts (
    match TEXT NOT NULL,
    line TEXT NOT NULL,
    number BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (line, number)
);
CREATE INDEX line_facts_by_match ON line_facts (match);

-- Several rollouts that belong together: the swings of a game, the alternatives at one decision.
CREATE TABLE studies (
    id TEXT PRIMARY KEY,
    match TEXT NOT NULL,
    line TEXT NOT NULL,
    version BIGINT NOT NULL,
    viewer TEXT NOT NULL,
    account TEXT NOT NULL,
    kind TEXT NOT NULL,
    policy TEXT NOT NULL,
    seed TEXT NOT NULL,
    playouts BIGINT NOT NULL,
    state TEXT NOT NULL,
    made BIGINT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX studies_of_match ON studies (match, made);

ALTER TABLE rollouts ADD COLUMN study TEXT NOT NULL DEFAULT '';
ALTER TABLE rollouts ADD COLUMN touched BIGINT NOT NULL DEFAULT 0;
CREATE INDEX rollouts_of_study ON rollouts (study);
