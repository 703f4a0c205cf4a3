import 'reflect-metadata';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { LIMITS, MULTI_ROLE_BASE_PATH } from '@launch/contracts';
import { newRequestId } from '@launch/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppModule, type GatewayParts } from './app.module.js';
import {
  acceptRawBodies,
  beginExchange,
  BodyBudget,
  type Connections,
  decorateExchange,
  ErrorFilter,
  Gate,
  MethodsByPath,
  originForm,
  PARSED_HEAD_BYTES,
  RateLimitService,
  ServedRoutes,
  tendConnections,
} from '@launch/http';
import { decorateCaller } from './accounts/credentials/request-caller.js';
import { OpenApiDocument } from './discovery/openapi/openapi.document.js';
import { measureLaunches } from './multi-role/launch-metrics.js';
import { measureRequests } from './operations/request-metrics.js';

const BASE_WITH_SLASH = new RegExp(`^${MULTI_ROLE_BASE_PATH}/(?=$|\\?)`);
const MAX_PARAMETER = 128;
/** One sender may hold this part of what all bodies may hold together, and one largest body in any case. */
const SHARE_OF_SENDER = 4;
/** A connection on which nothing moves, longer than the longest answer is waited for: a reader that reads nothing. */
const IDLE_CONNECTION_MS = 90_000;

/**
 * The HTTP application over its parts: Nest for modules and handlers, Fastify's hooks for what must happen before
 * a body is read. It listens to nothing yet.
 */
export async function createGatewayApp(parts: GatewayParts): Promise<NestFastifyApplication> {
  const late: {
    refuse?: (error: Error, request: FastifyRequest, reply: FastifyReply) => void;
    connections?: Connections;
  } = {};
  const adapter = new FastifyAdapter({
    genReqId: newRequestId,
    requestIdHeader: false,
    // `<base>/` is the list and create route too; everywhere else a trailing slash names nothing.
    rewriteUrl: ({ url = '/' }: IncomingMessage) => originForm(url).replace(BASE_WITH_SLASH, MULTI_ROLE_BASE_PATH),
    routerOptions: { maxParamLength: MAX_PARAMETER },
    trustProxy: (_address: string, hop: number) => hop < parts.limits.trustedProxies,
    // The router answers a malformed target before any hook runs.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      late.refuse?.(error, request, reply),
    clientErrorHandler: (error: Error, socket: Socket) => late.connections?.unreadable.answer(error, socket),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    connectionTimeout: IDLE_CONNECTION_MS,
    http: {
      maxHeaderSize: PARSED_HEAD_BYTES,
      requireHostHeader: false,
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 2_000,
    },
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  const routes = new ServedRoutes(fastify);
  decorateExchange(fastify);
  decorateCaller(fastify);

  const app = await NestFactory.create<NestFastifyApplication>(AppModule.of(parts), adapter, {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  const filter = app.get(ErrorFilter);
  app.useGlobalFilters(filter);
  const { bodiesInFlightBytes, bodyTimeoutMs } = parts.limits;
  const bodies = new BodyBudget(
    bodiesInFlightBytes,
    Math.max(LIMITS.requestBytes, bodiesInFlightBytes / SHARE_OF_SENDER),
  );
  acceptRawBodies(fastify, bodies, bodyTimeoutMs);
  const limits = app.get(RateLimitService);
  const connections = tendConnections(fastify.server, (socket) => limits.countPeer(socket));
  late.connections = connections;
  fastify.addHook('preClose', async () => connections.stop());
  const gate = app.get(Gate);
  const begin = (request: FastifyRequest, reply: FastifyReply) => {
    beginExchange(request);
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
  };
  const tellQuota = (request: FastifyRequest, reply: FastifyReply) => reply.headers(limits.headersOf(request));
  late.refuse = (error, request, reply) => {
    begin(request, reply);
    void gate.refuseUnrouted(request, error).then((refusal) => {
      tellQuota(request, reply);
      filter.answer(refusal, request, reply);
    });
  };
  fastify.addHook('onRequest', async (request, reply) => {
    begin(request, reply);
    await gate.check(request);
  });
  fastify.addHook('preHandler', (request) => gate.confirm(request));
  fastify.addHook('onSend', (request, reply, payload, done) => {
    tellQuota(request, reply);
    done(null, payload);
  });
  measureRequests(fastify, bodies, parts.metrics);
  measureLaunches(parts.database, parts.metrics, parts.logger);
  await app.init();
  const methods = app.get(MethodsByPath);
  const served = routes.declared();
  for (const { url, methods: names, route } of served) methods.add(url, names, route.family.parameters);
  app.get(OpenApiDocument).describe(app, [...new Set(served.map(({ route }) => route))]);
  return app;
}
