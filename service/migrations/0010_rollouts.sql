-- Rollouts that were asked for, and their finished batches. A batch is kept once, however often it is played.
CREATE TABLE rollouts (
    id TEXT PRIMARY KEY,
    match TEXT NOT NULL,
    line TEXT NOT NULL,
    version BIGINT NOT NULL,
    viewer TEXT NOT NULL,
    account TEXT NOT NULL,
    key TEXT NOT NULL,
    start TEXT NOT NULL,
    policy TEXT NOT NULL,
    seed TEXT NOT NULL,
    wanted BIGINT NOT NULL,
    precision TEXT NOT NULL,
    state TEXT NOT NULL,
    made BIGINT NOT NULL
);
CREATE INDEX rollouts_waiting ON rollouts (state, made);
CREATE INDEX rollouts_of_match ON rollouts (match, made);

CREATE TABLE rollout_batches (
    key TEXT NOT NULL,
    number BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (key, number)
);
