#!/bin/sh
# Executes the steps of a service's Dockerfile by hand, in a temporary folder and without a container engine:
# checkout, install, generate, build, assemble, npm ci --omit=dev, start. Started without configuration, the process must
# get past its imports and name what it lacks; pointed to a context of custom launches that is not there, name that. Takes minutes and a few GB of temporary space.
#
#   deploy/docker/try-image.sh <api-gateway|admission-worker|permit-custody|finality-worker|module-builder|module-review|indexer|codec-server|blob-collector>
set -eu
service=${1:?which service}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

git clone -q "$root" "$work/src"
cd "$work/src"
node tools/install.mjs
# The images' Node: the one the repository pins.
PATH="$work/src/node_modules/node/bin:$PATH"
export PATH
npm run generate
npm run build -- -p "$service"
node deploy/docker/assemble.mjs "apps/$service" "$work/app"

cd "$work/app"
npm ci --omit=dev --ignore-scripts --no-audit --no-fund

program="apps/$service/dist/main.js"
# Starts the program with nothing but these variables; it must end and say this of its configuration.
ends_with() {
  said=$1; shift
  code=0
  env -i PATH="$PATH" NODE_ENV=production "$@" node "$program" > "$work/out" 2>&1 || code=$?
  cat "$work/out"
  [ "$code" -eq 1 ] && grep -q "configuration: .*$said" "$work/out" || { echo "$service ended with $code and not for its configuration" >&2; exit 1; }
}
# The services of modules know no context, the builder no database, and the codec server neither.
if [ "$service" = module-builder ]; then
  ends_with 'BLOB_STORE: is required'
elif [ "$service" = codec-server ]; then
  ends_with 'CODEC_KEY_FILES: is required'
elif [ "$service" = blob-collector ]; then
  ends_with 'GATEWAY_DATABASE_URL: is required'
elif [ "$service" = module-review ] || [ "$service" = indexer ]; then
  ends_with 'DATABASE_URL: is required'
else
  ends_with 'DATABASE_URL: is required'
  ends_with 'CUSTOM_LAUNCH_CONTEXT_FILE: ' CUSTOM_LAUNCH_CONTEXT_FILE=/run/launch/custom-launch/context.json
fi
# The image's second program.
if [ "$service" = api-gateway ]; then
  program=apps/api-gateway/dist/composition/review-console/main.js
  ends_with 'DATABASE_URL: is required'
fi
echo "$service: its image would start"
