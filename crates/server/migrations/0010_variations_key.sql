-- Where nobody holds a seat, at imported games and where only engines play, variations are written with a key that who
-- imported the game or created the table was given.

ALTER TABLE tables ADD COLUMN variations_key BLOB CHECK (length(variations_key) = 32); -- SHA-256 of the key, if there is one
