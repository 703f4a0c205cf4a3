import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createFileBlobStore } from '@launch/blob-store';
import { sha256Digest, isSha256Digest } from '@launch/contracts/primitives';
import { PRISMA_SERVICES } from '@launch/prisma-tools';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { databaseUrl } from '../fixtures/stack-databases.fixture.js';
import { startE2eStack, type E2eStack } from '../stacks/own-stack.js';
import { ask } from './ask.js';
import { appliedMigrations, dumpRows, type TableRows } from './database-rows.js';
import { writeKeptRelease, type KeptAnswer, type KeptMigration, type ServiceName } from './kept-release.js';
import { LaunchMaker } from './make-launches.js';
import { askEverything } from './questions.js';
import { signInKey } from './sign-in.js';

const ORIGIN = 'https://launch.example';
const BOTH_SCOPES = ['custom-launch:create', 'custom-launch:read'];
/** Somebody else whom the partner may launch for. */
const OTHER_WALLET = '0x00112233445566778899aabbccddeeff00112233';
/** Long before a launch is looked at: this key is over by then. */
const BRIEF_MS = 5_000;
const WORKERS = ['finality-worker', 'admission-worker', 'permit-custody'] as const;

interface Issued {
  readonly credentialId: string;
  readonly key: string;
}

/**
 * Brings this checkout's product up in a folder of its own, and makes launches in every state that it has. Asks every
 * question about them, and keeps the answers, the rows of all four databases and the blobs these name.
 * @param folder must not be there yet.
 */
export async function recordRelease(folder: string, say: (line: string) => void): Promise<void> {
  const stack = await startE2eStack({
    finality: 'v3',
    serviceEnv: {
      'api-gateway': { SIWE_ENABLED: 'true', SIWE_ORIGIN: ORIGIN },
      // A launch that is not posted keeps an estimate that is still to come.
      'finality-worker': { RECOVERY_POLL_MS: '1000', FINALITY_EXPECT_POSTED_MS: '600000' },
    },
  });
  try {
    await record(stack, folder, say);
  } finally {
    await stack.stop();
  }
}

async function record(stack: E2eStack, folder: string, say: (line: string) => void): Promise<void> {
  const issue = async (...args: string[]): Promise<Issued> =>
    JSON.parse(await stack.admin('keys', 'issue', ...args, '--json')) as Issued;
  const forController = (scopes: readonly string[], ...more: string[]): Promise<Issued> =>
    issue('--wallet', stack.controller, '--scopes', scopes.join(','), ...more);
  const [before, revoked, creator, reader] = [
    await forController(BOTH_SCOPES),
    await forController(BOTH_SCOPES),
    await forController([BOTH_SCOPES[0] as string]),
    await forController([BOTH_SCOPES[1] as string]),
  ];
  const expired = await forController(BOTH_SCOPES, '--expires', new Date(Date.now() + BRIEF_MS).toISOString());
  const partner = await issue(
    '--kind',
    'partner',
    '--wallets',
    `${stack.controller},${OTHER_WALLET}`,
    '--scopes',
    BOTH_SCOPES.join(','),
    '--label',
    'a partner',
  );
  const revokedWalletPrivateKey = generatePrivateKey();
  const signedInAndRevoked = await signInKey(stack.gateway, privateKeyToAccount(revokedWalletPrivateKey));
  const signedIn = await signInKey(stack.gateway, privateKeyToAccount(generatePrivateKey()));

  const maker = new LaunchMaker(
    stack,
    { owner: before.key, revoked: revoked.key, creator: creator.key, partner: partner.key },
    say,
  );
  const context = await maker.underV3();
  await maker.underV2();
  const owner = JSON.parse(
    await stack.admin('keys', 'rotate', '--credential', before.credentialId, '--grace', '0', '--json'),
  ) as Issued;
  for (const { credentialId } of [revoked, signedInAndRevoked])
    await stack.admin('keys', 'revoke', '--credential', credentialId);

  // Nobody writes any more: the answers and the rows are of one moment.
  for (const worker of WORKERS) await stack.services.kill(worker, 'SIGTERM', { hold: true });
  const keys = Object.fromEntries(
    Object.entries({
      owner,
      'rotated away': before,
      revoked,
      expired,
      creator,
      reader,
      partner,
      'signed in': signedIn,
      'signed in, revoked': signedInAndRevoked,
    }).map(([name, { key }]) => [name, key]),
  );
  const bodies = new Map<string, Uint8Array>(
    maker.made.map(({ request }) => [sha256Digest(request.bytes), request.bytes]),
  );
  const answers: KeptAnswer[] = [];
  await askEverything({
    launches: maker.made,
    owners: ['owner'],
    ended: ['rotated away', 'revoked', 'expired', 'signed in, revoked'],
    others: ['reader', 'creator', 'partner', 'signed in'],
    ask: async (question) => {
      const heard = await ask(stack.gateway, question, { keys, blob: (digest) => bodies.get(digest) as Uint8Array });
      answers.push({ ...question, ...heard });
      return heard;
    },
  });
  say(`${answers.length} answers`);

  await stack.services.kill('api-gateway', 'SIGTERM', { hold: true });
  const rows: Partial<Record<ServiceName, TableRows>> = {};
  const migrations: Partial<Record<ServiceName, KeptMigration[]>> = {};
  for (const { name, database } of PRISMA_SERVICES) {
    const url = await databaseUrl(stack, database);
    [rows[name], migrations[name]] = [await dumpRows(url), await appliedMigrations(url)];
  }
  const secret = async (name: string): Promise<string> =>
    (await readFile(path.join(stack.dir, 'secrets', name), 'utf8')).trim();
  await writeKeptRelease(folder, {
    manifest: {
      commit: (await promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname })).stdout.trim(),
      recordedAt: new Date().toISOString(),
      migrations: migrations as Record<ServiceName, KeptMigration[]>,
      testSecrets: {
        credentialPepper: await secret('credential-pepper'),
        cursorKey: await secret('cursor-key'),
        keys,
        revokedWalletPrivateKey,
      },
      signInOrigin: ORIGIN,
      context,
      launches: maker.made.map(({ name, key, launchId, status }) => ({ name, key, launchId, status })),
    },
    rows: rows as Record<ServiceName, TableRows>,
    answers,
    blobs: await blobsNamedIn(stack, JSON.stringify(rows)),
  });
  say(`kept in ${folder}`);
}

/**
 * The blobs whose digests stand in rows. Blobs that only workflows name (compiler output, materialized graphs) are made
 * anew where they are missing.
 */
async function blobsNamedIn(stack: E2eStack, text: string): Promise<Map<string, Buffer>> {
  const store = createFileBlobStore({ dir: path.join(stack.dir, 'blobs') });
  const found = new Map<string, Buffer>();
  for (const digest of new Set(text.match(/sha256:[0-9a-f]{64}/g))) {
    if (!isSha256Digest(digest)) continue;
    const bytes = await store.get(digest).catch(() => null);
    if (bytes !== null) found.set(digest, Buffer.from(bytes));
  }
  return found;
}
