// Fastify with nothing around it, in a process of its own as the gateway is: sends what it was given.
import { fastify } from 'fastify';

export interface BareAnswer {
  readonly path: string;
  readonly contentType: string;
  readonly bodyBase64: string;
}

process.on('message', (message) => {
  const app = fastify();
  for (const { path, contentType, bodyBase64 } of message as readonly BareAnswer[]) {
    const body = Buffer.from(bodyBase64, 'base64');
    app.get(path, (_request, reply) => reply.header('content-type', contentType).send(body));
  }
  app.listen({ port: 0, host: '127.0.0.1' }).then(
    (url) => process.send?.({ port: Number(new URL(url).port) }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
