#!/bin/sh
# A PostgreSQL server in a temporary folder, on a socket alone, as long as a command runs; or one of one's own:
#   run.sh with COMMAND …   sets LEDGER_SERVER, by which the tests find it, and stops it in the end
#   run.sh serve FOLDER     makes it in a folder, if it is not there yet, and becomes the server, which listens to
#                           the addresses SERVER_LISTENS, too
set -eu
programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[ -n "$programs" ] || programs=$(dirname "$(command -v postgres)")
# The server refuses to be root.
[ "$(id -u)" != 0 ] || lower="setpriv --reuid=nobody --regid=$(id -g nobody) --clear-groups"
case $1 in
serve)
    folder=$2
    if [ ! -f "$folder/data/PG_VERSION" ]; then
        [ "$(id -u)" != 0 ] || chown nobody "$folder"
        ${lower:-} "$programs/initdb" --pgdata="$folder/data" --username=ledger --auth=trust --encoding=UTF8 --locale=C >/dev/null
    fi
    exec ${lower:-} "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses="${SERVER_LISTENS:-}" -c max_connections=300
    ;;
with)
    shift
    folder=$(mktemp -d)
    chmod 755 "$folder"
    "$0" serve "$folder" >"$folder/log" 2>&1 &
    server=$!
    trap 'kill -INT $server 2>/dev/null; wait $server || true; rm -rf "$folder"' EXIT
    tries=0
    until "$programs/pg_isready" -q -h "$folder" -U ledger; do
        tries=$((tries + 1))
        [ $tries -lt 300 ] || { cat "$folder/log"; exit 1; }
        sleep 0.1
    done
    LEDGER_SERVER="host=$folder user=ledger dbname=postgres" "$@"
    ;;
esac
