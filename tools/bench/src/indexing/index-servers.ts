import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { provisionDatabases, startPostgres, type PostgresServer } from '@launch/postgres-server';
import { findService, migrateDeploy, migrationsFolder } from '@launch/prisma-tools';
import { BenchChain } from './bench-chain.js';

/** A separate database, and a connection that reads its rows. */
export interface SideDatabase {
  readonly url: string;
  readonly client: Client;
  close(): Promise<void>;
}

/** The chain and the PostgreSQL that both sides use, in a folder that goes with them. */
export class IndexServers {
  #databases = 0;

  private constructor(
    readonly dir: string,
    readonly chain: BenchChain,
    private readonly postgres: PostgresServer,
  ) {}

  static async start(): Promise<IndexServers> {
    const dir = await mkdtemp(path.join(tmpdir(), 'launch-bench-index-'));
    try {
      // PostgreSQL may run as another account, which has to come through.
      await chmod(dir, 0o711);
      const postgres = await startPostgres({
        dataDir: path.join(dir, 'postgres'),
        password: randomBytes(18).toString('base64url'),
      });
      try {
        return new IndexServers(dir, await BenchChain.start(), postgres);
      } catch (error) {
        await postgres.stop();
        throw error;
      }
    } catch (error) {
      await rm(dir, { recursive: true, force: true });
      throw error;
    }
  }

  /** @param isOurs migrated as the indexer's; else empty. */
  async database(isOurs: boolean): Promise<SideDatabase> {
    this.#databases += 1;
    const name = `bench_${this.#databases}`;
    const role = { user: name, password: randomBytes(18).toString('base64url'), database: name };
    const reader = { user: `${name}_reader`, password: randomBytes(18).toString('base64url') };
    await provisionDatabases(this.postgres.adminUrl(), [{ ...role, ...(isOurs ? { reader } : {}) }]);
    const url = this.postgres.url(role);
    if (isOurs) await migrateDeploy(url, migrationsFolder(findService('indexer')));
    const client = new Client({ connectionString: url });
    await client.connect();
    return { url, client, close: () => client.end() };
  }

  async folder(name: string): Promise<string> {
    const folder = path.join(this.dir, name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  async stop(): Promise<void> {
    await this.chain.stop();
    await this.postgres.stop();
    await rm(this.dir, { recursive: true, force: true });
  }
}
