import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  simulateTransaction,
  type ObserverPair,
  type SimulatedEffects,
  type SimulatedTransaction,
} from '@launch/chain';
import {
  compareExecutions,
  createSecondExecutor,
  type SecondExecutor,
  type SecondOpinionVerdict,
} from '@launch/chain/second-opinion';
import { startDevnet, type Devnet } from '@launch/devnet';
import type { Hex } from '@launch/evm';
import { testSeed } from '@launch/testing';
import fc from 'fast-check';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { admin, call, until } from '../../devnet/test/devnet.harness.js';
import { walletTransactionOf } from '../../../apps/admission-worker/src/families/multi-role.launch.js';
import {
  devnetObservers,
  lying,
  signedLaunch,
  type ReferenceLaunch,
  type SignedLaunch,
} from './fixtures/signed-launch.fixture.js';

const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);

let devnet: Devnet;
let dir: string;
let l2: ObserverPair;
let launch: SignedLaunch;
let transaction: SimulatedTransaction;
/** The providers' result for the transaction, on an idle chain. */
let asSimulated: Awaited<ReturnType<typeof simulated>>;
let window: { validAfter: bigint; deadline: bigint };

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'second-opinion-'));
  devnet = await startDevnet({ dir, keepState: false, idleBlockMs: 0 });
  l2 = devnetObservers(devnet);
  const now = BigInt(Math.floor(Date.now() / 1000));
  window = { validAfter: now - 60n, deadline: now + 1_800n };
  launch = await signedLaunch(devnet, 'buy', 1n, window);
  transaction = transactionOf(launch);
  asSimulated = await simulated();
});
afterAll(async () => {
  await devnet?.stop();
  await rm(dir, { recursive: true, force: true });
});

const transactionOf = ({ request, signed }: SignedLaunch): SimulatedTransaction => {
  const { from, to, value, data } = walletTransactionOf(request, signed);
  return { from, to, value: BigInt(value), data: data as Hex };
};

async function simulated(changed: SimulatedTransaction = transaction) {
  const outcome = await simulateTransaction(l2, changed, window);
  if (outcome.kind !== 'ok' && outcome.kind !== 'reverted')
    throw new Error(
      JSON.stringify(outcome, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
    );
  return outcome;
}

interface Launched {
  readonly execution: Extract<Awaited<ReturnType<typeof simulated>>, { kind: 'ok' }>;
  readonly effects: SimulatedEffects;
}

function launched(execution: Awaited<ReturnType<typeof simulated>>): Launched {
  if (execution.kind !== 'ok') throw new Error('the reference launch reverts');
  return { execution, effects: execution.effects };
}

async function effectsOf(): Promise<Launched> {
  return launched(await simulated());
}

const faults = (id: string, body: unknown): Promise<Response> =>
  fetch(`${devnet.faultsUrl}/faults/4663/${id}`, { method: 'PUT', body: JSON.stringify(body) });

type Execution = Parameters<typeof compareExecutions>[0][number] & Parameters<SecondExecutor>[1];
const createSecondOpinion =
  (...[pair, limits]: Parameters<typeof createSecondExecutor>) =>
  async (asked: SimulatedTransaction, execution: Execution): Promise<SecondOpinionVerdict> =>
    compareExecutions([execution], await createSecondExecutor(pair, limits)([asked], execution));

/** A wrong value in place of a word of the router's state. */
const ONES = `0x${'11'.repeat(32)}`;
const forRouter =
  (answer: string) =>
  (params: readonly unknown[], truth: unknown): unknown =>
    params[0] === transaction.to ? answer : truth;

describe('a second, independent executor', () => {
  it('gets the same status, logs and balance changes as the providers for a whole launch', async () => {
    const { execution, effects } = await effectsOf();
    expect(effects.status).toBe('success');
    expect(effects.logs?.length).toBeGreaterThan(8);
    expect(effects.nativeDeltas?.get(transaction.from)).toBe(-transaction.value);
    expect([...(effects.nativeDeltas?.values() ?? [])].reduce((sum, delta) => sum + delta, 0n)).toBe(0n);
    expect(await createSecondOpinion(l2)(transaction, execution)).toEqual({ kind: 'agrees' });
  });

  it.each<ReferenceLaunch>(['zero', 'atlas', 'cedar'])(
    'gets the same result for the whole launch of %s',
    async (chosen) => {
      const other = transactionOf(await signedLaunch(devnet, chosen, 2n, window));
      const outcome = await simulated(other);
      expect(outcome.kind).toBe('ok');
      expect(await createSecondOpinion(l2)(other, outcome)).toEqual({ kind: 'agrees' });
    },
    120_000,
  );

  it('executes the code that a wallet has set by EIP-7702, as the providers do', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const { address: contractAddress } = devnet.contracts.batchAccount;
    await admin(devnet, 'POST', '/chains/4663/fund', { address: wallet.address, wei: String(10n ** 18n) });
    const authorization = await wallet.signAuthorization({ contractAddress, chainId: 4663, nonce: 1 });
    const raw = await wallet.signTransaction({
      type: 'eip7702',
      chainId: 4663,
      nonce: 0,
      to: wallet.address,
      gas: 200_000n,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 0n,
      authorizationList: [authorization],
    });
    const to = wallet.address.toLowerCase() as Hex;
    await call(devnet.rawRpc['4663'], 'eth_sendRawTransaction', raw);
    await until('the wallet to have code', async () =>
      (await l2[0].request('eth_getCode', [to, 'latest'])) === '0x' ? null : true,
    );
    const gift = { from: transaction.from, to, value: 1n, data: '0x' } as const;
    const outcome = await simulated(gift);
    expect(outcome.kind).toBe('ok');
    expect(await createSecondOpinion(l2)(gift, outcome)).toEqual({ kind: 'agrees' });
  });

  it('gets the same revert with the same reason', async () => {
    const wrong = { ...transaction, value: transaction.value + 1n };
    const outcome = await simulated(wrong);
    expect(outcome).toMatchObject({ kind: 'reverted', data: expect.stringMatching(/^0x[0-9a-f]{8}/) });
    expect(await createSecondOpinion(l2)(wrong, outcome)).toEqual({ kind: 'agrees' });
    expect(await createSecondOpinion(l2)(wrong, { ...outcome, data: '0x' } as never)).toEqual({
      kind: 'indeterminate',
      reason: expect.stringContaining('return data'),
    });
    // The providers report a revert, and the launch does not revert.
    expect(await createSecondOpinion(l2)(transaction, outcome)).toEqual({
      kind: 'indeterminate',
      reason: expect.stringContaining('status'),
    });
  });

  it.each<[string, string, () => (params: readonly unknown[], truth: unknown) => unknown, RegExp]>([
    ['other storage', 'eth_getStorageAt', () => () => ONES, /status|logs|data/],
    ['no code at the router', 'eth_getCode', () => forRouter('0x'), /return data|logs|status/],
    ['other code at the router', 'eth_getCode', () => forRouter('0x00'), /return data|logs|status/],
    // It spends its gas on logs; a loop without effects would take millions of steps.
    ['code that never ends', 'eth_getCode', () => forRouter('0x5b5f5f5f5f5f5fa45f56'), /status/],
    ['code that reads for ever', 'eth_getCode', () => forRouter('0x5f5b805450600101600156'), /RPC_ANSWER_INVALID/],
    [
      'code that calls a precompile this executor lacks',
      'eth_getCode',
      () => forRouter('0x5f5f5f5f600a5afa'),
      /RPC_ANSWER_INVALID/,
    ],
    [
      'another nonce of the router',
      'eth_getTransactionCount',
      () => (_params, truth) => `0x${(BigInt(truth as string) + 1n).toString(16)}`,
      /status/,
    ],
    ['an account that cannot pay', 'eth_getBalance', () => () => '0x0', /status/],
    ['a balance that overflows', 'eth_getBalance', () => () => `0x${'f'.repeat(64)}`, /RPC_ANSWER_INVALID/],
    ['a nonce that overflows', 'eth_getTransactionCount', () => () => `0x${'f'.repeat(16)}`, /RPC_ANSWER_INVALID/],
    ['words of 64 bytes', 'eth_getStorageAt', () => () => `0x${'11'.repeat(64)}`, /RPC_ANSWER_INVALID/],
    ['words that are none', 'eth_getStorageAt', () => () => null, /RPC_ANSWER_INVALID/],
    ['code that is no hex', 'eth_getCode', () => () => '0x0', /RPC_ANSWER_INVALID/],
  ])(
    'makes no statement over an observer that serves %s',
    async (_what, method, answer, reason) => {
      for (const pair of [
        [l2[0], lying(l2[1], method, answer())],
        [lying(l2[0], method, answer()), l2[1]],
      ] as const) {
        const verdict = await createSecondOpinion(pair, { reads: 200, milliseconds: 60_000 })(transaction, asSimulated);
        expect(verdict).toEqual({ kind: 'indeterminate', reason: expect.stringMatching(reason) });
        expect(verdict).toMatchObject({ reason: expect.stringContaining(pair.find((one) => !l2.includes(one))!.id) });
      }
    },
    60_000,
  );

  it('never agrees with an unseen result, and never breaks, for any forged word', async () => {
    const outcome = await simulated();
    const read: string[] = [];
    await createSecondOpinion([
      l2[0],
      lying(l2[1], 'eth_getStorageAt', (params, truth) => (read.push(String(params[1])), truth)),
    ])(transaction, outcome);
    const seed = testSeed('second opinion, forged words');
    const word = fc
      .bigInt({ min: 0n, max: 2n ** 256n - 1n })
      .map((value) => `0x${value.toString(16).padStart(64, '0')}`);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...read),
        fc.oneof(word, fc.constant(`0x${'0'.repeat(64)}`)),
        async (slot, forged) => {
          const logs: unknown[] = [];
          const verdict = await createSecondOpinion([
            l2[0],
            lying(l2[1], 'eth_getStorageAt', (params, truth) =>
              params[1] === slot ? (logs.push(slot), forged) : truth,
            ),
          ])(transaction, outcome);
          expect(logs.length).toBeGreaterThan(0);
          expect(['agrees', 'indeterminate']).toContain(verdict.kind);
        },
      ),
      { seed, numRuns: 6 * FUZZ_FACTOR, endOnFailure: true },
    );
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['answers with an error', () => faults('l2-b', { errors: true, methods: ['eth_getStorageAt'] }), 'RPC_UNREACHABLE'],
    [
      'cuts the connection',
      () => faults('l2-b', { dropResponses: 'reset', methods: ['eth_getCode'] }),
      'RPC_UNREACHABLE',
    ],
  ])(
    'makes no statement about an observer that %s',
    async (_what, strike, code) => {
      const outcome = await simulated();
      await strike();
      try {
        expect(await createSecondOpinion(l2)(transaction, outcome)).toEqual({
          kind: 'indeterminate',
          reason: expect.stringContaining(`${l2[1].id} ${code}`),
        });
      } finally {
        await faults('l2-b', {});
      }
    },
    60_000,
  );

  it('gives up on state that takes too many reads, or too long', async () => {
    const outcome = await simulated();
    expect(await createSecondOpinion(l2, { reads: 20, milliseconds: 60_000 })(transaction, outcome)).toEqual({
      kind: 'indeterminate',
      reason: expect.stringContaining('RPC_ANSWER_INVALID'),
    });
    expect(await createSecondOpinion(l2, { reads: 4_096, milliseconds: 0 })(transaction, outcome)).toEqual({
      kind: 'indeterminate',
      reason: expect.stringContaining('RPC_TIMEOUT'),
    });
  });

  it.each<[string, (effects: SimulatedEffects) => Partial<SimulatedEffects>, string]>([
    ['a log less', ({ logs }) => ({ logs: logs!.slice(1) }), 'logs'],
    ['two logs in the other order', ({ logs }) => ({ logs: [logs![1]!, logs![0]!, ...logs!.slice(2)] }), 'logs'],
    [
      'a log of another contract',
      ({ logs }) => ({ logs: [{ ...logs![0]!, address: `0x${'12'.repeat(20)}` }, ...logs!.slice(1)] }),
      'logs',
    ],
    ['another topic', ({ logs }) => ({ logs: [{ ...logs![0]!, topics: [ONES as Hex] }, ...logs!.slice(1)] }), 'logs'],
    [
      'other data of a log',
      ({ logs }) => ({ logs: [...logs!.slice(0, -1), { ...logs!.at(-1)!, data: ONES as Hex }] }),
      'logs',
    ],
    ['other return data', () => ({ returnData: '0x' }), 'return data'],
    [
      'a balance change more',
      ({ nativeDeltas }) => ({ nativeDeltas: new Map([...nativeDeltas!, [`0x${'12'.repeat(20)}`, 1n]]) }),
      'balance changes',
    ],
    ['no balance change', () => ({ nativeDeltas: new Map() }), 'balance changes'],
    [
      'a wei less',
      ({ nativeDeltas }) => ({
        nativeDeltas: new Map(
          [...nativeDeltas!].map(([account, delta], index) => [account, index === 0 ? delta - 1n : delta]),
        ),
      }),
      'balance changes',
    ],
  ])(
    'makes no statement when the providers report %s',
    async (_what, change, named) => {
      const { execution, effects } = launched(asSimulated);
      const verdict = await createSecondOpinion(l2)(transaction, {
        ...execution,
        effects: { ...effects, ...change(effects) },
      });
      expect(verdict).toEqual({ kind: 'indeterminate', reason: expect.stringContaining(named) });
    },
    60_000,
  );

  it.each([
    ['one observer', ['l2-a']],
    ['the other', ['l2-b']],
    ['both', ['l2-a', 'l2-b']],
  ])(
    'compares both states where %s has no eth_simulateV1',
    async (_who, ids) => {
      const opinion = createSecondOpinion(l2);
      await Promise.all(ids.map((id) => faults(id, { noSimulate: true })));
      try {
        const { execution, effects } = await effectsOf();
        expect(effects).toMatchObject({
          status: 'success',
          returnData: expect.stringMatching(/^0x/),
          logs: null,
          nativeDeltas: null,
        });
        expect(await opinion(transaction, execution)).toEqual({ kind: 'agrees' });
        const other = [
          l2[0],
          lying(
            l2[1],
            'eth_getStorageAt',
            (_params, truth) =>
              `0x${(BigInt(truth as string) + (1n << 255n)).toString(16).slice(-64).padStart(64, '0')}`,
          ),
        ] as const;
        expect(await createSecondOpinion(other)(transaction, execution)).toMatchObject({ kind: 'indeterminate' });
        expect(await opinion(transaction, { ...execution, effects: { ...effects, returnData: '0x12' } })).toEqual({
          kind: 'indeterminate',
          reason: expect.stringContaining('return data'),
        });
      } finally {
        await Promise.all(ids.map((id) => faults(id, {})));
      }
    },
    60_000,
  );

  it.each<[string, Record<string, unknown>]>([
    ['without an amount', { data: '0x' }],
    ['without a receiver', { topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'] }],
    ['that is another event', { topics: [ONES, ONES, ONES] }],
  ])(
    'refuses an observer that reports a native transfer %s',
    async (_what, change) => {
      const transfer = {
        address: `0x${'e'.repeat(40)}`,
        topics: [
          '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
          `0x${'0'.repeat(64)}`,
          `0x${'0'.repeat(64)}`,
        ],
        data: ONES,
        ...change,
      };
      const forged = lying(l2[0], 'eth_simulateV1', (_params, truth) =>
        (truth as { calls: { logs: unknown[] }[] }[]).map((block) => ({
          ...block,
          calls: block.calls.map((call) => ({ ...call, logs: [...call.logs, transfer] })),
        })),
      );
      expect(await simulateTransaction([forged, l2[1]], transaction, window)).toEqual({
        kind: 'indeterminate',
        reason: expect.stringContaining('RPC_ANSWER_INVALID'),
      });
    },
    60_000,
  );
});
