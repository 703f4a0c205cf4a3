# syntax=docker/dockerfile:1
# The public API and the worker of its own projection activities.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm run generate && npm run build -- apps/api-gateway

# Only this service's own dependencies, of the same lockfile.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY --from=build /src/package.json /src/package-lock.json ./
COPY --from=build /src/apps/api-gateway/package.json apps/api-gateway/
COPY --from=build /src/libs libs
COPY --from=build /src/prisma/api-gateway prisma/api-gateway
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace apps/api-gateway \
 && rm -rf libs/*/src libs/*/testdata prisma/*/src

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies --chown=root:root /app /app
COPY --from=build --chown=root:root /src/apps/api-gateway/dist apps/api-gateway/dist
USER node
EXPOSE 8080
CMD ["node", "apps/api-gateway/dist/main.js"]
