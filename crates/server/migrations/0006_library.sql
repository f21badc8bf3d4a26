-- Finished games are listed and filtered: by game, by who won, by reason, by the seats' names and agents. Records from
-- elsewhere are kept as tables that nobody holds a seat at.

ALTER TABLE tables ADD COLUMN kind TEXT GENERATED ALWAYS AS
    (CASE instr(game, ':') WHEN 0 THEN game ELSE substr(game, 1, instr(game, ':') - 1) END) VIRTUAL;
ALTER TABLE tables ADD COLUMN winner INTEGER;            -- the seat that alone has the most, or -1 where all have the same
ALTER TABLE tables ADD COLUMN imported TEXT;             -- SHA-256 of the record that it came from
ALTER TABLE tables ADD COLUMN imported_seed TEXT;        -- the seed as that record has it

UPDATE tables SET winner = CASE
    WHEN json_array_length(payoffs) < 2 THEN NULL
    WHEN (SELECT max(value) = min(value) FROM json_each(payoffs)) THEN -1
    WHEN (SELECT count(*) FROM json_each(payoffs) WHERE value = (SELECT max(value) FROM json_each(payoffs))) = 1
    THEN (SELECT key FROM json_each(payoffs) ORDER BY value DESC LIMIT 1)
END WHERE payoffs IS NOT NULL;

CREATE INDEX tables_by_end ON tables (ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX tables_by_kind ON tables (kind, ended_at, id) WHERE ended_at IS NOT NULL;
CREATE UNIQUE INDEX tables_by_import ON tables (imported) WHERE imported IS NOT NULL;
CREATE INDEX seats_by_name ON seats (name COLLATE NOCASE) WHERE name IS NOT NULL;
CREATE INDEX seats_by_agent ON seats (agent) WHERE agent IS NOT NULL;
