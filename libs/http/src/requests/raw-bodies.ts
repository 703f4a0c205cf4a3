import type { FastifyInstance, FastifyRequest } from 'fastify';
import { declaredLength, readBody, type BodyAccount, type BodyBudget } from './request-body.js';

declare module 'fastify' {
  interface FastifyRequest {
    bodyAccount: BodyAccount | null;
  }
}

/** Accepts bodies as raw bytes, bounded by the route's size, a timeout, and the budget of process and sender. */
export function acceptRawBodies(fastify: FastifyInstance, budget: BodyBudget, timeoutMs: number): void {
  fastify.decorateRequest('bodyAccount', null);
  fastify.removeAllContentTypeParsers();
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    const maxBytes = request.exchange.route?.body?.maxBytes;
    if (maxBytes === undefined) return done(null, payload);
    const account = budget.open(
      request.exchange.lineageId ?? 'anonymous',
      Math.min(declaredLength(request.raw) ?? 0, maxBytes),
    );
    request.bodyAccount = account;
    // Held until the answer is sent, which is the lifetime of the bytes.
    if (reply.raw.closed) account.close();
    else reply.raw.once('close', () => account.close());
    if (request.headers.expect?.toLowerCase() === '100-continue' && request.raw.httpVersion !== '1.0')
      reply.raw.writeContinue();
    done(null, payload);
  });
  fastify.addContentTypeParser('*', async (request: FastifyRequest) => {
    return readBody(request.raw, {
      maxBytes: request.exchange.route?.body?.maxBytes ?? 0,
      timeoutMs,
      account: request.bodyAccount ?? NO_BODY,
    });
  });
}

/** The account of a route that takes no body. */
const NO_BODY: BodyAccount = { take: () => undefined, close: () => undefined };
