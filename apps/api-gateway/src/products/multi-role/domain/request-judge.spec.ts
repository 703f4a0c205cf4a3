import { describe, expect, it } from '@jest/globals';
import type { CreateRequest, LaunchContext } from '@launch/contracts/multi-role';
import { canonicalKeccak, sha256Digest } from '@launch/contracts/primitives';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { foundIn, refusalOfWork } from '../../../fixtures/refused.js';
import { servedContext, type ServedContextOptions } from '../../../fixtures/served-context.js';
import { testCaller } from '../../../fixtures/test-caller.js';
import { testChain, type TestChain } from '../../../fixtures/test-chain.js';
import { requestBytes, TEST_CONTROLLER, testContext, testRequest } from '../../../fixtures/test-request.js';
import { inlineFormReader } from '../../../platform/request-forms/form-reader.js';
import { MultiRoleCreation } from './multi-role.creation.js';
import { RequestJudge } from './request-judge.js';

const NOW = 1_800_000_000;
const clock = { now: () => NOW * 1_000 };
const WINDOW_INVALID = 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID';
const fresh = (options: Parameters<typeof testRequest>[0] = {}): CreateRequest => testRequest({ now: NOW, ...options });
const window = (validAfter: number, deadline: number) => (request: CreateRequest) =>
  void (request.permitWindow = { validAfter: String(validAfter), deadline: String(deadline) });

interface Deployment extends ServedContextOptions {
  readonly chain?: TestChain;
  /** Nonces that open launches hold. */
  readonly reserved?: readonly string[];
}

function chainAt(seconds: ReturnType<TestChain['clockSeconds']> = [NOW]): TestChain {
  return Object.assign(testChain(), { clockSeconds: () => seconds });
}

/** Judges a create as far as its reservation. */
async function admit(request: unknown, { reserved = [], ...options }: Deployment = {}, caller: Caller = testCaller()) {
  const chain = options.chain ?? chainAt();
  const contexts = await servedContext({ ...options, chain });
  const rows = { isNonceReserved: async (_router: string, _wallet: string, nonce: string) => reserved.includes(nonce) };
  const creation = new MultiRoleCreation(new RequestJudge(contexts, rows, chain, inlineFormReader, clock), null, clock);
  const bytes = Buffer.from(requestBytes(request));
  return creation.admit(await creation.judge(bytes, sha256Digest(bytes), caller));
}

describe('The judge of a multi-role request', () => {
  it('admits a request without a fault with the hashes and the context that it is reserved under', async () => {
    const request = fresh({ nonce: '7' });
    const { launch, bytes } = await admit(request);
    expect(launch).toMatchObject({
      controller: TEST_CONTROLLER,
      router: testContext().chainDeployment.router.address,
      nonce: '7',
      contextHash: request.contextCommitments.contextHash,
      requestSha256: sha256Digest(requestBytes(request)),
      validAfter: BigInt(NOW),
      deadline: BigInt(NOW + 1_800),
    });
    expect(Buffer.from(bytes).equals(requestBytes(request))).toBe(true);
  });

  const faults: readonly (readonly [string, () => unknown, readonly string[]])[] = [
    ['an unknown field', () => ({ ...fresh(), extra: 1 }), ['SCHEMA_UNKNOWN_FIELD /extra']],
    [
      'a member that no hash would cover',
      () =>
        fresh({
          change: (one) =>
            void Object.assign(one, {
              behaviorScenarioInputs: JSON.parse('{"__proto__":{"a":1}}'),
              behaviorScenarioInputsHash: canonicalKeccak({}),
            }),
        }),
      ['SCHEMA_UNKNOWN_FIELD /behaviorScenarioInputs/__proto__'],
    ],
    [
      'two faults of schema at once',
      () => ({ ...fresh(), nonce: '01', launchWallet: '0xAB' }),
      ['SCHEMA_INVALID /launchWallet', 'SCHEMA_INVALID /nonce'],
    ],
    [
      'behavioural inputs without their hash',
      () => ({ ...fresh(), behaviorScenarioInputs: {} }),
      ['SCHEMA_INVALID /behaviorScenarioInputsHash'],
    ],
    [
      'a stale context',
      () => fresh({ context: testContext({ profileId: 'older' }) }),
      ['CONTEXT_NOT_CURRENT /context'],
    ],
    [
      'a wrong commitment',
      () => fresh({ change: (one) => void (one.contextCommitments.profileHash = `0x${'0'.repeat(64)}`) }),
      ['CONTEXT_COMMITMENT_MISMATCH /contextCommitments/profileHash'],
    ],
    [
      'a wrong intent hash',
      () => fresh({ afterHashing: (one) => void (one.launchIntentHash = `0x${'0'.repeat(64)}`) }),
      ['LAUNCH_INTENT_HASH_MISMATCH /launchIntentHash'],
    ],
    [
      'a wrong behaviour hash',
      () =>
        fresh({
          change: (one) =>
            void Object.assign(one, {
              behaviorScenarioInputs: { a: 1 },
              behaviorScenarioInputsHash: `0x${'0'.repeat(64)}`,
            }),
        }),
      ['BEHAVIOR_INPUTS_HASH_MISMATCH /behaviorScenarioInputsHash'],
    ],
    [
      'an image of other dimensions',
      () => fresh({ change: (one) => void (one.projectMetadata.image.width = 64) }),
      ['IMAGE_MISMATCH /projectMetadata/image/width'],
    ],
    [
      'a file that is no image',
      () =>
        fresh({
          change: (one) => void (one.source.additionalFiles[0]!.base64 = Buffer.from('<svg/>').toString('base64')),
        }),
      ['IMAGE_INVALID /source/imagePath'],
    ],
    [
      'an image path that names nothing',
      () => fresh({ change: (one) => void (one.source.imagePath = 'other.png') }),
      ['IMAGE_INVALID /source/imagePath'],
    ],
    [
      'a window longer than an hour',
      () => fresh({ change: window(NOW, NOW + 3_601) }),
      [`${WINDOW_INVALID} /permitWindow`],
    ],
    [
      'a window that began too long ago',
      () => fresh({ change: window(NOW - 3_610, NOW + 90) }),
      [`${WINDOW_INVALID} /permitWindow`, `${WINDOW_INVALID} /permitWindow/validAfter`],
    ],
    [
      'a window that begins too late',
      () => fresh({ change: window(NOW + 120, NOW + 600) }),
      [`${WINDOW_INVALID} /permitWindow/validAfter`],
    ],
    [
      'a deadline too near',
      () => fresh({ change: window(NOW - 10, NOW + 30) }),
      [`${WINDOW_INVALID} /permitWindow/deadline`],
    ],
    [
      'a deadline before its beginning',
      () => fresh({ change: window(NOW + 50, NOW + 50) }),
      [`${WINDOW_INVALID} /permitWindow/deadline`, `${WINDOW_INVALID} /permitWindow/deadline`],
    ],
    [
      'a wrong sum',
      () => fresh({ change: (one) => void (one.funding.totalValueWei = '1') }),
      ['FUNDING_TOTAL_MISMATCH /funding/totalValueWei'],
    ],
    [
      'a buy without a minimum',
      () =>
        fresh({
          change: (one) =>
            void Object.assign(one, {
              funding: { totalValueWei: '5' },
              fundingPlan: { ...one.fundingPlan, initialBuyWei: '5' },
            }),
        }),
      ['FUNDING_INVALID /fundingPlan/minimumTokensOut'],
    ],
    [
      'several faults of meaning at once',
      () =>
        fresh({
          change: (one) => void Object.assign(one.projectMetadata.image, { height: 33 }),
          afterHashing: (one) => void (one.launchIntentHash = `0x${'1'.repeat(64)}`),
        }),
      ['IMAGE_MISMATCH /projectMetadata/image/height', 'LAUNCH_INTENT_HASH_MISMATCH /launchIntentHash'],
    ],
  ];
  it.each(faults)('refuses %s with 422 and nothing else', async (_fault, make, expected) => {
    const refused = await refusalOfWork(() => admit(make()));
    expect([refused.status, foundIn(refused)]).toEqual([422, [...expected].sort()]);
  });

  it('refuses a request for a wallet that the key is not bound to', async () => {
    const foreign = fresh({ change: (one) => void (one.launchWallet = `0x${'2'.repeat(40)}`) });
    const refused = await refusalOfWork(() => admit(foreign));
    expect([refused.status, foundIn(refused)]).toEqual([403, ['WALLET_BINDING_MISMATCH /launchWallet']]);
  });

  it.each([
    ['the router has spent', { chain: Object.assign(chainAt(), { used: new Set([`${TEST_CONTROLLER} 7`]) }) }],
    ['an open launch holds', { reserved: ['7'] }],
  ])('refuses a nonce that %s with 409', async (_holder, deployment) => {
    const refused = await refusalOfWork(() => admit(fresh({ nonce: '7' }), deployment));
    expect([refused.status, foundIn(refused)]).toEqual([409, ['NONCE_IN_USE /nonce']]);
  });

  it('refuses a window that is open by the clock of the server and closed by the head of one observer', async () => {
    const request = fresh({ change: window(NOW, NOW + 600) });
    const refused = await refusalOfWork(() => admit(request, { chain: chainAt([NOW, NOW - 100]) }));
    expect(refused.code).toBe(WINDOW_INVALID);
  });
});

describe('The judge without a chain that it can rely on', () => {
  /** A request with three faults, each of which shows without the chain. */
  const faulty = (more: { nonce?: string; context?: LaunchContext } = {}): CreateRequest =>
    testRequest({
      ...more,
      now: NOW - 7_200,
      change: (one) => void (one.funding.totalValueWei = '1'),
      afterHashing: (one) => void (one.launchIntentHash = `0x${'0'.repeat(64)}`),
    });
  const FAULTS = [
    `${WINDOW_INVALID} /permitWindow/deadline`,
    `${WINDOW_INVALID} /permitWindow/validAfter`,
    'FUNDING_TOTAL_MISMATCH /funding/totalValueWei',
    'LAUNCH_INTENT_HASH_MISMATCH /launchIntentHash',
  ];
  const withoutChain: readonly (readonly [string, () => Deployment])[] = [
    ['no clock of the chain is known', () => ({ chain: chainAt(null) })],
    ['the observers do not agree on the nonce', () => ({ chain: Object.assign(chainAt(), { agrees: false }) })],
  ];

  it.each(withoutChain)('reports every fault of a request while %s', async (_state, deployment) => {
    const refused = await refusalOfWork(() => admit(faulty(), deployment()));
    expect([refused.status, foundIn(refused), refused.retryable]).toEqual([422, FAULTS, false]);
  });

  it.each(withoutChain)('asks for a retry of a request without a fault while %s', async (_state, deployment) => {
    const refused = await refusalOfWork(() => admit(fresh(), deployment()));
    expect([refused.status, refused.code, refused.retryable]).toEqual([503, 'SERVICE_UNAVAILABLE', true]);
    expect(refused.retryAfterSeconds).toBeGreaterThan(0);
  });

  it.each(withoutChain)('refuses the request of another wallet while %s', async (_state, deployment) => {
    const foreign = fresh({ change: (one) => void (one.launchWallet = `0x${'2'.repeat(40)}`) });
    expect((await refusalOfWork(() => admit(foreign, deployment()))).code).toBe('WALLET_BINDING_MISMATCH');
  });

  it('judges no window while the clocks contradict each other, and reports every other fault', async () => {
    const skewed = () => ({ chain: chainAt('skewed') });
    expect(foundIn(await refusalOfWork(() => admit(faulty(), skewed())))).toEqual(FAULTS.slice(2));
    const late = await refusalOfWork(() => admit(testRequest({ now: NOW - 7_200 }), skewed()));
    expect([late.status, late.code, late.retryable]).toEqual([503, 'SERVICE_UNAVAILABLE', true]);
  });

  it.each([
    ['is not ready', { reviewedRouters: [] }],
    ['is not configured', { context: null }],
  ])('reports every fault of a request while the context %s, and retries one without', async (_state, deployment) => {
    const refused = await refusalOfWork(() => admit(faulty(), deployment));
    expect([refused.status, foundIn(refused)]).toEqual([422, FAULTS]);
    const sound = await refusalOfWork(() => admit(fresh(), deployment));
    expect([sound.status, sound.code]).toEqual([503, 'CONTEXT_UNAVAILABLE']);
  });

  it('reports a context other than the configured one before the chain confirmed the configured one', async () => {
    const stale = fresh({ context: testContext({ profileId: 'older' }) });
    expect(foundIn(await refusalOfWork(() => admit(stale, { reviewedRouters: [] })))).toEqual([
      'CONTEXT_NOT_CURRENT /context',
    ]);
  });

  it.each(['v2', 'v3 ', 'V3'])('refuses every request under the unknown finality policy %j', async (version) => {
    const context = testContext({ derivedContractFinality: `service.derived-contract-finality.${version}` });
    expect((await refusalOfWork(() => admit(fresh({ context }), { context }))).code).toBe('CONTEXT_UNAVAILABLE');
    expect((await refusalOfWork(() => admit(fresh({ context })))).code).toBe('CONTEXT_NOT_CURRENT');
  });
});
