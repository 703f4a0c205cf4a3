import { sendJson } from '@launch/http';
import type { FastifyReply } from 'fastify';

/** Sends an answer that caches must not keep: it may be stale a second later. */
export function sendLive(reply: FastifyReply, value: object): void {
  reply.header('cache-control', 'no-store');
  sendJson(reply, value);
}
