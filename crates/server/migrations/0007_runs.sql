-- Runs of the lab: long work that goes on without anybody looking at it. What a run has finished stands in its items, from
-- which it goes on after a restart. Times are milliseconds since 1970.

CREATE TABLE runs (
    id         TEXT    NOT NULL PRIMARY KEY,
    key_hash   BLOB    NOT NULL CHECK (length(key_hash) = 32), -- SHA-256 of the key that may pause, stop and remove it
    request    TEXT    NOT NULL,                               -- JSON, with its kind
    title      TEXT    NOT NULL,
    state      TEXT    NOT NULL CHECK (state IN ('running', 'paused', 'stopped', 'done', 'failed')),
    why        TEXT,                                           -- it failed
    created_at INTEGER NOT NULL,
    millis     INTEGER NOT NULL DEFAULT 0,                     -- that it has worked
    n_done     INTEGER NOT NULL DEFAULT 0,
    n_total    INTEGER,                                        -- where that is known
    progress   TEXT                                            -- JSON: what it has come to
) STRICT;

CREATE TABLE run_items (
    run_id     TEXT    NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    number     INTEGER NOT NULL,
    content    TEXT    NOT NULL,                               -- JSON, by the kind of the run
    PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX runs_by_time ON runs (created_at, id);
