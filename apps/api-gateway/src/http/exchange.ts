import type { FastifyRequest } from 'fastify';
import type { Caller } from '../accounts/credentials/caller.js';
import type { QuotaName, QuotaState } from '../rate-limits/quotas.js';

/** What the gate found out about a request before its handler runs. */
export interface Exchange {
  /** The authenticated caller; null on public routes. */
  caller: Caller | null;
  /** The bucket that was charged last; shown on every answer. */
  quota: { readonly name: QuotaName; readonly state: QuotaState } | null;
}

const exchanges = new WeakMap<object, Exchange>();

/** The exchange of a request; made empty when first asked for. */
export function exchangeOf(request: FastifyRequest): Exchange {
  let exchange = exchanges.get(request.raw);
  if (exchange === undefined) {
    exchange = { caller: null, quota: null };
    exchanges.set(request.raw, exchange);
  }
  return exchange;
}

/** The caller of a protected route; the gate has let nobody else through. */
export function callerOf(request: FastifyRequest): Caller {
  const { caller } = exchangeOf(request);
  if (caller === null) throw new TypeError('the route is not protected');
  return caller;
}

/** The raw body of a POST as it arrived. */
export function bodyOf(request: FastifyRequest): Buffer<ArrayBuffer> {
  if (!Buffer.isBuffer(request.body)) throw new TypeError('the route has no body');
  return request.body as Buffer<ArrayBuffer>;
}
