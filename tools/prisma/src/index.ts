export { listMigrations, migrateDeploy, MigrationError } from './migrate-deploy.js';
export type { MigrationErrorCode } from './migrate-deploy.js';
export { createMigration } from './new-migration.js';
export { runPrisma } from './prisma-cli.js';
export type { PrismaRun } from './prisma-cli.js';
export { findService, migrationsFolder, PRISMA_SERVICES, prismaFolder } from './services.js';
export type { PrismaService } from './services.js';
