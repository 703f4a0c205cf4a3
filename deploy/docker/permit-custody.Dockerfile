# syntax=docker/dockerfile:1
# The only holder of the permit key: its image carries nothing of the other services.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm run generate && npm run build -- apps/permit-custody

# Only this service's own dependencies, of the same lockfile.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY --from=build /src/package.json /src/package-lock.json ./
COPY --from=build /src/apps/permit-custody/package.json apps/permit-custody/
COPY --from=build /src/libs libs
COPY --from=build /src/prisma/custody prisma/custody
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace apps/permit-custody \
 && rm -rf libs/*/src libs/*/testdata prisma/*/src

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies --chown=root:root /app /app
COPY --from=build --chown=root:root /src/apps/permit-custody/dist apps/permit-custody/dist
USER node
EXPOSE 9464
CMD ["node", "apps/permit-custody/dist/main.js"]
