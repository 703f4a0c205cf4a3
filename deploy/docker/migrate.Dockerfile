# Applies the migrations of one service, `--build-arg SERVICE=api-gateway|admission|custody|finality|module-review|indexer`, and ends.
# One bundled file and that service's SQL: no Prisma, no engine, nothing of another service.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
ARG SERVICE
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund
RUN node_modules/.bin/esbuild tools/prisma/src/deploy.cli.ts --bundle --platform=node --target=node24 --format=cjs \
      --external:pg-native --external:pg-cloudflare --outfile=/app/deploy.cjs \
 && cp -r "prisma/${SERVICE:?}/migrations" /app/migrations

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production
COPY --from=build --chown=root:root /app /app
WORKDIR /app
USER node
CMD ["node", "deploy.cjs", "migrations"]
