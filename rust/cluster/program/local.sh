#!/usr/bin/env bash
# A cluster on this machine, with certificates of its own: a scheduler at localhost:50050 and two executors, until Ctrl-C.
#
#   rust/cluster/program/local.sh PLACE    certificates are made in PLACE, and shuffle files
set -euo pipefail
place=${1:?where certificates and shuffle files go}
program=${PROGRAM:-indistinct-cluster}
mkdir -p "$place"
chmod 700 "$place"
cd "$place"
if [ ! -f member.crt ]; then
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=authority -keyout authority.key -out authority.crt
    printf 'subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n' >names
    openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout member.key -out member.csr
    openssl x509 -req -days 30 -in member.csr -CA authority.crt -CAkey authority.key -CAcreateserial -extfile names -out member.crt
fi
tls=(--authority authority.crt --certificate member.crt --key member.key)
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
"$program" scheduler --listen 127.0.0.1:50050 "${tls[@]}" &
until (exec 3<>/dev/tcp/127.0.0.1/50050) 2>/dev/null; do sleep 0.1; done
"$program" executor --listen 127.0.0.1:50051 --directory . "${tls[@]}" &
"$program" executor --listen 127.0.0.1:50052 --directory . "${tls[@]}" &
wait -n
