-- A record that comes back to the server where its game was played is found by the game's seed.

CREATE INDEX tables_by_seed ON tables (seed);
