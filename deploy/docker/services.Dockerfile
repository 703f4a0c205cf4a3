# Every image of the product, one target each (deploy/docker/README.md).
#
#   docker build -f deploy/docker/services.Dockerfile --target api-gateway --build-arg SOURCE_COMMIT=$(git rev-parse HEAD) .
#
# The one base image. It builds the product; of it the images contain Node.js and the libraries that Node.js loads.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

# What an installation depends on, so that a change of other sources repeats none.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /src
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc ! -path ./tools/install.mjs -delete \
 && find . -type d -empty -delete

FROM ${NODE_IMAGE} AS installed
WORKDIR /src
COPY --from=manifests /src/ ./
RUN node tools/install.mjs

FROM installed AS sources
COPY . .

# The migrations need the sources, and no build.
FROM sources AS migrations
# The time of every file in the images, in seconds since 1970: the same sources give the same layers.
ARG SOURCE_DATE_EPOCH=0
RUN node deploy/docker/make-migrations.mjs /migrations \
 && find /migrations -exec touch --no-dereference --date="@${SOURCE_DATE_EPOCH}" {} +

FROM ${NODE_IMAGE} AS system
ARG SOURCE_DATE_EPOCH=0
COPY deploy/docker/make-system.mjs deploy/docker/healthcheck.mjs /make/
RUN node /make/make-system.mjs /system \
 && find /system -exec touch --no-dereference --date="@${SOURCE_DATE_EPOCH}" {} +

# Node.js, its libraries and folders for data: no shell, no package manager. Files belong to root, so a process cannot change what it runs.
FROM scratch AS base
COPY --from=system /system/ /
ENV PATH=/usr/local/bin NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
USER 65532:65532
LABEL io.custom-launch.sbom=/app/sbom.cdx.json

# Applies the migrations of one database and ends: one bundled program and that database's SQL, `--build-arg DATABASE=api-gateway`.
FROM base AS migrate
ARG DATABASE
COPY --from=migrations /migrations/${DATABASE}/ /
CMD ["node", "deploy.cjs", "migrations"]

# The packages of each service, and the bill of materials.
FROM installed AS packages
ARG SOURCE_DATE_EPOCH=0
COPY deploy/docker/*.mjs deploy/docker/
RUN node deploy/docker/make-packages.mjs /packages \
 && find /packages -exec touch --no-dereference --date="@${SOURCE_DATE_EPOCH}" {} +

FROM sources AS build
ARG SOURCE_DATE_EPOCH=0
ENV NX_DAEMON=false
# The commit of the sources, which the context has no history of. The build fails without it.
ARG SOURCE_COMMIT
RUN npm run generate
RUN npm run build -- -p api-gateway,admission-worker,permit-custody,finality-worker,module-builder,module-review,indexer,codec-server,blob-collector,site \
 && node deploy/docker/make-programs.mjs /programs \
 && find /programs -exec touch --no-dereference --date="@${SOURCE_DATE_EPOCH}" {} +

FROM base AS service
# A busy machine that starts all services at once takes long to start another Node.js for the check.
HEALTHCHECK --interval=10s --timeout=15s --start-period=120s --retries=3 CMD ["node", "/healthcheck.mjs"]

FROM service AS worker
ENV METRICS_PORT=9464
EXPOSE 9464

# The public API and the worker of its projections. Its other programs are the review console and `launch-admin`.
FROM service AS api-gateway
COPY --from=packages /packages/api-gateway/ /
COPY --from=build /programs/api-gateway/ /
ENV PORT=8080 OPERATIONS_PORT=9464
EXPOSE 8080 9464
CMD ["node", "apps/api-gateway/dist/main.js"]

# The website: one file of server code and the files that it serves, without packages.
FROM service AS site
COPY --from=packages /packages/site/ /
COPY --from=build /programs/site/ /
ENV PORT=3000
EXPOSE 3000
CMD ["node", "apps/site/dist/server/index.js"]

# Compiles, matches, scans, judges and simulates. It holds the admission signing key.
FROM worker AS admission-worker
COPY --from=packages /packages/admission-worker/ /
COPY --from=build /programs/admission-worker/ /
CMD ["node", "apps/admission-worker/dist/main.js"]

# Issues permits. It holds the permit key.
FROM worker AS permit-custody
COPY --from=packages /packages/permit-custody/ /
COPY --from=build /programs/permit-custody/ /
CMD ["node", "apps/permit-custody/dist/main.js"]

# Observes launches to an Ethereum-finalized checkpoint.
FROM worker AS finality-worker
COPY --from=packages /packages/finality-worker/ /
COPY --from=build /programs/finality-worker/ /
CMD ["node", "apps/finality-worker/dist/main.js"]

# Compiles submitted modules. It holds the build signing key, and has no database.
FROM worker AS module-builder
COPY --from=packages /packages/module-builder/ /
COPY --from=build /programs/module-builder/ /
CMD ["node", "apps/module-builder/dist/main.js"]

# Reviews modules: plans, build results and decisions. It compiles nothing.
FROM worker AS module-review
COPY --from=packages /packages/module-review/ /
COPY --from=build /programs/module-review/ /
CMD ["node", "apps/module-review/dist/main.js"]

# Indexes launches of every source: reads, verifies, admits what is final.
FROM worker AS indexer
COPY --from=packages /packages/indexer/ /
COPY --from=build /programs/indexer/ /
CMD ["node", "apps/indexer/dist/main.js"]

# Encrypts and decrypts payloads for the Temporal UI. It holds the payload keys, and reaches neither Temporal nor a database.
FROM worker AS codec-server
COPY --from=packages /packages/codec-server/ /
COPY --from=build /programs/codec-server/ /
ENV PORT=8090
EXPOSE 8090
CMD ["node", "apps/codec-server/dist/main.js"]

# Removes blobs that no database names. It runs once and ends.
FROM base AS blob-collector
COPY --from=packages /packages/blob-collector/ /
COPY --from=build /programs/blob-collector/ /
CMD ["node", "apps/blob-collector/dist/main.js"]
