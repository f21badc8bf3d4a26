-- What was tried in the analysis of a finished game: a tree of variations, kept with the game's record.

CREATE TABLE variations (
    table_id   TEXT    NOT NULL PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    revision   INTEGER NOT NULL,                         -- counts the changes, from 1
    lines      TEXT    NOT NULL                          -- JSON array of {after, plies}
) STRICT, WITHOUT ROWID;
