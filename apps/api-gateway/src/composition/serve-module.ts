import { NestFactory } from '@nestjs/core';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { LIMITS } from '@launch/contracts/primitives';
import { BodyBudget, CrossOrigin, ErrorFilter, Gate, HttpServer, MethodsByPath, RateLimitService } from '@launch/http';
import type { Registry } from '@launch/platform';
import { decorateCaller } from '../core/accounts/credentials/request-caller.js';
import type { GatewayLimits } from '../platform/configuration/limits.js';
import { OpenApiDocument } from '../platform/openapi/openapi.document.js';
import { measureRequests } from '../platform/operations/request-metrics.js';

/** One sender may hold this fraction of the room for all bodies, and at least one largest body. */
const SHARE_OF_SENDER = 4;

export interface ServedParts {
  readonly limits: GatewayLimits;
  readonly metrics: Registry;
  /** Normalises a target that clients may write in more than one way. */
  readonly rewriteTarget: (target: string) => string;
}

/** Creates the HTTP application of one listener from a module with the providers of `httpProviders`. It does not listen yet. */
export async function serveModule(
  module: DynamicModule,
  { limits, metrics, rewriteTarget }: ServedParts,
): Promise<NestFastifyApplication> {
  const { bodiesInFlightBytes, bodyTimeoutMs } = limits;
  const server = new HttpServer({ rewriteTarget });
  decorateCaller(server.fastify);

  const app = await NestFactory.create<NestFastifyApplication>(module, server.adapter, {
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
  server.attach({
    gate: app.get(Gate),
    filter,
    crossOrigin: app.get(CrossOrigin),
    limits: app.get(RateLimitService),
    bodies,
    bodyTimeoutMs,
    connections: {
      open: limits.connections,
      ofAddress: limits.trustedProxies > 0 ? null : limits.connectionsOfAddress,
    },
  });
  measureRequests(server, bodies, metrics);
  await app.init();
  const methods = app.get(MethodsByPath);
  const served = server.routes.declared();
  for (const { url, methods: names, route } of served) methods.add(url, names, route.family, route.sharing?.audience);
  app.get(OpenApiDocument).describe(app, [...new Set(served.map(({ route }) => route))]);
  return app;
}

/** Starts to listen. Returns the bound port, which the system chooses where `port` is 0. */
export async function listen(app: NestFastifyApplication, port: number, host: string): Promise<number> {
  await app.listen(port, host);
  const bound = app.getHttpServer().address();
  if (bound === null || typeof bound === 'string') throw new TypeError('a listener on TCP has a port');
  return bound.port;
}
