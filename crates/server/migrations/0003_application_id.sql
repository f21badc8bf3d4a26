-- The file says whose it is (application id) and which migrations it has had (user version); a library's table said so before.

DROP TABLE IF EXISTS _sqlx_migrations;
