-- Tables may begin with a position, and a spec means what it meant in the version of the record format it was written
-- with: tables from before this column were written with version 1.

ALTER TABLE tables ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE tables ADD COLUMN position TEXT;             -- that play began with, hidden things in full
ALTER TABLE tables ADD COLUMN position_seen_by INTEGER;  -- the seat whose view was given, where it hid something
