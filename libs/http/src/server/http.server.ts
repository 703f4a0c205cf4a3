import { traceRequests } from './trace-requests.js';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { newRequestId } from '@launch/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { boundConnections, type ConnectionBounds } from '../connections/connection-bounds.js';
import { tendConnections, type Connections } from '../connections/connections.js';
import type { ErrorFilter } from '../errors/error.filter.js';
import type { RateLimitService } from '../quotas/rate-limit.service.js';
import { acceptRawBodies } from '../requests/raw-bodies.js';
import type { BodyBudget } from '../requests/request-body.js';
import { originForm, PARSED_HEAD_BYTES } from '../requests/request-head.js';
import { beginExchange, decorateExchange } from '../routes/exchange.js';
import type { CrossOrigin } from '../routes/cross-origin.js';
import type { Gate } from '../routes/gate.hook.js';
import { markVersion } from '../routes/response-versions.js';
import { ServedRoutes } from '../routes/served-routes.js';

/** No head has a longer parameter; its form is a property of its route. */
const MAX_PARAMETER = PARSED_HEAD_BYTES;
/** The timeout of a connection without traffic, for clients that do not read; longer than the slowest answer. */
const IDLE_CONNECTION_MS = 90_000;

export interface HttpServerOptions {
  /** Returns the target that the router matches, for targets that can be written in several ways. */
  readonly rewriteTarget: (target: string) => string;
}

/** The parts between a request and its handler. Nest creates them, so they exist after the adapter. */
export interface HttpServerParts {
  readonly gate: Gate;
  readonly filter: ErrorFilter;
  readonly crossOrigin: CrossOrigin;
  readonly limits: RateLimitService;
  readonly bodies: BodyBudget;
  readonly connections: ConnectionBounds;
  /** The timeout of a body in milliseconds. */
  readonly bodyTimeoutMs: number;
}

/**
 * Fastify in the configuration of every service: the hooks that must run before a body is read, and the end of
 * connections.
 */
export class HttpServer {
  /** The adapter for Nest. */
  readonly adapter: FastifyAdapter;
  readonly fastify: FastifyInstance;
  readonly routes: ServedRoutes;
  private refuse: ((error: Error, request: FastifyRequest, reply: FastifyReply) => void) | undefined;
  private connections: Connections | undefined;

  constructor({ rewriteTarget }: HttpServerOptions) {
    this.adapter = new FastifyAdapter({
      genReqId: newRequestId,
      requestIdHeader: false,
      rewriteUrl: ({ url = '/' }: IncomingMessage) => rewriteTarget(originForm(url)),
      routerOptions: { maxParamLength: MAX_PARAMETER },
      // No middleware is used: Nest's engine for it would add a hook to every request.
      skipMiddie: true,
      // The router answers a malformed target before any hook runs.
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
        this.refuse?.(error, request, reply),
      clientErrorHandler: (error: Error, socket: Socket) => this.connections?.unreadable.answer(error, socket),
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
    this.fastify = this.adapter.getInstance() as unknown as FastifyInstance;
    this.routes = new ServedRoutes(this.fastify);
    decorateExchange(this.fastify);
  }

  /** Attaches the parts to every request. Call it before the application is initialised. */
  attach(parts: HttpServerParts): void {
    const { gate, filter, crossOrigin, limits, bodies, bodyTimeoutMs, connections: bounds } = parts;
    const { fastify } = this;
    traceRequests(fastify);
    acceptRawBodies(fastify, bodies, bodyTimeoutMs);
    boundConnections(fastify.server, bounds);
    const connections = tendConnections(fastify.server, (socket) => limits.countPeer(socket));
    this.connections = connections;
    fastify.addHook('preClose', async () => connections.stop());
    const begin = (request: FastifyRequest, reply: FastifyReply) => {
      beginExchange(request);
      reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
      crossOrigin.share(request, reply);
    };
    const tellQuota = (request: FastifyRequest, reply: FastifyReply) => reply.headers(limits.headersOf(request));
    this.refuse = (error, request, reply) => {
      begin(request, reply);
      void gate.refuseUnrouted(request, error).then((refusal) => {
        tellQuota(request, reply);
        filter.answer(refusal, request, reply);
      });
    };
    fastify.addHook('onRequest', (request, reply, done) => {
      begin(request, reply);
      afterwards(gate.check(request), done);
    });
    fastify.addHook('preHandler', (request, _reply, done) => afterwards(gate.confirm(request), done));
    fastify.addHook('onSend', (request, reply, payload, done) => {
      tellQuota(request, reply);
      markVersion(request, reply, request.exchange.route?.family.versions);
      crossOrigin.markVary(request, reply);
      done(null, payload);
    });
  }
}

/**
 * Calls `done`, at once if there is nothing to wait for: a hook with a promise costs a public read an event loop turn.
 */
function afterwards(waited: Promise<void> | undefined, done: (error?: Error) => void): void {
  if (waited === undefined) done();
  else
    waited.then(
      () => done(),
      (error: Error) => done(error),
    );
}
