import { sendJson } from '@launch/http';
import type { FastifyReply } from 'fastify';

/** What is true now may be false in a second. */
export function sendLive(reply: FastifyReply, value: object): void {
  reply.header('cache-control', 'no-store');
  sendJson(reply, value);
}
