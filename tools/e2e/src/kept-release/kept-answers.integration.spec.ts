import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LaunchContext } from '@launch/contracts/multi-role';
import { privateKeyToAccount } from 'viem/accounts';
import { UNOBSERVED_CHAIN } from '../../../../apps/api-gateway/src/core/chain/launch-chain.js';
import {
  startHarness,
  type Harness,
  type HarnessOptions,
} from '../../../../apps/api-gateway/src/fixtures/gateway.harness.js';
import { testReviews } from '../../../../apps/api-gateway/src/fixtures/test-request.js';
import { ask } from './ask.js';
import { asThen, CHANGED_SINCE, headersOf, type Difference } from './differences.js';
import { keptReleases, readKeptRelease, type KeptAnswer, type KeptRelease } from './kept-release.js';
import { signIn } from './sign-in.js';
import { upgradedDatabase, type UpgradedDatabase } from './upgraded.fixture.js';

/**
 * What earlier releases wrote and answered, under today's code: their databases are upgraded and every question is asked again.
 * The chains of then are gone and no workflow runs: an answer that needed either would be another one.
 */
const BUNDLES = path.resolve(import.meta.dirname, '../../../../clients/multi-role/bundles');
const releases: (readonly [string, KeptRelease])[] = [];
for (const folder of await keptReleases()) releases.push([path.basename(folder), await readKeptRelease(folder)]);

it('releases are kept', () => expect(releases.map(([name]) => name)).toContain('b443922'));

describe.each(releases)('the release %s, upgraded', (_name, release) => {
  const { manifest, answers, blobs } = release;
  const { keys } = manifest.testSecrets;
  let database: UpgradedDatabase;
  /** Publishes what the release published. */
  let gateway: Harness;
  /** Beside it, with a context of its own. */
  let later: Harness;
  const used = new Set<Difference>();

  const start = async (
    context: LaunchContext,
    place: Pick<HarnessOptions, 'databaseUrl' | 'beside'>,
  ): Promise<Harness> => {
    const options = {
      context,
      reviewedRouters: testReviews(context),
      secrets: manifest.testSecrets,
      signIn: { origin: manifest.signInOrigin, keySeconds: 86_400 },
      launchChain: UNOBSERVED_CHAIN,
      downloadsDir: BUNDLES,
    };
    const started = await startHarness({ ...options, ...place });
    started.workflows.down = true;
    return started;
  };
  beforeAll(async () => {
    database = await upgradedDatabase('api-gateway', release);
    gateway = await start(manifest.context, { databaseUrl: database.url });
    const runtimeRelease = {
      schemaVersion: 'service.multi-role-runtime-release-instance.v2' as const,
      sourceCommit: 'b'.repeat(40),
      sourceTree: 'c'.repeat(40),
    };
    later = await start(
      { ...manifest.context, profile: { ...manifest.context.profile, runtimeRelease } },
      { beside: gateway },
    );
    for (const bytes of blobs.values()) await gateway.blobs.put(bytes);
  });
  afterAll(async () => {
    await later?.close();
    await gateway?.close();
    if (gateway !== undefined) await rm(gateway.blobDir, { recursive: true, force: true });
    await database?.drop();
  });

  it('had its rows back as it wrote them', () => {
    expect(database.loaded).toEqual(release.rows['api-gateway']);
  });

  async function answersAsThen(by: Harness, kept: KeptAnswer): Promise<void> {
    by.clock.shiftMs = Date.parse(kept.at) - Date.now();
    const heard = await ask(by.url, kept, { keys, blob: (digest) => blobs.get(digest)! });
    expect([heard.status, headersOf(heard)]).toEqual([kept.status, headersOf(kept)]);
    if (!('text' in kept.answer) || !('text' in heard.answer) || kept.answer.text === '')
      return expect(heard.answer).toEqual(kept.answer);
    const then = asThen(kept.name, heard.answer.text, kept.answer.text);
    for (const one of then.used) used.add(one);
    // The first says where they differ, the second that not one byte does.
    expect(JSON.parse(then.text)).toEqual(JSON.parse(kept.answer.text));
    expect(then.text === kept.answer.text).toBe(true);
  }
  const named = answers.map((kept): [string, KeptAnswer] => [kept.name, kept]);

  it.each(named)('answers as then: %s', (_question, kept) => answersAsThen(gateway, kept));

  it.each(named.filter(([name]) => name !== 'capabilities'))(
    'answers the same where a later context is published: %s',
    (_question, kept) => answersAsThen(later, kept),
  );

  it('differs in everything that is said to have changed since', () => {
    expect(CHANGED_SINCE.filter((one) => !used.has(one))).toEqual([]);
  });

  it('gives the wallet whose key was revoked no other', async () => {
    gateway.clock.shiftMs = 0;
    const { status, body } = await signIn(
      gateway.url,
      privateKeyToAccount(manifest.testSecrets.revokedWalletPrivateKey as `0x${string}`),
    );
    expect([status, body]).toMatchObject([403, { error: { code: 'SIGN_IN_REVOKED' } }]);
  });

  it('is taken up where it stopped', async () => {
    gateway.workflows.down = false;
    await gateway.database.query('UPDATE launch SET relay_after = now()');
    await gateway.relay.sweep();
    const idsOf = (...statuses: string[]): string[] =>
      manifest.launches
        .filter(({ status }) => statuses.includes(status))
        .map(({ launchId }) => launchId)
        .sort();
    expect([...gateway.workflows.admissions].sort()).toEqual(idsOf('reserved', 'admitting'));
    expect(gateway.workflows.observations.map(({ launchId }) => launchId).sort()).toEqual(
      idsOf('authorized', 'awaiting_wallet_signature', 'submitted'),
    );
  });
});
