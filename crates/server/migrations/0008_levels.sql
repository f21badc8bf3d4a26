-- Levels are calibrated anew now and then; a record says which of them its `level:N` were.

ALTER TABLE tables ADD COLUMN levels INTEGER;            -- the version of the game's levels when the table was created
