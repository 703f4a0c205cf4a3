# syntax=docker/dockerfile:1
# Observes launches to an Ethereum-finalized checkpoint.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm run generate && npm run build -- apps/finality-worker

# Only this service's own dependencies, of the same lockfile.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY --from=build /src/package.json /src/package-lock.json ./
COPY --from=build /src/apps/finality-worker/package.json apps/finality-worker/
COPY --from=build /src/libs libs
COPY --from=build /src/prisma/finality prisma/finality
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace apps/finality-worker \
 && rm -rf libs/*/src libs/*/testdata prisma/*/src

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies --chown=root:root /app /app
COPY --from=build --chown=root:root /src/apps/finality-worker/dist apps/finality-worker/dist
USER node
EXPOSE 9464
CMD ["node", "apps/finality-worker/dist/main.js"]
