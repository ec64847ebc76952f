-- What was asked to be taken back, disputed and ruled, match by match; facts are only ever added.
CREATE TABLE docket (
    match TEXT NOT NULL,
    version BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (match, version)
);

-- Rulings by title and rule: case law.
CREATE TABLE rulings (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    rule TEXT NOT NULL,
    match TEXT NOT NULL,
    outcome TEXT NOT NULL,
    text TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX rulings_by_rule ON rulings (title, rule, at);
