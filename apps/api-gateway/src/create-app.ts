import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { LIMITS, MULTI_ROLE_BASE_PATH } from '@launch/contracts';
import { BodyBudget, ErrorFilter, Gate, HttpServer, MethodsByPath, RateLimitService } from '@launch/http';
import { decorateCaller } from './accounts/credentials/request-caller.js';
import { AppModule, type GatewayParts } from './app.module.js';
import { OpenApiDocument } from './discovery/openapi/openapi.document.js';
import { measureLaunches } from './multi-role/launch-metrics.js';
import { measureRequests } from './operations/request-metrics.js';

const BASE_WITH_SLASH = new RegExp(`^${MULTI_ROLE_BASE_PATH}/(?=$|\\?)`);
/** One sender may hold this part of what all bodies may hold together, and one largest body in any case. */
const SHARE_OF_SENDER = 4;

/** The HTTP application over its parts: Nest for modules and handlers. It listens to nothing yet. */
export async function createGatewayApp(parts: GatewayParts): Promise<NestFastifyApplication> {
  const { bodiesInFlightBytes, bodyTimeoutMs, trustedProxies } = parts.limits;
  const server = new HttpServer({
    trustedProxies,
    // `<base>/` is the list and create route too; everywhere else a trailing slash names nothing.
    rewriteTarget: (target) => target.replace(BASE_WITH_SLASH, MULTI_ROLE_BASE_PATH),
  });
  decorateCaller(server.fastify);

  const app = await NestFactory.create<NestFastifyApplication>(AppModule.of(parts), server.adapter, {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  const filter = app.get(ErrorFilter);
  app.useGlobalFilters(filter);
  const bodies = new BodyBudget(
    bodiesInFlightBytes,
    Math.max(LIMITS.requestBytes, bodiesInFlightBytes / SHARE_OF_SENDER),
  );
  server.attach({ gate: app.get(Gate), filter, limits: app.get(RateLimitService), bodies, bodyTimeoutMs });
  measureRequests(server.fastify, bodies, parts.metrics);
  measureLaunches(parts.database, parts.metrics, parts.logger);
  await app.init();
  const methods = app.get(MethodsByPath);
  const served = server.routes.declared();
  for (const { url, methods: names, route } of served) methods.add(url, names, route.family);
  app.get(OpenApiDocument).describe(app, [...new Set(served.map(({ route }) => route))]);
  return app;
}
