// Fastify that charges the address of each request as the gateway does, asks PostgreSQL some questions at once through bare
// `pg`, each prepared, and then sends what it was given; 304 to who names its entity tag.
import { fastify } from 'fastify';
import { Pool } from 'pg';
import { addressCharges, type AddressCharge } from './address-charge.js';
import type { BareAnswer } from './bare-fastify.child.js';

export interface Question {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface ChargedAskingAnswer extends BareAnswer {
  readonly charge: AddressCharge;
  readonly databaseUrl: string;
  readonly connections: number;
  readonly questions: readonly Question[];
  readonly etag: string;
}

process.on('message', (message) => {
  const served = message as ChargedAskingAnswer;
  const limits = addressCharges(served.charge);
  const pool = new Pool({ connectionString: served.databaseUrl, max: served.connections });
  const app = fastify();
  const body = Buffer.from(served.bodyBase64, 'base64');
  app.decorateRequest('exchange');
  app.get(served.path, async (request, reply) => {
    request.exchange = { quota: null } as never;
    await limits.chargeAddress(request);
    const answers = await Promise.all(
      served.questions.map(({ values, ...one }) => pool.query({ ...one, values: [...values] })),
    );
    if (answers.some(({ rowCount }) => rowCount === null)) throw new Error('a question has no rows');
    reply.headers(limits.headersOf(request)).header('etag', served.etag);
    if (request.headers['if-none-match'] === served.etag) return reply.code(304).send();
    return reply.header('content-type', served.contentType).send(body);
  });
  app.listen({ port: 0, host: '127.0.0.1' }).then(
    (url) => process.send?.({ port: Number(new URL(url).port) }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
