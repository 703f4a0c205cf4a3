import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { CustomLaunchReceipt, CustomLaunchRefusal } from '@launch/contracts/custom-launch';
import type { PermitFieldsV1, SignPermitResult } from '@launch/contracts/orchestration';
import { canonicalKeccak, keccak256Hex } from '@launch/contracts/primitives';
import type { CustomLaunchFamily } from '@launch/contracts/states';
import { LAUNCH_MODES, permitV1Digest, permitV1FromWire, PROFILE_WORDS, recoverPermitSigner } from '@launch/evm';
import { startCustodyFixture, type CustodyFixture, type NewCustomLaunch } from '../fixtures/custody.fixture.js';
import {
  customLaunchBody,
  custodyContext,
  customLaunchReading,
  signedReading,
} from '../fixtures/custom-launch.fixture.js';
import { admissionKey, AUTHORITY, fixtureContext, NOW, packedRequest, ROUTER } from '../fixtures/launch.fixture.js';

let fixture: CustodyFixture;
beforeAll(async () => {
  fixture = await startCustodyFixture();
});
afterAll(() => fixture?.end());

let lastNonce = 1_000n;
const FAMILIES = ['custom-launch.v4', 'plan.v1'] as const;
const fresh = (family: CustomLaunchFamily = 'custom-launch.v4', nonce = (lastNonce += 1n)): NewCustomLaunch => ({
  family,
  body: customLaunchBody(family, nonce),
});
const signed = (result: SignPermitResult): Extract<SignPermitResult, { kind: 'signed' }> => {
  if (result.kind !== 'signed') throw new Error(JSON.stringify(result));
  return result;
};
const codes = (result: SignPermitResult): string[] =>
  result.kind === 'refused' ? result.findings.map(({ code }) => code) : [result.kind];
const decisions = (launchId: string) => fixture.rows('decision', launchId);

describe('Signing for router V1', () => {
  it.each([
    ['custom-launch.v4', LAUNCH_MODES.single],
    ['plan.v1', LAUNCH_MODES.sequential],
  ] as const)('gives %s the one permit of its request, and always the same one', async (family, mode) => {
    const launch = fresh(family);
    const { input, bytes } = await fixture.admittedCustomLaunch(launch);
    const first = signed(await (await fixture.custody()).signPermit(input));
    const permit = first.permit as PermitFieldsV1;
    expect(permit).toMatchObject({
      controller: launch.body.launchWallet,
      nonce: launch.body.nonce,
      requestHash: keccak256Hex(bytes),
      contextHash: canonicalKeccak(custodyContext()),
      value: launch.body.funding.totalValueWei,
      profile: PROFILE_WORDS['4.1'],
      mode,
    });
    expect(first.permitDigest).toBe(permitV1Digest({ chainId: 4663n, router: ROUTER }, permitV1FromWire(permit)));
    expect(recoverPermitSigner(first.permitDigest, first.signature)).toBe(AUTHORITY);
    // Long after window and reading, the existing decision is returned without judging either again.
    const { usdReferenceSha256: _gone, ...without } = input;
    expect(await (await fixture.custody(NOW + 86_400)).signPermit(without)).toEqual(first);
    expect(await decisions(input.launchId)).toMatchObject([
      { kind: 'digest', family, permit_digest: first.permitDigest },
    ]);
  });

  it.each(FAMILIES)('of one %s by 64 callers in two processes makes one digest and one signature', async (family) => {
    const { input } = await fixture.admittedCustomLaunch(fresh(family));
    const processes = [await fixture.custody(), await fixture.custody()];
    const results = await Promise.all(
      Array.from({ length: 64 }, (_, index) => processes[index % 2]!.signPermit(input)),
    );
    expect(new Set(results.map((result) => signed(result).signature)).size).toBe(1);
    expect(await decisions(input.launchId)).toHaveLength(1);
    expect(await fixture.rows('permit_signature', input.launchId)).toHaveLength(1);
  });

  it('gives a custom launch and a plan of one nonce one permit: their nonces are one router’s', async () => {
    const nonce = (lastNonce += 1n);
    const inputs = await Promise.all(FAMILIES.map((family) => fixture.admittedCustomLaunch(fresh(family, nonce))));
    const custody = await fixture.custody();
    const results = await Promise.all(inputs.map(({ input }) => custody.signPermit(input)));
    expect(results.map((result) => (result.kind === 'signed' ? 'signed' : codes(result).join())).sort()).toEqual([
      'NONCE_IN_USE',
      'signed',
    ]);
  });

  it('does not affect multi-role launches, whose decisions stay under their own family', async () => {
    const input = await fixture.admitted(randomUUID(), await packedRequest(lastNonce));
    signed(await (await fixture.custody()).signPermit(input));
    expect(await decisions(input.launchId)).toMatchObject([{ family: 'multi-role.v2' }]);
    // The same decision does not answer a request of another family.
    await expect((await fixture.custody()).signPermit({ ...input, family: 'plan.v1' })).rejects.toMatchObject({
      code: 'LAUNCH_CONFLICT',
    });
  });

  it('waits if the deployment has no context of the family', async () => {
    const { input, refusal } = await fixture.admittedCustomLaunch(fresh());
    const custody = await fixture.custody(NOW, undefined, { current: fixtureContext(), previous: [], custom: null });
    const waits = { code: 'FAMILY_NOT_SERVED', retryable: true };
    await expect(custody.signPermit(input)).rejects.toMatchObject(waits);
    await expect(custody.refuseLaunch(refusal)).rejects.toMatchObject(waits);
    expect(await decisions(input.launchId)).toEqual([]);
  });

  it('continues under a newer context, and refuses a withdrawn one', async () => {
    const [current, previous] = [custodyContext(({ profile }) => (profile.profileId = 'next')), custodyContext()];
    const under = (custom: { current: typeof current; previous: (typeof current)[] }) =>
      fixture.custody(NOW, undefined, { current: fixtureContext(), previous: [], custom });
    const [kept, withdrawn] = [
      await fixture.admittedCustomLaunch(fresh()),
      await fixture.admittedCustomLaunch(fresh()),
    ];
    const { permit } = signed(await (await under({ current, previous: [previous] })).signPermit(kept.input));
    expect(permit.contextHash).toBe(canonicalKeccak(previous));
    const custody = await under({ current, previous: [] });
    expect(codes(await custody.signPermit(withdrawn.input))).toEqual(['CONTEXT_NOT_CURRENT']);
    expect(signed(await custody.signPermit(kept.input)).permit).toEqual(permit);
  });
});

describe('A reading of the price', () => {
  it('decides nothing while it is stale or missing, and decides once it is recent', async () => {
    const launch = { ...fresh(), launchId: randomUUID() };
    const { input: stale } = await fixture.admittedCustomLaunch({ ...launch, readAt: NOW - 91 });
    const custody = await fixture.custody();
    expect(await custody.signPermit(stale)).toEqual({ kind: 'usd-reference-stale' });
    const { usdReferenceSha256: _none, ...missing } = stale;
    expect(await custody.signPermit(missing)).toEqual({ kind: 'usd-reference-stale' });
    expect(await decisions(launch.launchId)).toEqual([]);
    signed(await custody.signPermit((await fixture.admittedCustomLaunch(launch)).input));
  });

  it('refuses a buy one wei below it permanently, and frees its nonce', async () => {
    const launch = fresh();
    // 0.01 is one US dollar at 100; at 99.99… it is less.
    const { input } = await fixture.admittedCustomLaunch({ ...launch, answer: 9_999_999_999n });
    const custody = await fixture.custody();
    const refused = await custody.signPermit(input);
    expect([refused, codes(refused)]).toMatchObject([{ decided: true }, ['CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE']]);
    // A better price later does not change this launch, and another one may take the nonce.
    const again = await fixture.admittedCustomLaunch({ ...launch, launchId: input.launchId });
    expect(codes(await custody.signPermit(again.input))).toEqual(['CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE']);
    signed(await custody.signPermit((await fixture.admittedCustomLaunch(launch)).input));
  });

  it.each([
    ['signed by another key', (document: object) => signedReading(document as never, admissionKey())],
    ['not signed', (document: object) => new TextEncoder().encode(JSON.stringify({ usdReference: document }))],
    [
      'altered after it was signed',
      (document: object) => {
        const text = new TextDecoder().decode(signedReading(document as never, fixture.key));
        return new TextEncoder().encode(text.replace('"decimals":8', '"decimals":7'));
      },
    ],
  ])('counts only with a valid signature, and never when it is %s', async (_name, forge) => {
    const launch = fresh();
    const { input, bytes } = await fixture.admittedCustomLaunch(launch);
    const { launchId } = input;
    const document = customLaunchReading({ launchId, bytes, context: custodyContext() });
    const usdReferenceSha256 = await fixture.blobs.put(forge(document));
    const custody = await fixture.custody();
    await expect(custody.signPermit({ ...input, usdReferenceSha256 })).rejects.toMatchObject({
      code: 'USD_REFERENCE_UNVERIFIED',
      retryable: true,
    });
    expect(await decisions(launchId)).toEqual([]);
    signed(await custody.signPermit(input));
  });
});

describe('A custom launch or a plan that admission did not admit', () => {
  const word = `0x${'9'.repeat(64)}` as const;
  it.each<[string, (receipt: CustomLaunchReceipt) => void]>([
    ['of the other family', (receipt) => (receipt.family = 'plan.v1')],
    ['of another launch', (receipt) => (receipt.launchId = randomUUID())],
    ['of other bytes', (receipt) => (receipt.requestSha256 = `sha256:${'9'.repeat(64)}`)],
    ['of another request', (receipt) => (receipt.requestHash = word)],
    ['of another context', (receipt) => (receipt.contextHash = word)],
    ['of another policy', (receipt) => (receipt.instructionPolicyHash = word)],
    ['of another artifact', (receipt) => (receipt.artifactHash = word)],
    ['of other economics', (receipt) => (receipt.economicsHash = word)],
    ['that asks for evidence', (receipt) => (receipt.disposition = 'evidence_required')],
    ['with findings', (receipt) => (receipt.findingCodes = ['COMPILER_ERROR'])],
  ])('is refused permanently for a signed receipt %s', async (_name, receipt) => {
    const { input } = await fixture.admittedCustomLaunch(fresh(), { receipt });
    expect(new Set(codes(await (await fixture.custody()).signPermit(input)))).toEqual(new Set(['PERMIT_REFUSED']));
    expect(await decisions(input.launchId)).toMatchObject([{ kind: 'refusal', family: 'custom-launch.v4' }]);
  });

  it('is never decided by a receipt of a multi-role launch', async () => {
    const { input } = await fixture.admittedCustomLaunch(fresh());
    const { receiptSha256 } = await fixture.admitted(input.launchId, await packedRequest(lastNonce));
    await expect((await fixture.custody()).signPermit({ ...input, receiptSha256 })).rejects.toMatchObject({
      code: 'RECEIPT_UNVERIFIED',
    });
    expect(await decisions(input.launchId)).toEqual([]);
  });

  it.each(FAMILIES)('is refused by a signed refusal of %s, which frees its nonce', async (family) => {
    const launch = fresh(family);
    const { input, refusal } = await fixture.admittedCustomLaunch(launch);
    const custody = await fixture.custody();
    expect(await custody.refuseLaunch(refusal)).toEqual({ kind: 'refused' });
    expect(codes(await custody.signPermit(input))).toEqual(['CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE']);
    const next = await fixture.admittedCustomLaunch(launch);
    const { permitDigest } = signed(await custody.signPermit(next.input));
    expect(await custody.refuseLaunch(next.refusal)).toEqual({ kind: 'digest-exists', permitDigest });
  });

  it.each<[string, (refusal: CustomLaunchRefusal) => void]>([
    ['another launch', (refusal) => (refusal.launchId = randomUUID())],
    ['other bytes', (refusal) => (refusal.requestSha256 = `sha256:${'9'.repeat(64)}`)],
    ['another request', (refusal) => (refusal.requestHash = word)],
    ['another controller', (refusal) => (refusal.controller = `0x${'9'.repeat(40)}`)],
    ['another nonce', (refusal) => (refusal.nonce = '1')],
    ['another router', (refusal) => (refusal.router = `0x${'9'.repeat(40)}`)],
  ])('is never refused by a signed refusal of %s', async (_name, change) => {
    const { input, refusal } = await fixture.admittedCustomLaunch(fresh(), { refusal: change });
    const custody = await fixture.custody();
    await expect(custody.refuseLaunch(refusal)).rejects.toMatchObject({ code: 'REFUSAL_MISMATCH', retryable: false });
    signed(await custody.signPermit(input));
  });
});
