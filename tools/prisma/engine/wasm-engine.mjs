// Prisma's own schema engine, in its WebAssembly build.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

const glue = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');

let panicMessage;
globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  set_message(message) {
    panicMessage = message;
  },
};

/** The message of a panic inside the engine, once there was one. */
export function enginePanic() {
  return panicMessage;
}

export function engineVersion() {
  return JSON.parse(readFileSync(path.join(path.dirname(glue), 'package.json'), 'utf8')).version;
}

export function engineHas(method) {
  return typeof bindings.SchemaEngine.prototype[method] === 'function';
}

/** @param {string[]} schemaFiles @param log receives the engine's own log lines */
export async function loadEngine(schemaFiles, adapterFactory, log) {
  const module = new WebAssembly.Module(readFileSync(glue.replace(/\.js$/, '.wasm')));
  const instance = new WebAssembly.Instance(module, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  const datamodels = schemaFiles.length > 0 ? schemaFiles.map((file) => [file, readFileSync(file, 'utf8')]) : undefined;
  return bindings.SchemaEngine.new({ datamodels }, log, bindMigrationAwareSqlAdapterFactory(adapterFactory));
}
