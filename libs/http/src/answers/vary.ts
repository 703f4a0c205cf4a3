import type { FastifyReply } from 'fastify';

/** Adds a request header to those on which an answer depends. */
export function varyBy(reply: FastifyReply, header: string): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? header : `${String(vary)}, ${header}`);
}
