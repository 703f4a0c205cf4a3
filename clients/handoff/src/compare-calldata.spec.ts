import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CustomLaunchHandoff } from '@launch/contracts/custom-launch';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import { decodeRouterV1Calldata, encodeRouterV1Calldata, type Hex } from '@launch/evm';
import { deploymentOf, signedHandoff, signedPlan } from './fixtures/signed-handoff.fixture.js';
import type { HandoffClaim } from './handoff.types.js';
import { reviewHandoff } from './review-handoff.js';

const OTHER_ADDRESS: Hex = `0x${'77'.repeat(20)}`;
const OTHER_HASH: Hex = `0x${'77'.repeat(32)}`;

/** The differences that a reader sees: the name of each value, the claimed one and the expected one. */
const differing = (claim: HandoffClaim): (readonly [string, string, string])[] =>
  reviewHandoff(claim)
    .checks.filter(({ verdict }) => verdict === 'differs')
    .map(({ subject, claimed, computed }) => [subject, claimed, computed] as const);

let context: CustomLaunchContext;
let handoff: CustomLaunchHandoff;
let claim: HandoffClaim;
beforeAll(async () => {
  const signed = await signedHandoff({ symbol: 'ATLAS', initialBuyWei: '10000000000000000', buyFeeBps: 100 });
  ({ context, handoff } = signed);
  claim = {
    family: 'custom-launch',
    handoff,
    requestBytes: signed.bytes,
    context,
    trusted: [deploymentOf(context)],
  };
});

type Launched = Extract<ReturnType<typeof decodeRouterV1Calldata>, { entryPoint: 'launch' }>;
type Call = Launched['call'];
const decodedLaunch = (): Launched => decodeRouterV1Calldata(handoff.walletTransaction.data) as Launched;

/** The claim with data that are encoded again after a change. */
function withData(data: Hex): HandoffClaim {
  return { ...claim, handoff: { ...handoff, walletTransaction: { ...handoff.walletTransaction, data } } };
}
const withCall = (change: (call: Call) => Partial<Call>): HandoffClaim => {
  const launched = decodedLaunch();
  return withData(encodeRouterV1Calldata({ ...launched, call: { ...launched.call, ...change(launched.call) } }));
};
const HOOK = 2;
const withHook = (change: (hook: Call['components'][number]) => object): HandoffClaim =>
  withCall(({ components }) => ({
    components: components.map((one, index) => (index === HOOK ? { ...one, ...change(one) } : one)),
  }));
/** Replaces a 32-byte word of the hook's nine constructor words. */
const withHookWord = (index: number, word: string): HandoffClaim =>
  withHook(({ initCode }) => {
    const at = initCode.length - (9 - index) * 64;
    return { initCode: `${initCode.slice(0, at)}${word.padStart(64, '0')}${initCode.slice(at + 64)}` };
  });

describe('Data of a transaction that differ from the request', () => {
  it('name the minimum in tokens', () => {
    const [[subject, claimed, computed]] = differing(withCall(() => ({ minimumTokensOut: 5n * 10n ** 17n }))) as [
      readonly [string, string, string],
    ];
    expect([subject, claimed]).toEqual(['the minimum that you receive', '0.5 ATLAS (500000000000000000 raw units)']);
    expect(computed).toMatch(/^[\d.]+ ATLAS \(\d+ raw units\)$/);
  });

  it('name amounts in ether, and prices and assets of the pool exactly', () => {
    const { poolKey, sqrtPriceX96 } = decodedLaunch().call;
    expect(
      differing(
        withCall((call) => ({
          initialBuyWei: call.initialBuyWei * 2n,
          sqrtPriceX96: 5n,
          poolKey: { ...call.poolKey, currency0: OTHER_ADDRESS },
        })),
      ),
    ).toEqual([
      ['the first asset of the pool', OTHER_ADDRESS, poolKey.currency0],
      ['the first price of the pool', '5', String(sqrtPriceX96)],
      ['the amount that buys tokens', '0.02 ETH (20000000000000000 wei)', '0.01 ETH (10000000000000000 wei)'],
    ]);
  });

  it('name fees and recipients that the code of a reviewed contract contains', () => {
    expect(differing(withHookWord(2, (1_000).toString(16)))).toEqual([
      ['the creator’s fee of each buy in the contract hook', '10%', '1%'],
    ]);
    expect(differing(withHookWord(5, OTHER_ADDRESS.slice(2)))[0]!.slice(0, 2)).toEqual([
      'the recipient of the creator’s fee in the contract hook',
      OTHER_ADDRESS,
    ]);
  });

  it('name the contract whose code, salt or role is another one', () => {
    const { initCode, salt, roleMask } = decodedLaunch().call.components[HOOK]!;
    expect(differing(withHook(() => ({ initCode: '0x6001' })))).toEqual([
      ['the creation code of the contract hook', '0x6001', initCode],
    ]);
    expect(differing(withHook(() => ({ salt: OTHER_HASH, roleMask: roleMask + 16 })))).toEqual([
      ['the role of the contract hook', 'hook and fee vault (18)', 'hook (2)'],
      ['the salt of the contract hook', OTHER_HASH, salt],
    ]);
  });

  it('name the number of contracts if one is missing', () => {
    expect(differing(withCall(({ components }) => ({ components: components.slice(1) })))).toEqual([
      ['the number of contracts that are created', '2', '3'],
    ]);
  });

  it('name times of the permit, also one that no calendar has', () => {
    const launched = decodedLaunch();
    const deadline = 2n ** 64n - 1n;
    const permit = { ...launched.permit, deadline, value: 0n };
    const [amount, end] = differing(withData(encodeRouterV1Calldata({ ...launched, permit })));
    expect(amount).toEqual(['the amount in the permit', '0 ETH (0 wei)', '0.01 ETH (10000000000000000 wei)']);
    expect(end!.slice(0, 2)).toEqual(['the end of the permit', `second ${deadline} (${deadline})`]);
    expect(end![2]).toMatch(/^20\d\d-\d\d-\d\dT\S+Z \(\d+\)$/);
  });
});

describe('The data of a plan’s step', () => {
  const ofStep = (plan: Awaited<ReturnType<typeof signedPlan>>, own: number, sent: number): HandoffClaim => ({
    family: 'plan',
    stepId: plan.steps[own]!.stepId,
    handoff: plan.steps[sent]!.authorization,
    requestBytes: plan.bytes,
    context: plan.context,
    trusted: [deploymentOf(plan.context)],
  });

  it('name the function or the contract that belongs to another step', async () => {
    const plan = await signedPlan('sequential');
    expect(differing(ofStep(plan, 0, 1))).toEqual([['the contract that the step creates', '1', '0']]);
    expect(differing(ofStep(plan, 0, 3))).toEqual([
      ['the amount sent', '0.01 ETH (10000000000000000 wei)', '0 ETH (0 wei)'],
      ['the called function', 'register', 'deployComponent'],
    ]);
  });

  it('name the place in a batch, and the permit of a call that has another one', async () => {
    const plan = await signedPlan('atomic');
    const [{ authorization, stepId }] = plan.steps as [(typeof plan.steps)[number]];
    const { calls } = authorization as unknown as { readonly calls: readonly { readonly data: Hex }[] };
    const second = decodeRouterV1Calldata(calls[1]!.data);
    const data = encodeRouterV1Calldata({ ...second, permit: { ...second.permit, nonce: 8n } });
    const altered = { ...authorization, calls: calls.map((call, index) => (index === 1 ? { ...call, data } : call)) };
    const differences = differing({ ...ofStep(plan, 0, 0), stepId, handoff: altered });
    expect(differences).toContainEqual(['the nonce in the permit of call 2', '8', String(second.permit.nonce)]);
  });

  it('stay one value if they cannot be decoded', async () => {
    const plan = await signedPlan('atomic');
    const [{ authorization }] = plan.steps as [(typeof plan.steps)[number]];
    const { calls } = authorization as unknown as { readonly calls: readonly { readonly data: Hex }[] };
    const altered = {
      ...authorization,
      calls: calls.map((call, index) => (index === 1 ? { ...call, data: '0xdeadbeef' } : call)),
    };
    const subjects = differing({ ...ofStep(plan, 0, 0), handoff: altered }).map(([subject]) => subject);
    expect(subjects).toContain('the data of call 2');
  });
});
