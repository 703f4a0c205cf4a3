import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { newRequestId } from '@launch/platform';
import type { FastifyReply } from 'fastify';
import type { RateLimitService } from '../quotas/rate-limit.service.js';
import { announcesBody } from '../requests/request-body.js';
import { headFault } from '../requests/request-head.js';
import type { RouteDefinition } from '../routes/route.definition.js';

declare module 'fastify' {
  interface FastifyInstance {
    standingAnswers: StandingAnswers;
  }
}

/** What a public route answered and would answer again. */
interface StandingAnswer {
  readonly route: RouteDefinition;
  readonly body: Buffer;
  /** Names and values in turns, of every header that each sending of it has. */
  readonly headers: readonly string[];
  readonly isCurrent: () => boolean;
}

/** Told of each answer that was sent whole. */
export type StandingAnswered = (route: RouteDefinition, target: string, seconds: number) => void;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Of one answer and not of the next; the connection's own are Node's. */
const OF_ONE_ANSWER = new Set(['x-request-id', 'ratelimit', 'ratelimit-policy']);

/**
 * Answers of public routes that are sent again as they were while they are current: counted, identified and measured as
 * all others are, without the framework's way to their handler. Whatever is not plain about a request goes that way: a
 * query, a body, an entity tag, a fault in its head, an address for which no slot is held.
 */
export class StandingAnswers {
  private readonly byTarget = new Map<string, StandingAnswer>();
  private onAnswered: StandingAnswered | undefined;
  private limits: RateLimitService | undefined;

  /** Stands before everything that a server's requests go to. @throws TypeError unless that is one listener */
  constructor(server: Server) {
    const [handle, ...others] = server.listeners('request') as Handle[];
    if (handle === undefined || others.length > 0) throw new TypeError('a server has one listener for its requests');
    server.off('request', handle);
    server.on('request', (request, response) => {
      if (!this.answers(request, response)) handle(request, response);
    });
  }

  /** Begins; until then every request goes on. */
  begin(limits: RateLimitService): void {
    this.limits = limits;
  }

  /** Connections end now, which the framework tells their clients. */
  stop(): void {
    this.limits = undefined;
  }

  observe(onAnswered: StandingAnswered): void {
    this.onAnswered = onAnswered;
  }

  /**
   * Keeps an answer whose headers are set and which is about to be sent.
   * @param isCurrent asked before each sending; false sends the request to its handler, which may keep another.
   */
  keep(reply: FastifyReply, body: Buffer, isCurrent: () => boolean): void {
    const { request } = reply;
    const { route } = request.exchange;
    // One for each route at most: whoever asks chooses among them, and makes none.
    const target = request.raw.url;
    if (target === undefined || this.byTarget.get(target)?.body === body) return;
    if (route === undefined || !isPublicPage(route) || request.method !== 'GET' || route.path !== target) return;
    const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      OF_ONE_ANSWER.has(name) || value === undefined ? [] : [name, String(value)],
    );
    headers.push('content-length', String(body.byteLength));
    this.byTarget.set(target, { route, body, headers, isCurrent });
  }

  private answers(request: IncomingMessage, response: ServerResponse): boolean {
    const { url: target = '', method } = request;
    const standing = method === 'GET' ? this.byTarget.get(target) : undefined;
    if (standing === undefined || this.limits === undefined || !isPlain(request) || !standing.isCurrent()) return false;
    const { route } = standing;
    const counted = this.limits.countHeld(request, route.quota);
    if (counted === null) return false;
    const startedAt = performance.now();
    response.once('finish', () => this.onAnswered?.(route, target, (performance.now() - startedAt) / 1_000));
    const headers = [...standing.headers, 'x-request-id', newRequestId()];
    for (const name in counted) headers.push(name, counted[name] as string);
    response.writeHead(200, headers);
    response.end(standing.body);
    return true;
  }
}

/** Its answer depends on nothing that a request brings but its entity tag. */
const isPublicPage = ({ scopes, quota, query, body, family, path }: RouteDefinition): boolean =>
  scopes === null &&
  quota !== 'probe' &&
  query === undefined &&
  body === undefined &&
  family.versions === undefined &&
  !path.includes('{');

const isPlain = (request: IncomingMessage): boolean =>
  headFault(request) === null && request.headers['if-none-match'] === undefined && !announcesBody(request);
