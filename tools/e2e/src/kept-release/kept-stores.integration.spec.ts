import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { finding } from '@launch/contracts/errors';
import { canonicalJsonText, parseStrictJson } from '@launch/contracts/json';
import { finalityEvidenceSchema, signedReceiptSchema } from '@launch/contracts/multi-role';
import { canonicalKeccak } from '@launch/contracts/primitives';
import type { Hex } from '@launch/evm';
import { verifyEvidence } from '@launch/verify';
import { createPool } from '@launch/platform';
import { PRISMA_SERVICES } from '@launch/prisma-tools';
import { createReceiptRepository } from '../../../../apps/admission-worker/src/receipt/receipt.repository.js';
import { createHandoffRepository } from '../../../../apps/admission-worker/src/simulation/handoff.repository.js';
import { createObservationRepository } from '../../../../apps/finality-worker/src/observation/observation.repository.js';
import { createCheckpointRepository } from '../../../../apps/finality-worker/src/recovery/checkpoint.repository.js';
import {
  createDecisionRepository,
  type DecisionSubject,
  type StoredDecision,
  type StoredSignature,
} from '../../../../apps/permit-custody/src/decision/decision.repository.js';
import { permitFamilies } from '../../../../apps/permit-custody/src/permit/permit-families.js';
import { createSignPermit } from '../../../../apps/permit-custody/src/permit/sign-permit.service.js';
import { pinContexts } from '../../../../apps/permit-custody/src/pinned-contexts.js';
import { openAdmissionDatabase } from '../../../../prisma/admission/src/index.js';
import { openCustodyDatabase } from '../../../../prisma/custody/src/index.js';
import { openFinalityDatabase } from '../../../../prisma/finality/src/index.js';
import { keptReleases, readKeptRelease, type KeptRelease, type ServiceName } from './kept-release.js';
import { upgradedDatabase, type UpgradedDatabase } from './upgraded.fixture.js';

/** The other services' databases of earlier releases, under today's migrations and repositories. */
const releases: (readonly [string, KeptRelease])[] = [];
for (const folder of await keptReleases()) releases.push([path.basename(folder), await readKeptRelease(folder)]);

type Row = Readonly<Record<string, string | null>>;

describe.each(releases)('the release %s, upgraded', (_name, release) => {
  const { manifest, rows, blobs } = release;
  /** Those that the release had. */
  const services = PRISMA_SERVICES.map(({ name }) => name).filter((name) => name in manifest.migrations);
  const databases = new Map<ServiceName, UpgradedDatabase>();
  const pools: ReturnType<typeof createPool>[] = [];
  const pool = (service: ServiceName): ReturnType<typeof createPool> => {
    const made = createPool({ connectionString: databases.get(service)!.url, applicationName: 'kept-release', max: 2 });
    pools.push(made);
    return made;
  };
  const kept = (service: ServiceName, table: string): Row[] =>
    (rows[service][table] ?? []).map((text) => JSON.parse(text) as Row);

  beforeAll(async () => {
    for (const name of services) databases.set(name, await upgradedDatabase(name, release));
  });
  afterAll(async () => {
    await Promise.all(pools.map((one) => one.end()));
    await Promise.all([...databases.values()].map((one) => one.drop()));
  });

  describe.each(services)('%s', (service) => {
    it("has the release's migrations as they landed, and its own after them", () => {
      const { today, applied } = databases.get(service)!;
      const landed = manifest.migrations[service];
      expect(today.slice(0, landed.length)).toEqual(landed);
      expect(applied).toEqual(today.slice(landed.length).map(({ name }) => name));
    });

    it('had its rows back as the release wrote them', () => {
      expect(databases.get(service)!.loaded).toEqual(rows[service]);
    });
  });

  describe('custody', () => {
    let opened: ReturnType<typeof createDecisionRepository> | undefined;
    const decisions = () => (opened ??= createDecisionRepository(openCustodyDatabase(pool('custody'))));
    const standing = async (kind: StoredDecision['kind']): Promise<StoredDecision[]> => {
      const found = await Promise.all(
        kept('custody', 'decision')
          .filter((row) => row['kind'] === kind)
          .map((row) => decisions().find(row['launch_id']!)),
      );
      return found as StoredDecision[];
    };
    const subjectOf = ({
      launchId,
      family,
      requestSha256,
      requestHash,
      router,
      controller,
      nonce,
    }: DecisionSubject): DecisionSubject => ({
      launchId,
      family,
      requestSha256,
      requestHash,
      router,
      controller,
      nonce,
    });
    const other = (digit: string) => ({
      launchId: randomUUID(),
      requestSha256: `sha256:${digit.repeat(64)}` as const,
      requestHash: `0x${digit.repeat(64)}` as const,
    });

    it('signs no second permit for a nonce or a request that has one', async () => {
      const digests = await standing('digest');
      expect(digests.length).toBeGreaterThan(0);
      for (const decision of digests) {
        if (decision.kind !== 'digest') throw new Error('asked for digests');
        const sameNonce = { ...subjectOf(decision), ...other('a') };
        const sameRequest = { ...subjectOf(decision), ...other('b'), requestHash: decision.requestHash, nonce: '7' };
        expect([
          await decisions().insertDigest(sameNonce, `0x${'c'.repeat(64)}`, decision.permit),
          await decisions().takenBy(sameNonce),
        ]).toEqual([false, 'nonce']);
        expect([
          await decisions().insertDigest(sameRequest, `0x${'d'.repeat(64)}`, decision.permit),
          await decisions().takenBy(sameRequest),
        ]).toEqual([false, 'request']);
        expect([
          await decisions().insertDigest(
            { ...subjectOf(decision), nonce: '8' },
            `0x${'e'.repeat(64)}`,
            decision.permit,
          ),
          await decisions().insertRefusal(subjectOf(decision), [finding('PERMIT_REFUSED', '')]),
        ]).toEqual([false, false]);
        expect(await decisions().find(decision.launchId)).toEqual(decision);
      }
    });

    it('answers each launch as it did, without a look at its request and without another signature', async () => {
      const { context } = manifest;
      const filed = kept('api-gateway', 'release_context')
        .filter((row) => row['context_hash'] !== canonicalKeccak(context))
        .map((row) => ({ contextHash: row['context_hash']!, document: row['document']! }));
      const [address] = context.chainBindings.permitAuthorities as [Hex];
      const unasked = (): never => {
        throw new Error('what stands in rows is asked of somebody');
      };
      const signPermit = createSignPermit({
        decisions: decisions(),
        read: unasked,
        signer: { address, signDigest: unasked },
        admission: { receipt: unasked, refusal: unasked, usdReference: unasked },
        families: permitFamilies(pinContexts(canonicalJsonText(context), filed, address), null),
        now: () => new Date(manifest.recordedAt),
      });
      const ask = ({ launchId, requestSha256 }: DecisionSubject) =>
        signPermit({ launchId, requestSha256, receiptSha256: `sha256:${'0'.repeat(64)}` as const });
      const signatures = new Map(
        kept('custody', 'permit_signature').map((row) => [row['launch_id'], row['signature']]),
      );
      for (const decision of [...(await standing('digest')), ...(await standing('refusal'))]) {
        const { kind } = decision;
        expect(await ask(decision)).toMatchObject(
          kind === 'digest'
            ? {
                kind: 'signed',
                permitDigest: decision.permitDigest,
                permit: decision.permit,
                signature: signatures.get(decision.launchId),
              }
            : { kind: 'refused', findings: decision.findings },
        );
      }
    });

    it('keeps every signature, once', async () => {
      for (const row of kept('custody', 'permit_signature')) {
        const signature = {
          permitDigest: row['permit_digest'],
          signer: row['signer'],
          signature: row['signature'],
        } as StoredSignature;
        await decisions().insertSignature(row['launch_id']!, { ...signature, signature: `0x${'1'.repeat(130)}` });
        expect(await decisions().findSignature(row['launch_id']!)).toEqual(signature);
      }
    });

    it('gives a launch that was refused no permit, and its nonce to another', async () => {
      const [some] = await standing('digest');
      const refusals = await standing('refusal');
      expect(refusals.length).toBeGreaterThan(0);
      if (some?.kind !== 'digest') throw new Error('asked for digests');
      for (const [index, refusal] of refusals.entries()) {
        expect(await decisions().insertDigest(subjectOf(refusal), `0x${'f'.repeat(64)}`, some.permit)).toBe(false);
        const again = { ...subjectOf(refusal), ...other(String(index)) };
        expect(await decisions().insertDigest(again, `0x${String(index).repeat(64)}`, some.permit)).toBe(true);
      }
    });
  });

  it('admission finds its receipts and hand-offs, and the bytes they name', async () => {
    const database = openAdmissionDatabase(pool('admission'));
    for (const row of kept('admission', 'source_receipts')) {
      const found = await createReceiptRepository(database).find(row['launch_id']!);
      expect(found).toMatchObject({ receiptSha256: row['receipt_sha256'], disposition: row['disposition'] });
      expect(signedReceiptSchema.parse(parseStrictJson(blobs.get(found!.receiptSha256)!)).receipt).toMatchObject({
        launchId: row['launch_id'],
        requestHash: row['request_hash'],
      });
    }
    const told = new Map(kept('api-gateway', 'launch').map((row) => [row['handoff_sha256'], row['handoff']]));
    for (const row of kept('admission', 'wallet_handoffs')) {
      const found = await createHandoffRepository(database).find(row['launch_id']!);
      expect(found).toMatchObject({ handoffSha256: row['handoff_sha256'], permitDigest: row['permit_digest'] });
      expect(told.get(found!.handoffSha256)).toBe(blobs.get(found!.handoffSha256)!.toString());
    }
  });

  it('finality goes on from its observations, lengths and checkpoints', async () => {
    const database = openFinalityDatabase(pool('finality'));
    const observations = createObservationRepository(database);
    const durations = kept('finality', 'stage_durations');
    const found = await Promise.all(
      (['included', 'posted', 'finalized'] as const).map((stage) => observations.recentDurations(stage, new Date(0))),
    );
    expect(found.flat().sort()).toEqual(durations.map((row) => Number(row['duration_ms'])).sort());
    for (const row of kept('finality', 'recovery_checkpoints')) {
      expect(await createCheckpointRepository(database).find(row['router']!)).toEqual({
        blockNumber: String(row['block_number']),
        blockHash: row['block_hash'],
      });
    }
    for (const row of kept('finality', 'launch_observations')) {
      const seen = await database.launchObservation.findUniqueOrThrow({ where: { launchId: row['launch_id']! } });
      expect(canonicalJsonText(seen.memory as never)).toBe(canonicalJsonText(row['memory'] as never));
    }
  });

  const proven = kept('api-gateway', 'launch')
    .filter((row) => row['evidence_sha256'] !== null)
    .map((row): [string, Row] => [manifest.launches.find(({ launchId }) => launchId === row['launch_id'])!.name, row]);
  it.each(proven)('evidence still proves what it proved: %s', async (_launch, row) => {
    const bytes = blobs.get(row['evidence_sha256']!)!;
    const verdict = await verifyEvidence(bytes, {
      digest: row['evidence_sha256']!,
      request: blobs.get(row['request_sha256']!)!,
    });
    expect({ ...verdict, checks: (verdict.checks ?? []).filter(({ verdict: one }) => one !== 'pass') }).toMatchObject({
      verdict: 'pass',
      findings: [],
      checks: [],
    });
    expect(finalityEvidenceSchema.parse(parseStrictJson(bytes)).launch.launchId).toBe(row['launch_id']);
  });
});
