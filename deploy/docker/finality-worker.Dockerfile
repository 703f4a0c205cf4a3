# Observes launches to an Ethereum-finalized checkpoint.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /src
COPY . .
# The commit of the sources, which the context has no history of: `--build-arg SOURCE_COMMIT=$(git rev-parse HEAD)`.
ARG SOURCE_COMMIT
RUN node tools/install.mjs && npm run generate && npm run build -- -p finality-worker
# The service's closure of workspaces and of the lockfile, and nothing else of the repository.
RUN node deploy/docker/assemble.mjs apps/finality-worker /app

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS dependencies
COPY --from=build /app /app
WORKDIR /app
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production HOST=0.0.0.0 METRICS_PORT=9464
WORKDIR /app
# Owned by root: the process cannot change what it runs.
COPY --from=dependencies --chown=root:root /app /app
COPY --chown=root:root deploy/docker/healthcheck.mjs /healthcheck.mjs
RUN install -d -o node -g node -m 0750 /var/lib/launch/blobs
USER node
EXPOSE 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/healthcheck.mjs", "9464"]
CMD ["node", "apps/finality-worker/dist/main.js"]
