import { context, SpanKind, trace } from '@opentelemetry/api';
import type pg from 'pg';
import { statementName } from '../postgres/statement-names.js';
import { inSpan } from './spans.js';

type Query = (...args: unknown[]) => unknown;

/**
 * Traces the statements of a pool that run under an active span. A span has the name of the statement, or the first
 * word of a text that has none; it has no text and no values.
 */
export function tracePool(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
  const query = traced(pool.query.bind(pool) as Query);
  const checkOut = async (): Promise<pg.PoolClient> => tracedClient((await connect()) as pg.PoolClient);
  Object.assign(pool, { query, connect: (...args: unknown[]) => (args.length > 0 ? connect(...args) : checkOut()) });
}

/** Returns a view of a client whose statements are traced. The pool keeps the client itself. */
function tracedClient(client: pg.PoolClient): pg.PoolClient {
  const query = traced(client.query.bind(client) as Query);
  return new Proxy(client, {
    get(target, property) {
      if (property === 'query') return query;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value as Query).bind(target) : value;
    },
  });
}

const traced =
  (query: Query): Query =>
  (...args) => {
    const last = args.at(-1);
    if (typeof last === 'function' || trace.getSpan(context.active()) === undefined) return query(...args);
    const [config] = args as [string | { readonly text: string }];
    const text = typeof config === 'string' ? config : config.text;
    const name = statementName(text);
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
    return inSpan(name, SpanKind.CLIENT, attributes, () => query(...args) as Promise<unknown>);
  };
