-- Tables, who holds their seats, and the plies played there. Times are milliseconds since 1970.

CREATE TABLE tables (
    id         TEXT    NOT NULL PRIMARY KEY,
    game       TEXT    NOT NULL,                           -- canonical spec
    seed       BLOB    NOT NULL CHECK (length(seed) = 32), -- what chance is drawn from
    created_at INTEGER NOT NULL,
    previous   TEXT    UNIQUE REFERENCES tables (id),      -- the table this one is the rematch of
    program    TEXT    NOT NULL,                           -- the version that made it
    ended_at   INTEGER,
    end_reason TEXT,
    payoffs    TEXT                                        -- JSON array by seat
) STRICT;

CREATE TABLE seats (
    table_id   TEXT    NOT NULL REFERENCES tables (id),
    seat       INTEGER NOT NULL,
    agent      TEXT,                                       -- an engine's spec, or else
    key_hash   BLOB    CHECK (length(key_hash) = 32),      -- SHA-256 of the key that holds the seat
    name       TEXT,                                       -- of the person, once given
    resigned   INTEGER,                                    -- after so many plies
    successor  TEXT,                                       -- the engine that plays on after resigning
    PRIMARY KEY (table_id, seat),
    CHECK ((agent IS NULL) <> (key_hash IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE plies (
    table_id   TEXT    NOT NULL REFERENCES tables (id),
    ply        INTEGER NOT NULL,
    text       TEXT    NOT NULL,                           -- as a history writes it, hidden ones in full
    request    TEXT,                                       -- seat and the client's id of the message that asked for it
    played_at  INTEGER NOT NULL,
    PRIMARY KEY (table_id, ply)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX plies_by_request ON plies (table_id, request) WHERE request IS NOT NULL;
