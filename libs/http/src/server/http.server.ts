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
import type { Gate } from '../routes/gate.hook.js';
import { tellVersion } from '../routes/response-versions.js';
import { ServedRoutes } from '../routes/served-routes.js';

/** No head has a longer one: what a parameter looks like is its route's affair. */
const MAX_PARAMETER = PARSED_HEAD_BYTES;
/** A connection on which nothing moves, longer than the longest answer is waited for: a reader that reads nothing. */
const IDLE_CONNECTION_MS = 90_000;

export interface HttpServerOptions {
  /** The target that a route is found by, where it is written in more than one way. */
  readonly rewriteTarget: (target: string) => string;
}

/** What stands between a request and its handler; made by Nest, so it is there after the adapter. */
export interface HttpServerParts {
  readonly gate: Gate;
  readonly filter: ErrorFilter;
  readonly limits: RateLimitService;
  readonly bodies: BodyBudget;
  readonly connections: ConnectionBounds;
  /** How long a body may take to arrive. */
  readonly bodyTimeoutMs: number;
}

/** Fastify as every service here runs it: the hooks for what must happen before a body is read, and how connections end. */
export class HttpServer {
  /** For Nest. */
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
      // Nothing here is a middleware: Nest's engine for them would be one more hook of every request.
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

  /** Puts the parts in the way of every request; before the application is initialised. */
  attach({ gate, filter, limits, bodies, bodyTimeoutMs, connections: bounds }: HttpServerParts): void {
    const { fastify } = this;
    acceptRawBodies(fastify, bodies, bodyTimeoutMs);
    boundConnections(fastify.server, bounds);
    const connections = tendConnections(fastify.server, (socket) => limits.countPeer(socket));
    this.connections = connections;
    fastify.addHook('preClose', async () => connections.stop());
    const begin = (request: FastifyRequest, reply: FastifyReply) => {
      beginExchange(request);
      reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
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
      tellVersion(request, reply, request.exchange.route?.family.versions);
      done(null, payload);
    });
  }
}

/** Goes on, at once where nothing is waited for: a hook that makes a promise costs a public read a turn. */
function afterwards(waited: Promise<void> | undefined, done: (error?: Error) => void): void {
  if (waited === undefined) done();
  else
    waited.then(
      () => done(),
      (error: Error) => done(error),
    );
}
