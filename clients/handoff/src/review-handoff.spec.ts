import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CustomLaunchHandoff } from '@launch/contracts/custom-launch';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import { keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import { decodeRouterV1Calldata, encodeRouterV1Calldata, type Hex } from '@launch/evm';
import { privateKeyToAccount } from 'viem/accounts';
import { deploymentOf, signedHandoff, signedPlan } from './fixtures/signed-handoff.fixture.js';
import type { HandoffClaim, HandoffReview } from './handoff.types.js';
import { agreesThroughout, reviewHandoff } from './review-handoff.js';

let bytes: Uint8Array;
let context: CustomLaunchContext;
let handoff: CustomLaunchHandoff;
let claim: HandoffClaim;
beforeAll(async () => {
  ({ bytes, context, handoff } = await signedHandoff());
  claim = { family: 'custom-launch', handoff, requestBytes: bytes, context, trusted: [deploymentOf(context)] };
});

const disagreeing = ({ checks }: HandoffReview): string[] =>
  checks.filter(({ verdict }) => verdict !== 'agrees').map(({ id }) => id);

const OTHER_ADDRESS: Hex = `0x${'77'.repeat(20)}`;
const OTHER_HASH = keccak256Hex(new Uint8Array([1]));
const OTHER_DIGEST = sha256Digest(new Uint8Array([1]));

/** Changes one value inside the calldata and encodes it again, as a service would that signs what it likes. */
const altered = (change: (invocation: ReturnType<typeof launchOf>) => object): Hex =>
  encodeRouterV1Calldata({ ...launchOf(), ...change(launchOf()) } as ReturnType<typeof launchOf>);
const launchOf = () => {
  const invocation = decodeRouterV1Calldata(handoff.walletTransaction.data);
  if (invocation.entryPoint !== 'launch') throw new Error('no launch');
  return invocation;
};

describe('A hand-off of the service', () => {
  it('agrees with its request in every value', () => {
    const review = reviewHandoff(claim);
    expect(disagreeing(review)).toEqual([]);
    expect(agreesThroughout(review)).toBe(true);
    expect(review.transaction).toMatchObject({ controller: handoff.walletTransaction.from, isBatch: false });
  });

  it.each<[string, (transaction: CustomLaunchHandoff['walletTransaction']) => object, string]>([
    ['sender', () => ({ from: OTHER_ADDRESS }), 'stated.from'],
    ['called contract', () => ({ to: OTHER_ADDRESS }), 'call.0.to'],
    ['amount', ({ value }) => ({ value: (BigInt(value) + 1n).toString() }), 'call.0.value'],
    ['data', ({ data }) => ({ data: `${data.slice(0, -2)}01` }), 'calldata'],
  ])('is refused with another %s', (_what, change, id) => {
    const { walletTransaction } = handoff;
    const changed = { ...handoff, walletTransaction: { ...walletTransaction, ...change(walletTransaction) } };
    const review = reviewHandoff({ ...claim, handoff: changed });
    expect(disagreeing(review)).toContain(id);
    expect(agreesThroughout(review)).toBe(false);
  });

  it.each<[keyof CustomLaunchHandoff, unknown, string]>([
    ['requestSha256', OTHER_DIGEST, 'stated.request.sha256'],
    ['requestHash', OTHER_HASH, 'stated.request.hash'],
    ['contextHash', OTHER_HASH, 'stated.context'],
    ['artifactHash', OTHER_HASH, 'stated.artifact'],
    ['permitDigest', OTHER_HASH, 'stated.permit.digest'],
    ['validAfter', '1', 'stated.window.start'],
    ['deadline', '1', 'stated.window.end'],
    ['expiresAt', '2031-01-01T00:00:00.000Z', 'stated.expiry'],
    ['metadata', { name: 'Other', symbol: 'OTHER', imageSha256: OTHER_DIGEST }, 'stated.name'],
    ['walletTransaction', {}, 'handoff'],
  ])('is refused with another %s', (member, value, id) => {
    expect(disagreeing(reviewHandoff({ ...claim, handoff: { ...handoff, [member]: value } }))).toContain(id);
  });

  it.each([
    ['controller', OTHER_ADDRESS],
    ['requestHash', OTHER_HASH],
    ['contextHash', OTHER_HASH],
    ['economicsHash', OTHER_HASH],
    ['instructionPolicyHash', OTHER_HASH],
    ['graphHash', OTHER_HASH],
    ['poolHash', OTHER_HASH],
    ['callHash', OTHER_HASH],
    ['value', 1n],
    ['nonce', 1n],
    ['validAfter', 1n],
    ['deadline', 1n],
    ['profile', OTHER_HASH],
    ['mode', 1],
    ['stepsHash', OTHER_HASH],
  ])('is refused with another %s in its permit', (member, value) => {
    const data = altered(({ permit }) => ({ permit: { ...permit, [member]: value } }));
    const changed = { ...handoff, walletTransaction: { ...handoff.walletTransaction, data } };
    expect(disagreeing(reviewHandoff({ ...claim, handoff: changed }))).toContain(`permit.${member}`);
  });

  it('is refused with the signature of another key', async () => {
    const signature = await privateKeyToAccount(OTHER_HASH).sign({ hash: handoff.permitDigest });
    const data = altered(() => ({ signature }));
    const changed = { ...handoff, walletTransaction: { ...handoff.walletTransaction, data } };
    expect(disagreeing(reviewHandoff({ ...claim, handoff: changed }))).toEqual(['signer']);
  });

  it('is refused for another request than the expected one, and for bytes that are none', () => {
    expect(disagreeing(reviewHandoff({ ...claim, expectedRequestSha256: 'ab'.repeat(32) }))).toEqual([
      'request.expected',
    ]);
    expect(disagreeing(reviewHandoff({ ...claim, requestBytes: new Uint8Array([123]) }))).toEqual(['request']);
  });

  it('is refused under other terms than those of its request, with the values that they leave unverified', () => {
    const other = { ...context, chainBindings: { ...context.chainBindings, platformFeeRecipient: OTHER_ADDRESS } };
    const review = reviewHandoff({ ...claim, context: other, trusted: [deploymentOf(other)] });
    expect(disagreeing(review)).toEqual(['context.hash']);
    expect(review.checks[0]?.remedy).toContain('the called contract, the signer of the permit, the pool and the fees');
    expect([review.transaction, agreesThroughout(review)]).toEqual([null, false]);
  });

  it('is refused under a context or a deployment that the reader does not trust', () => {
    expect(disagreeing(reviewHandoff({ ...claim, trusted: [] }))).toEqual(['deployment.trusted']);
    const known = deploymentOf(context);
    const other = { ...known, router: OTHER_ADDRESS, permitAuthorities: [OTHER_ADDRESS] };
    expect(disagreeing(reviewHandoff({ ...claim, trusted: [other] }))).toEqual([
      'deployment.router',
      'deployment.authorities',
    ]);
  });
});

describe('A plan', () => {
  it('agrees in each step when it is sequential', async () => {
    const plan = await signedPlan('sequential');
    for (const { stepId, authorization } of plan.steps) {
      const review = reviewHandoff({
        family: 'plan',
        stepId,
        handoff: authorization,
        requestBytes: plan.bytes,
        context: plan.context,
        trusted: [deploymentOf(plan.context)],
      });
      expect([stepId, disagreeing(review)]).toEqual([stepId, []]);
    }
  });

  it('pays in its last step only, and names its total in each step', async () => {
    const plan = await signedPlan('sequential');
    const paid = plan.steps.map(({ stepId, authorization }) => {
      const claim = { handoff: authorization, stepId, requestBytes: plan.bytes, context: plan.context };
      const { facts } = reviewHandoff({ family: 'plan', ...claim, trusted: [deploymentOf(plan.context)] }).transaction!;
      const values = new Map(facts.map(({ id, value }) => [id, value]));
      return ['step', 'total', 'planTotal'].map((id) => values.get(id));
    });
    const total = paid[0]![2]!;
    expect(BigInt(total)).toBeGreaterThan(0n);
    expect(paid).toEqual(
      plan.steps.map(({ stepId }, index) => [stepId, index === plan.steps.length - 1 ? total : '0', total]),
    );
  });

  it('is refused when a step has the transaction of another step', async () => {
    const { bytes: requestBytes, context: document, steps } = await signedPlan('sequential');
    const review = reviewHandoff({
      family: 'plan',
      stepId: steps[0]!.stepId,
      handoff: steps[1]!.authorization,
      requestBytes,
      context: document,
      trusted: [deploymentOf(document)],
    });
    expect(disagreeing(review)).toEqual(['call.0.data.step.ordinal']);
  });

  it('agrees as one batch when it is atomic, and not in another order', async () => {
    const plan = await signedPlan('atomic');
    const [{ authorization, stepId }] = plan.steps as [(typeof plan.steps)[number]];
    const reviewOf = (calls: readonly unknown[]): HandoffReview =>
      reviewHandoff({
        family: 'plan',
        stepId,
        handoff: { ...authorization, calls },
        requestBytes: plan.bytes,
        context: plan.context,
        trusted: [deploymentOf(plan.context)],
      });
    const { calls } = authorization as unknown as { readonly calls: readonly unknown[] };
    expect(disagreeing(reviewOf(calls))).toEqual([]);
    expect(disagreeing(reviewOf([calls[1], calls[0], ...calls.slice(2)]))).toContain('call.0.data.step.ordinal');
    expect(disagreeing(reviewOf(calls.slice(1)))).toContain('calls');
  });
});
