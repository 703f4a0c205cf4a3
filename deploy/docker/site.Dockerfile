# The website. Its build is one file of server code and the files that it serves, without packages.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /src
COPY . .
# The commit of the sources, which the context has no history of: `--build-arg SOURCE_COMMIT=$(git rev-parse HEAD)`.
ARG SOURCE_COMMIT
RUN node tools/install.mjs && npm run generate && npm run build -- -p site

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
# Owned by root: the process cannot change what it runs.
COPY --from=build --chown=root:root /src/apps/site/dist /app/apps/site/dist
COPY --chown=root:root deploy/docker/healthcheck.mjs /healthcheck.mjs
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/healthcheck.mjs", "3000"]
CMD ["node", "apps/site/dist/server/index.js"]
