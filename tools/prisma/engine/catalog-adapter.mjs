// @prisma/adapter-pg, made fit for a schema engine. It reads the system catalogs, needs one session for its advisory
// lock and search_path, and sends migration scripts whole.
import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { parseDatasource, runAsMaintenance, withDatabase } from './database-target.mjs';

const CHAR = 18;
const NAME_ARRAY = 1003;
const TEXT = 25;
const TEXT_ARRAY = 1009;

// The adapter refuses these catalog-only types; both read correctly as text.
const READ_AS_TEXT = new Map([
  [CHAR, TEXT],
  [NAME_ARRAY, TEXT_ARRAY],
]);
pg.types.setTypeParser(NAME_ARRAY, pg.types.getTypeParser(TEXT_ARRAY));

function relabel(result) {
  for (const one of Array.isArray(result) ? result : [result]) {
    for (const field of one?.fields ?? []) {
      field.catalogTypeID = field.dataTypeID;
      field.dataTypeID = READ_AS_TEXT.get(field.dataTypeID) ?? field.dataTypeID;
    }
  }
  return result;
}

class CatalogClient extends pg.Client {
  query(...args) {
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      // pg.Pool#query comes in this way.
      args[args.length - 1] = (error, result) => callback(error, relabel(result));
      return super.query(...args);
    }
    const pending = super.query(...args);
    return typeof pending?.then === 'function' ? pending.then(relabel) : pending;
  }
}

/** "char" must reach the engine as Character: constraint and foreign-key actions are codes of that type. */
function keepCharColumns(queryable) {
  const prototype = Object.getPrototypeOf(queryable);
  queryable.queryRaw = async (query) => {
    let fields = [];
    const observed = Object.create(queryable, {
      performIO: {
        value: async (io) => {
          const result = await prototype.performIO.call(queryable, io);
          fields = result.fields;
          return result;
        },
      },
    });
    const rows = await prototype.queryRaw.call(observed, query);
    fields.forEach((field, index) => {
      if (field.catalogTypeID === CHAR) rows.columnTypes[index] = ColumnTypeEnum.Character;
    });
    return rows;
  };
  return queryable;
}

/** Prisma's migration-aware adapter factory for one datasource `{url, shadowDatabaseUrl?}`. */
export class CatalogAdapterFactory {
  provider = 'postgres';
  adapterName = '@prisma/adapter-pg';
  #opened = [];

  constructor(datasource) {
    this.datasource = datasource;
  }

  async connect() {
    if (!this.datasource?.url) throw new Error('datasource.url is empty: set it in prisma.config.ts');
    const target = parseDatasource(this.datasource.url);
    return this.#open(target.connectionString, target.schema);
  }

  async connectToShadowDb() {
    const target = parseDatasource(this.datasource.shadowDatabaseUrl || this.datasource.url);
    const name = pg.escapeIdentifier(`prisma_migrate_shadow_db_${randomUUID()}`);
    await runAsMaintenance(target.connectionString, `CREATE DATABASE ${name} TEMPLATE template0`);
    const database = name.slice(1, -1);
    return this.#open(withDatabase(target.connectionString, database), target.schema, () =>
      runAsMaintenance(target.connectionString, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
    );
  }

  async disposeAll() {
    for (const adapter of this.#opened.splice(0).reverse()) await adapter.dispose();
  }

  async #open(connectionString, schema, onDispose) {
    const pool = new pg.Pool({
      Client: CatalogClient,
      connectionString,
      max: 1,
      options: schema !== 'public' ? `-c search_path=${pg.escapeIdentifier(schema)}` : undefined,
    });
    const adapter = await new PrismaPg(pool, { schema, disposeExternalPool: true }).connect();
    // PrismaPg.executeScript splits at every ';', which breaks function bodies and literals. A query of text
    // alone goes over the simple protocol whole, as the native engine sends it.
    adapter.executeScript = async (sql) => {
      try {
        await pool.query(sql);
      } catch (error) {
        adapter.onError(error);
      }
    };
    keepCharColumns(adapter);
    const startTransaction = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (level) => keepCharColumns(await startTransaction(level));
    const dispose = adapter.dispose.bind(adapter);
    let disposed;
    adapter.dispose = () =>
      (disposed ??= (async () => {
        await dispose();
        await onDispose?.();
      })());
    this.#opened.push(adapter);
    return adapter;
  }
}
