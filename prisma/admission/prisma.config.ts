import path from 'node:path';
import { defineConfig } from 'prisma/config';

// Prisma's CLI would download a native engine; ours runs Prisma's own WebAssembly build.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= path.resolve(
  import.meta.dirname,
  '../../tools/prisma/engine/schema-engine.mjs',
);

export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  // Generating and validating need no database; every other command receives its address.
  datasource: { url: process.env['ADMISSION_DATABASE_URL'] ?? 'postgresql://127.0.0.1:1/unset' },
});
