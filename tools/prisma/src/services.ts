import path from 'node:path';

/** A service with a database of its own. */
export interface PrismaService {
  /** Folder below `prisma/`. */
  name: 'api-gateway' | 'admission' | 'custody' | 'finality' | 'module-review' | 'indexer';
  /** Database and role of the embedded stack. */
  database: string;
  /** A role that may read what the service publishes in the schema `published`, and nothing else. */
  reader?: string;
  /** A further role that may enter the database; migrations say what it may do there. */
  guest?: string;
  /** The variable that replaces the embedded database, and that `prisma.config.ts` reads. */
  urlVariable: string;
}

export const PRISMA_SERVICES: readonly PrismaService[] = [
  {
    name: 'api-gateway',
    database: 'launch_gateway',
    guest: 'launch_review_console',
    urlVariable: 'GATEWAY_DATABASE_URL',
  },
  { name: 'admission', database: 'launch_admission', urlVariable: 'ADMISSION_DATABASE_URL' },
  { name: 'custody', database: 'launch_custody', urlVariable: 'CUSTODY_DATABASE_URL' },
  { name: 'finality', database: 'launch_finality', urlVariable: 'FINALITY_DATABASE_URL' },
  { name: 'module-review', database: 'launch_module_review', urlVariable: 'MODULE_REVIEW_DATABASE_URL' },
  {
    name: 'indexer',
    database: 'launch_indexer',
    reader: 'launch_indexer_reader',
    urlVariable: 'INDEXER_DATABASE_URL',
  },
];

const root = path.resolve(import.meta.dirname, '../../..');

export function prismaFolder(service: PrismaService): string {
  return path.join(root, 'prisma', service.name);
}

export function migrationsFolder(service: PrismaService): string {
  return path.join(prismaFolder(service), 'migrations');
}

/** @throws Error naming the known services. */
export function findService(name: string): PrismaService {
  const found = PRISMA_SERVICES.find((service) => service.name === name);
  if (found === undefined)
    throw new Error(
      `no Prisma service ${name}; there are ${PRISMA_SERVICES.map((service) => service.name).join(', ')}`,
    );
  return found;
}
