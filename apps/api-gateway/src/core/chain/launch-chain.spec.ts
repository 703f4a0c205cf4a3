import { beforeEach, describe, expect, it } from '@jest/globals';
import { ChainError, type RpcObserver } from '@launch/chain';
import { ETHEREUM_FINALITY_V1 } from '@launch/contracts/multi-role';
import { testContext } from '../../fixtures/test-request.js';
import { ApiError } from '@launch/http';
import { createLaunchChain, type LaunchChain } from './launch-chain.js';

const ROUTER = `0x${'a'.repeat(40)}` as const;
const CONTROLLER = `0x${'b'.repeat(40)}` as const;
const NOW = 1_900_000_000_000;
const word = (value: number): `0x${string}` => `0x${value.toString(16).padStart(64, '0')}`;

/** A chain of numbered blocks as one provider reports it. Records the requests. */
class Provider implements RpcObserver {
  readonly chainId = 4663;
  readonly originCommitment = '0x';
  readonly asked: string[] = [];
  height = 10;
  /** The block that spent the nonce. */
  spentIn = Number.POSITIVE_INFINITY;
  lies = false;
  constructor(readonly id: string) {}

  async request(method: string, params: readonly unknown[]): Promise<unknown> {
    this.asked.push(method);
    if (method === 'eth_getBlockByNumber') {
      const number = params[0] === 'latest' ? this.height : Number(params[0]);
      return {
        number: `0x${number.toString(16)}`,
        hash: word(number),
        parentHash: word(number - 1),
        timestamp: `0x${(NOW / 1_000).toString(16)}`,
      };
    }
    const { blockHash } = params[1] as { blockHash: string };
    return word(Number(blockHash) >= this.spentIn === this.lies ? 0 : 1);
  }
}

let providers: [Provider, Provider];
let now: number;
let chain: LaunchChain;
const used = (nonce = 7n): Promise<boolean | null> => chain.nonceUsed(ROUTER, CONTROLLER, nonce);
const asked = (method: string): number =>
  providers.flatMap((one) => one.asked).filter((name) => name === method).length;

beforeEach(() => {
  providers = [new Provider('one'), new Provider('two')];
  now = NOW;
  chain = createLaunchChain(providers, null, () => now);
});

describe('The chain requests of many creates', () => {
  it('are one poll of the heads a second, and for each nonce one request to each provider', async () => {
    expect(await Promise.all([used(1n), used(2n), used(3n)])).toEqual([false, false, false]);
    const polls = asked('eth_getBlockByNumber');
    now += 1_000;
    expect(await used(4n)).toBe(false);
    expect([asked('eth_getBlockByNumber'), asked('eth_call')]).toEqual([polls, 8]);
    now += 1;
    await used(5n);
    expect(asked('eth_getBlockByNumber')).toBe(2 * polls);
  });

  it('are one exchange with each provider that takes batches, and single requests to one that then refuses them', async () => {
    const batches: number[] = [];
    for (const one of providers) {
      Object.assign(one, {
        spentIn: 0,
        requestMany: async (method: string, questions: readonly (readonly unknown[])[]) => {
          if (one === providers[1])
            throw new ChainError('RPC_ANSWER_INVALID', { observer: one.id, method, problem: '' });
          batches.push(questions.length);
          return Promise.all(questions.map((params) => one.request('eth_call_of_batch', params)));
        },
      });
    }
    expect(await Promise.all([used(1n), used(2n), used(3n)])).toEqual([true, true, true]);
    expect([batches, asked('eth_call_of_batch'), asked('eth_call')]).toEqual([[3], 3, 3]);
  });

  it('get no answer for a nonce of a batch when one provider is silent or disagrees', async () => {
    for (const one of providers) {
      Object.assign(one, {
        requestMany: async (method: string, questions: readonly (readonly unknown[])[]) =>
          questions.map((_, index) => {
            if (one === providers[0] || index === 0) return word(0);
            return index === 1
              ? word(1)
              : new ChainError('RPC_UNREACHABLE', { observer: one.id, method, httpStatus: null });
          }),
      });
    }
    expect(await Promise.all([used(1n), used(2n), used(3n)])).toEqual([false, null, null]);
  });

  it('see a nonce that was spent meanwhile with the next poll', async () => {
    expect(await used()).toBe(false);
    for (const one of providers) Object.assign(one, { height: 11, spentIn: 11 });
    now += 1_001;
    expect(await used()).toBe(true);
  });

  it('are answered at the lower of both heads, and not at all when the two disagree', async () => {
    providers[0].height = 12;
    for (const one of providers) one.spentIn = 11;
    expect(await used()).toBe(false);
    providers[1].lies = true;
    expect(await used()).toBeNull();
  });

  it('poll the clocks once a second, too', async () => {
    const seconds = NOW / 1_000;
    expect(await Promise.all([chain.clocks(), chain.clocks()])).toEqual(
      Array(2).fill({ kind: 'in-step', seconds: [seconds, seconds, seconds] }),
    );
    expect(asked('eth_getBlockByNumber')).toBe(2);
    now += 121_000;
    expect(await chain.clocks()).toMatchObject({ kind: 'skewed' });
  });
});

describe('Codes that anonymous requests name', () => {
  const account = (seed: number): `0x${string}` => `0x${seed.toString(16).padStart(40, '0')}`;

  it('are charged to a budget once for each request, and not requested without one', async () => {
    let left = 4;
    const bounded = createLaunchChain(
      providers,
      null,
      () => now,
      async (calls) => {
        if (calls > left) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
        left -= calls;
      },
    );
    const codes = (seed: number) => bounded.codeShown(4663, account(seed), 'latest');
    await Promise.all([codes(1), codes(1), codes(2)]);
    await codes(1);
    const calls = asked('eth_getCode');
    expect([left, calls]).toEqual([0, 4]);
    await expect(codes(3)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(asked('eth_getCode')).toBe(calls);
    // A cached code needs no budget, and a refused one is requested once there is budget.
    await codes(2);
    left = 2;
    expect(await codes(3)).toHaveLength(2);
  });
});

it('The gateway refuses a context whose finality no rule of this release judges.', async () => {
  const under = async (finalityPolicyId: string): Promise<readonly string[]> => {
    const context = testContext();
    return chain.readinessReasons({ ...context, providerProfile: { ...context.providerProfile, finalityPolicyId } });
  };
  expect(await under('service.ethereum-finality.v0')).toContain('FINALITY_POLICY_UNKNOWN');
  expect(await under(ETHEREUM_FINALITY_V1)).not.toContain('FINALITY_POLICY_UNKNOWN');
});
