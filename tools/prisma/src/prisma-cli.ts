import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { PrismaService } from './services.js';
import { prismaFolder } from './services.js';

export interface PrismaRun {
  exitCode: number;
  stdout: string;
  stderr: string;
}

const TIMEOUT_MS = 120_000;
const OUTPUT_LIMIT = 8 << 20;

/** Runs Prisma's CLI in a service's folder against a database, over our schema engine (see `prisma.config.ts`). */
export async function runPrisma(
  service: PrismaService,
  args: readonly string[],
  databaseUrl?: string,
): Promise<PrismaRun> {
  const require = createRequire(import.meta.url);
  const cli = path.join(path.dirname(require.resolve('prisma/package.json')), 'build', 'index.js');
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    // A test runner's own flags are not for the CLI.
    NODE_OPTIONS: '',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    ...(databaseUrl === undefined ? {} : { [service.urlVariable]: databaseUrl }),
  };
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [cli, ...args],
      { cwd: prismaFolder(service), env, timeout: TIMEOUT_MS, maxBuffer: OUTPUT_LIMIT },
      (error, stdout, stderr) => {
        if (error === null) resolve({ exitCode: 0, stdout, stderr });
        else if (typeof error.code === 'number') resolve({ exitCode: error.code, stdout, stderr });
        else reject(error);
      },
    );
  });
}
