import type { FastifyReply } from 'fastify';

/** Aborts when the client goes away before it is answered: what nobody waits for any more is not worked on. */
export function whileAsked(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const onClose = (): void => {
    if (!reply.raw.writableEnded) gone.abort();
  };
  if (reply.raw.closed) onClose();
  else reply.raw.once('close', onClose);
  return gone.signal;
}
