#!/bin/sh
# Makes the cluster on the first start: POSTGRES_PASSWORD_FILE, POSTGRES_INITDB_ARGS and the SQL in /docker-entrypoint-initdb.d.
# Until that is done, the server listens on its socket only.
set -eu
if [ "${1:-}" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  # The next start begins anew after one that failed.
  trap 'rm -rf "$PGDATA"' EXIT
  mkdir -p "$PGDATA"
  chmod 0700 "$PGDATA"
  # shellcheck disable=SC2086 # a list of arguments
  initdb --username=postgres --pwfile="$POSTGRES_PASSWORD_FILE" --auth-local=trust ${POSTGRES_INITDB_ARGS:-}
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl --wait -o "-c listen_addresses=''" start
  for file in /docker-entrypoint-initdb.d/*.sql; do
    [ -e "$file" ] || continue
    psql --no-psqlrc --quiet -v ON_ERROR_STOP=1 --username=postgres --file="$file"
  done
  pg_ctl --wait --mode=fast stop
  trap - EXIT
fi
if [ "${1:-}" = postgres ]; then set -- "$@" -c 'listen_addresses=*'; fi
exec "$@"
