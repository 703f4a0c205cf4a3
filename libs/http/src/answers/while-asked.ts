import type { FastifyReply } from 'fastify';

/** Returns a signal that aborts if the client disconnects before its answer, so that abandoned work stops. */
export function whileAsked(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const onClose = (): void => {
    if (!reply.raw.writableEnded) gone.abort();
  };
  if (reply.raw.closed) onClose();
  else reply.raw.once('close', onClose);
  return gone.signal;
}
