#!/usr/bin/env node
// Replaces Prisma's native `schema-engine` executable (PRISMA_SCHEMA_ENGINE_BINARY), which its CLI would download.
// Speaks the CLI's line-delimited JSON-RPC on stdin and stdout and hands every call to Prisma's own WebAssembly engine,
// which reaches PostgreSQL through @prisma/adapter-pg.
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { CatalogAdapterFactory } from './catalog-adapter.mjs';
import { parseDatasource, runAsMaintenance } from './database-target.mjs';
import { engineHas, enginePanic, engineVersion, loadEngine } from './wasm-engine.mjs';

const METHOD_NOT_FOUND = -32601;
const ENGINE_ERROR = 4466;
const PANIC_EXIT_CODE = 101;

// In the WebAssembly build these two never ask for a shadow database. They need the state of the migrations that
// devDiagnostic leaves in the engine's cache, and applyMigrations empties that cache.
const NEEDS_DIAGNOSED_MIGRATIONS = new Set(['evaluateDataLoss', 'createMigration']);

const options = parseArguments(process.argv.slice(2));
const factory = new CatalogAdapterFactory(options.datasource);
const debugLog = (line) => {
  if (process.env.SCHEMA_ENGINE_LOG) process.stderr.write(`${line}\n`);
};

if (options.version) process.stdout.write(`schema-engine-wasm ${engineVersion()}\n`);
else if (options.command !== undefined) process.exitCode = await runCommand(options.command);
else serve();

function parseArguments(args) {
  const parsed = { schemaFiles: [], datasource: undefined, command: undefined, version: false };
  for (let i = 0; i < args.length; i += 1) {
    switch (args[i]) {
      case '--datamodels':
        parsed.schemaFiles.push(args[(i += 1)]);
        break;
      case '--datasource':
        parsed.datasource = JSON.parse(args[(i += 1)]);
        break;
      case '--enabled-preview-features':
      case '--extension-types':
        i += 1;
        break;
      case 'cli':
        parsed.command = args[(i += 1)];
        break;
      case '--version':
      case '-V':
        parsed.version = true;
        break;
    }
  }
  return parsed;
}

function logLine(level, message, extra = {}) {
  process.stderr.write(
    `${JSON.stringify({ timestamp: new Date().toISOString(), level, fields: { message, ...extra }, target: 'schema_engine::logger' })}\n`,
  );
}

/** The engine's `cli` sub-commands; returns the exit code. */
async function runCommand(command) {
  logLine('INFO', 'Starting schema engine CLI');
  const target = parseDatasource(options.datasource.url);
  try {
    if (command === 'can-connect-to-database') {
      const client = new pg.Client({ connectionString: target.connectionString, connectionTimeoutMillis: 10_000 });
      await client.connect();
      await client.end();
    } else if (command === 'create-database' || command === 'drop-database') {
      const verb = command === 'create-database' ? 'CREATE' : 'DROP';
      await runAsMaintenance(target.connectionString, `${verb} DATABASE ${pg.escapeIdentifier(target.database)}`);
    } else {
      throw Object.assign(new Error(`unknown command ${command}`), { code: 'P1000' });
    }
    return 0;
  } catch (error) {
    const { code, message } = asPrismaError(error, target);
    logLine('ERROR', message, { error_code: code, is_panic: false });
    return 1;
  }
}

function asPrismaError(error, target) {
  switch (error.code) {
    case '3D000':
      return { code: 'P1003', message: `Database \`${target.database}\` does not exist` };
    case '28P01':
      return { code: 'P1000', message: 'Authentication failed against the database server' };
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
      return { code: 'P1001', message: `Can't reach database server at ${new URL(target.connectionString).host}` };
    default:
      return { code: error.code ?? 'P1010', message: error.message };
  }
}

function serve() {
  let engine;
  let queue = Promise.resolve();
  /** Prints the CLI has not acknowledged yet. */
  const printing = new Map();
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  const print = async (content) => {
    const id = randomUUID();
    const acknowledged = new Promise((resolve) => printing.set(id, resolve));
    send({ id, method: 'print', params: { content } });
    await acknowledged;
  };

  const call = async (method, params) => {
    if (method === 'createDatabase') {
      const target = parseDatasource(params.datasource?.url ?? options.datasource.url);
      await runAsMaintenance(target.connectionString, `CREATE DATABASE ${pg.escapeIdentifier(target.database)}`);
      return { databaseName: target.database };
    }
    const name = method === 'getDatabaseVersion' ? 'version' : method;
    if (!engineHas(name)) throw Object.assign(new Error(`Method not found: ${method}`), { rpcCode: METHOD_NOT_FOUND });
    engine ??= await loadEngine(options.schemaFiles, factory, debugLog);
    if (NEEDS_DIAGNOSED_MIGRATIONS.has(name)) {
      await engine.devDiagnostic({ migrationsList: params.migrationsList, filters: params.filters });
    }
    const result = (await engine[name](name === 'introspect' ? { namespaces: null, ...params } : params)) ?? null;
    if (name !== 'diff' || !result.stdout) return result;
    await print(result.stdout);
    return { ...result, stdout: null };
  };

  const handle = async ({ id, method, params }) => {
    debugLog(`RPC ${method}`);
    try {
      send({ id, result: await call(method, params) });
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError || enginePanic() !== undefined)
        return panic(enginePanic() ?? error.message);
      send({
        id,
        error: {
          code: error.rpcCode ?? ENGINE_ERROR,
          message: 'An error happened. Check the data field for details.',
          data: {
            is_panic: false,
            message: String(error?.message ?? error),
            meta: error.meta ?? null,
            error_code: error.code ?? null,
          },
        },
      });
    }
  };

  process.on('uncaughtException', (error) => panic(enginePanic() ?? String(error?.stack ?? error)));

  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  lines.on('line', (line) => {
    if (!line.trim()) return;
    const message = JSON.parse(line);
    if (message.method === undefined) {
      printing.get(message.id)?.();
      printing.delete(message.id);
      return;
    }
    queue = queue.then(() => handle(message));
  });
  lines.on('close', () => {
    queue.finally(async () => {
      try {
        engine?.free();
        await factory.disposeAll();
      } finally {
        process.exit(0);
      }
    });
  });
}

function panic(message) {
  const line = JSON.stringify({ level: 'ERROR', fields: { message }, target: 'schema_engine::logger' });
  process.stderr.write(`${line}\n`, () => process.exit(PANIC_EXIT_CODE));
}
