// Fastify that asks PostgreSQL one question through bare `pg` for each request, and then sends what it was given.
import { fastify } from 'fastify';
import { Pool } from 'pg';
import type { BareAnswer } from './bare-fastify.child.js';

export interface AskedAnswer extends BareAnswer {
  readonly databaseUrl: string;
  readonly connections: number;
  readonly question: string;
  readonly values: readonly unknown[];
  /** Rows that every answer of the database must have. */
  readonly rows: number;
}

process.on('message', (message) => {
  const { path, contentType, bodyBase64, databaseUrl, connections, question, values, rows } = message as AskedAnswer;
  const pool = new Pool({ connectionString: databaseUrl, max: connections });
  const app = fastify();
  const body = Buffer.from(bodyBase64, 'base64');
  app.get(path, async (_request, reply) => {
    const { rowCount } = await pool.query(question, [...values]);
    if (rowCount !== rows) throw new Error(`${String(rowCount)} rows instead of ${rows}`);
    return reply.header('content-type', contentType).send(body);
  });
  app.listen({ port: 0, host: '127.0.0.1' }).then(
    (url) => process.send?.({ port: Number(new URL(url).port) }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
