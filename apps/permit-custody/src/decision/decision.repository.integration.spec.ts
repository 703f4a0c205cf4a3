import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { finding } from '@launch/contracts/errors';
import { sha256Digest, type Hex } from '@launch/contracts/primitives';
import { createPool } from '@launch/platform';
import { openCustodyDatabase, type CustodyDatabase } from '@launch/prisma-custody';
import { createTestDatabase, type TestDatabase } from '@launch/testing';
import { createDecisionRepository, type DecisionRepository, type DecisionSubject } from './decision.repository.js';

const hex = (bytes: number): Hex => `0x${randomBytes(bytes).toString('hex')}`;
const anyWord = (): Hex => hex(32);

let test: TestDatabase;
let pool: ReturnType<typeof createPool>;
let database: CustodyDatabase;
let decisions: DecisionRepository;
beforeAll(async () => {
  test = await createTestDatabase('custody');
  pool = createPool({ connectionString: test.url, applicationName: 'custody-tests' });
  database = openCustodyDatabase(pool);
  decisions = createDecisionRepository(database);
});
afterAll(async () => {
  await database?.$disconnect();
  await pool?.end();
  await test?.drop();
});

const subjectOf = (more: Partial<DecisionSubject> = {}): DecisionSubject => ({
  launchId: randomUUID(),
  family: 'multi-role.v2',
  requestSha256: sha256Digest(randomBytes(8)),
  requestHash: anyWord(),
  router: hex(20),
  controller: hex(20),
  nonce: String(2n ** 256n - 1n),
  ...more,
});
const permitOf = ({ controller, requestHash, nonce }: DecisionSubject) => ({
  controller,
  requestHash,
  contextHash: anyWord(),
  economicsHash: anyWord(),
  instructionPolicyHash: anyWord(),
  graphHash: anyWord(),
  poolHash: anyWord(),
  callHash: anyWord(),
  value: '7',
  nonce,
  validAfter: '1000',
  deadline: '2000',
});
const permitV1Of = (subject: DecisionSubject) => ({
  ...permitOf(subject),
  profile: anyWord(),
  mode: 1,
  stepsHash: anyWord(),
});
const findings = [finding('COMPILER_ERROR', '/')];

describe('The repository of decisions', () => {
  it('reads back a digest with the permit of its family', async () => {
    const [multiRole, custom] = [subjectOf(), subjectOf({ family: 'custom-launch.v4' })];
    const kept = [
      { subject: multiRole, permitDigest: anyWord(), permit: permitOf(multiRole) },
      { subject: custom, permitDigest: anyWord(), permit: permitV1Of(custom) },
    ];
    for (const { subject, permitDigest, permit } of kept) {
      expect(await decisions.find(subject.launchId)).toBeNull();
      expect(await decisions.insertDigest(subject, permitDigest, permit)).toBe(true);
      expect(await decisions.find(subject.launchId)).toEqual({ ...subject, kind: 'digest', permitDigest, permit });
    }
  });

  it('reads back a refusal, which takes neither the nonce nor the request', async () => {
    const subject = subjectOf();
    expect(await decisions.insertRefusal(subject, findings)).toBe(true);
    expect(await decisions.find(subject.launchId)).toEqual({ ...subject, kind: 'refusal', findings });
    expect(await decisions.takenBy(subject)).toBeNull();
    const again = { ...subject, launchId: randomUUID() };
    expect(await decisions.insertDigest(again, anyWord(), permitOf(again))).toBe(true);
  });

  it('inserts one decision of a launch, however many callers decide at once', async () => {
    const subject = subjectOf();
    const inserted = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        index % 2 === 0
          ? decisions.insertDigest(subject, anyWord(), permitOf(subject))
          : decisions.insertRefusal(subject, findings),
      ),
    );
    expect(inserted.filter((isInserted) => isInserted)).toHaveLength(1);
    expect(await decisions.find(subject.launchId)).toMatchObject({
      kind: inserted.indexOf(true) % 2 === 0 ? 'digest' : 'refusal',
    });
  });

  it('inserts no digest whose nonce, request or digest another launch has, and names the taken key', async () => {
    const first = subjectOf();
    const permitDigest = anyWord();
    await decisions.insertDigest(first, permitDigest, permitOf(first));
    const { router, controller, nonce, requestHash } = first;
    const sameNonce = subjectOf({ router, controller, nonce });
    const sameRequest = subjectOf({ requestHash });
    const sameDigest = subjectOf();
    for (const subject of [sameNonce, sameRequest]) {
      expect(await decisions.insertDigest(subject, anyWord(), permitOf(subject))).toBe(false);
      expect(await decisions.find(subject.launchId)).toBeNull();
    }
    expect(await decisions.insertDigest(sameDigest, permitDigest, permitOf(sameDigest))).toBe(false);
    expect([
      await decisions.takenBy(sameNonce),
      await decisions.takenBy(sameRequest),
      await decisions.takenBy(sameDigest),
      await decisions.takenBy(subjectOf({ router, controller, nonce, requestHash })),
    ]).toEqual(['nonce', 'request', null, 'request']);
  });

  it('keeps the first signature of a launch, and none of a digest that was not committed for it', async () => {
    const [subject, refused] = [subjectOf(), subjectOf()];
    const permitDigest = anyWord();
    await decisions.insertDigest(subject, permitDigest, permitOf(subject));
    await decisions.insertRefusal(refused, findings);
    expect(await decisions.findSignature(subject.launchId)).toBeNull();
    const signatures = Array.from({ length: 4 }, () => ({ permitDigest, signer: hex(20), signature: hex(65) }));
    await Promise.all(signatures.map((signature) => decisions.insertSignature(subject.launchId, signature)));
    const kept = await decisions.findSignature(subject.launchId);
    expect(signatures).toContainEqual(kept);
    await decisions.insertSignature(subject.launchId, { permitDigest, signer: hex(20), signature: hex(65) });
    expect(await decisions.findSignature(subject.launchId)).toEqual(kept);
    const foreign = { permitDigest: anyWord(), signer: hex(20), signature: hex(65) };
    await expect(decisions.insertSignature(refused.launchId, foreign)).rejects.toMatchObject({ code: 'P2003' });
  });

  it('refuses a document that is no permit of its family', async () => {
    const subject = subjectOf({ family: 'plan.v1' });
    await decisions.insertDigest(subject, anyWord(), permitOf(subject));
    await expect(decisions.find(subject.launchId)).rejects.toThrow(/profile/);
  });
});
