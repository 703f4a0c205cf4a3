import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { QuotaState } from '../quotas/quotas.js';
import type { RouteDefinition } from './route.definition.js';

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange;
  }
}

/** What the gate found out about a request before its handler runs. */
export interface Exchange {
  /** The route that the request was found to ask for: Fastify makes its options anew each time they are read. */
  readonly route: RouteDefinition | undefined;
  /** The lineage of the key that was accepted; null on public routes. */
  lineageId: string | null;
  /** The bucket that was charged last; shown on every answer. */
  quota: { readonly name: string; readonly state: QuotaState } | null;
  /** What the route's query schema made of the query; empty where the route takes none. */
  query: object;
}

/** Gives every request a place for its exchange: of one shape, so that requests stay fast to read. */
export function decorateExchange(fastify: FastifyInstance): void {
  fastify.decorateRequest('exchange', null as unknown as Exchange);
}

const NO_QUERY = {};

/** Begins the exchange of a request; before anything is counted. */
export function beginExchange(request: FastifyRequest): void {
  request.exchange = {
    // A request that the router refuses has no options.
    route: request.routeOptions?.config?.route,
    lineageId: null,
    quota: null,
    query: NO_QUERY,
  };
}

/** The query as the route's schema reads it. */
export const queryOf = <Query extends object>({ exchange }: FastifyRequest): Query => exchange.query as Query;

/** The raw body of a POST as it arrived. */
export function bodyOf(request: FastifyRequest): Buffer<ArrayBuffer> {
  if (!Buffer.isBuffer(request.body)) throw new TypeError('the route has no body');
  return request.body as Buffer<ArrayBuffer>;
}
