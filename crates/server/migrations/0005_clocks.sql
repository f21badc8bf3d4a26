-- Clocks: when a table's began to run, what each ply took of its seat's, and which seats' time ran out; and offers of a draw.

ALTER TABLE tables ADD COLUMN clock_started INTEGER;     -- milliseconds since 1970
ALTER TABLE plies ADD COLUMN used INTEGER;               -- milliseconds
ALTER TABLE seats ADD COLUMN flagged INTEGER;            -- 1 where `resigned` says when the time ran out
ALTER TABLE seats ADD COLUMN draw_offered INTEGER;       -- after so many plies
