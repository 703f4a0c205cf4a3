import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { QuotaState } from '@launch/platform/quotas';
import type { RouteDefinition } from './route.definition.js';

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange;
  }
}

/** The gate's results about a request, available before its handler runs. */
export interface Exchange {
  /** The matched route. Stored, because Fastify rebuilds the options on each access. */
  readonly route: RouteDefinition | undefined;
  /** The lineage of the accepted key; null on public routes. */
  lineageId: string | null;
  /** The bucket that was charged last; every answer shows it. */
  quota: { readonly name: string; readonly state: QuotaState } | null;
  /** The query as parsed by the route's schema; empty if the route takes none. */
  query: object;
}

/** Gives every request a member for its exchange, so that requests keep one shape and stay fast to read. */
export function decorateExchange(fastify: FastifyInstance): void {
  fastify.decorateRequest('exchange', null as unknown as Exchange);
}

const NO_QUERY = {};

/** Begins the exchange of a request, before anything is counted. */
export function beginExchange(request: FastifyRequest): void {
  request.exchange = {
    // A request that the router refuses has no options.
    route: request.routeOptions?.config?.route,
    lineageId: null,
    quota: null,
    query: NO_QUERY,
  };
}

/** Returns the query as parsed by the route's schema. */
export const queryOf = <Query extends object>({ exchange }: FastifyRequest): Query => exchange.query as Query;

/** Returns the raw body of a POST as it arrived. */
export function bodyOf(request: FastifyRequest): Buffer<ArrayBuffer> {
  if (!Buffer.isBuffer(request.body)) throw new TypeError('the route has no body');
  return request.body as Buffer<ArrayBuffer>;
}
