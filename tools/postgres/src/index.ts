export { startPostgres, SUPERUSER } from './server.js';
export type { PostgresOptions, PostgresServer } from './server.js';
export { startTemporaryPostgres } from './temporary.js';
export { provisionDatabases } from './databases.js';
export type { ServiceDatabase } from './databases.js';
export { withClient } from './postmaster.js';
