#!/bin/sh
# Brings Temporal's two databases to the schema of this release; safe to repeat.
set -eu
SQL_PASSWORD="$(cat /run/secrets/temporal-db-password)"
export SQL_PASSWORD SQL_PLUGIN=postgres12_pgx SQL_HOST=postgres SQL_PORT=5432 SQL_USER=temporal
schema=${TEMPORAL_SCHEMA_DIR:-/etc/temporal/schema}/postgresql/v12
for pair in temporal:temporal temporal_visibility:visibility; do
  database=${pair%%:*}
  temporal-sql-tool --db "$database" setup-schema -v 0.0
  temporal-sql-tool --db "$database" update-schema -d "$schema/${pair##*:}/versioned"
done
