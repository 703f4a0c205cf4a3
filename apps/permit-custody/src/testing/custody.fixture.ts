import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFileBlobStore, createReadOnlyFileBlobStore, type BlobStore } from '@launch/blob-store';
import type { SourceReceipt } from '@launch/contracts';
import type { CustodyActivities, SignPermitInput } from '@launch/contracts/orchestration';
import { openCustodyDatabase } from '@launch/prisma-custody';
import { createLocalKeySigner, type PermitSigner } from '@launch/signer';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import pg from 'pg';
import { createDecisionRepository } from '../decision/decision.repository.js';
import { createRefuseLaunch } from '../decision/refuse-launch.service.js';
import { createSignPermit } from '../permit/sign-permit.service.js';
import { pinContext } from '../pinned-context.js';
import { createReceiptVerifier } from '../receipt/receipt.verifier.js';
import { admissionKey, AUTHORITY, AUTHORITY_KEY, fixtureContext, NOW, receiptBytes, type AdmissionKey } from './launch.fixture.js';

/** A custody with its own database and folder, and the parts that other services would bring. */
export interface CustodyFixture {
  readonly database: TestDatabase;
  readonly dir: string;
  readonly blobs: BlobStore;
  readonly key: AdmissionKey;
  readonly keyFile: string;
  /** One process's worth of custody over a pool of its own; `at` is its clock in unix seconds. */
  custody(at?: number, signer?: PermitSigner): Promise<CustodyActivities>;
  /** Stores a request and its signed receipt, as gateway and admission do. */
  admitted(launchId: string, request: Uint8Array, change?: (receipt: SourceReceipt) => void): Promise<SignPermitInput>;
  rows(table: 'decision' | 'permit_signature', launchId?: string): Promise<Record<string, unknown>[]>;
  end(): Promise<void>;
}

export async function startCustodyFixture(): Promise<CustodyFixture> {
  const dir = await mkdtemp(path.join(tmpdir(), 'custody-'));
  const database = await createTestDatabase('custody');
  const blobs = createFileBlobStore({ dir: path.join(dir, 'blobs') });
  const key = admissionKey();
  const keyFile = path.join(dir, 'permit.key');
  await writeFile(keyFile, AUTHORITY_KEY, { mode: 0o600 });
  await chmod(keyFile, 0o600);
  const pools: pg.Pool[] = [];
  const look = new pg.Pool({ connectionString: database.url, max: 1 });
  pools.push(look);

  return {
    database,
    dir,
    blobs,
    key,
    keyFile,
    async custody(at = NOW, signer) {
      const pool = new pg.Pool({ connectionString: database.url, max: 8 });
      pools.push(pool);
      const decisions = createDecisionRepository(openCustodyDatabase(pool));
      const signPermit = createSignPermit({
        blobs: createReadOnlyFileBlobStore({ dir: path.join(dir, 'blobs') }),
        decisions,
        receipts: createReceiptVerifier(key.publicPem),
        signer: signer ?? (await createLocalKeySigner(keyFile)),
        pinned: pinContext(JSON.stringify(fixtureContext()), AUTHORITY),
        now: () => new Date(at * 1_000),
      });
      return { signPermit, refuseLaunch: createRefuseLaunch(decisions) };
    },
    async admitted(launchId, request, change) {
      const requestSha256 = await blobs.put(request);
      return { launchId, requestSha256, receiptSha256: await blobs.put(receiptBytes(key, launchId, request, requestSha256, change)) };
    },
    async rows(table, launchId) {
      const where = launchId === undefined ? '' : ' WHERE launch_id = $1';
      return (await look.query(`SELECT * FROM ${table}${where}`, launchId === undefined ? [] : [launchId])).rows as Record<string, unknown>[];
    },
    async end() {
      await Promise.all(pools.map((pool) => pool.end()));
      await database.drop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export const sha256 = (bytes: Uint8Array): `sha256:${string}` => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
