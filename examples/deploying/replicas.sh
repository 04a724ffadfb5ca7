#!/bin/sh
# Serve two replicas behind nginx at http://127.0.0.1:8080/tools/mcp until stopped. From the folder of a project:
#
#     TOOLSPEC_STORE=postgresql://db.example/tools replicas.sh --handlers todo=app.todo:Todo
#
# The arguments are further options of `python -m toolspec.serving`. The default store is a file, which is enough
# on one machine.
set -eu
configuration=$(cd "$(dirname "$0")" && pwd)/nginx.conf
mkdir -p run
processes=
trap 'kill $processes 2>/dev/null; wait' EXIT
trap exit INT TERM
for name in one two; do
    python -m toolspec.serving --transport http --replica "$name" --unix-socket "run/$name.sock" \
        --path /tools/mcp --trust-proxy unix "$@" &
    processes="$processes $!"
done
nginx -p "$PWD" -c "$configuration" &
processes="$processes $!"
wait
