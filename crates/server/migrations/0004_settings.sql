-- What was agreed about a table when it was created, and the requests whose plies were taken back.

ALTER TABLE tables ADD COLUMN settings TEXT;             -- JSON; none in tables from before

CREATE TABLE requests (                                  -- those that were carried out and have no ply now
    table_id   TEXT    NOT NULL REFERENCES tables (id),
    request    TEXT    NOT NULL,                         -- as in plies
    n_plies    INTEGER NOT NULL,                         -- how many there were with it
    PRIMARY KEY (table_id, request)
) STRICT, WITHOUT ROWID;
