import { beforeAll, describe, expect, it } from '@jest/globals';
import { deploymentOf, signedPlan } from './fixtures/signed-handoff.fixture.js';
import type { ReviewedTransaction, WalletProvider } from './handoff.types.js';
import { reviewHandoff } from './review-handoff.js';
import { simulate } from './simulation.js';

let batch: ReviewedTransaction;
beforeAll(async () => {
  const { bytes, context, steps } = await signedPlan('atomic');
  const [{ authorization, stepId }] = steps as [(typeof steps)[number]];
  const claim = { handoff: authorization, stepId, requestBytes: bytes, context, trusted: [deploymentOf(context)] };
  batch = reviewHandoff({ family: 'plan', ...claim }).transaction!;
});

/** A provider that answers every request in one way, and keeps what it was asked. */
function answering(answer: () => unknown): WalletProvider & { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  return {
    asked,
    async request(request) {
      asked.push(request);
      return answer();
    },
  };
}
const failing = (code: number, message: string) =>
  answering(() => {
    throw Object.assign(new Error(message), { code });
  });
const block = (calls: readonly object[]) => answering(() => [{ calls }]);
const succeeded = { status: '0x1', gasUsed: '0x10', returnData: '0x' };

describe('The simulation of a batch', () => {
  it('runs every call in its order in one block, from the controller, and adds the gas', async () => {
    const provider = block(batch.calls.map(() => succeeded));
    expect(await simulate(provider, batch)).toEqual({ gas: 16n * BigInt(batch.calls.length) });
    const calls = batch.calls.map(({ to, value, data }) => ({
      from: batch.controller,
      to,
      value: `0x${value.toString(16)}`,
      data,
    }));
    expect(provider.asked).toEqual([
      { method: 'eth_simulateV1', params: [{ blockStateCalls: [{ calls }] }, 'latest'] },
    ]);
  });

  it('names the call that fails', async () => {
    const failed = {
      status: '0x0',
      gasUsed: '0x10',
      returnData: '0x',
      error: { code: 3, message: 'execution reverted' },
    };
    const calls = batch.calls.map((_call, index) => (index === 1 ? failed : succeeded));
    expect(await simulate(block(calls), batch)).toEqual({
      revert: `call 2 of ${batch.calls.length}: execution reverted`,
      remedy: 'Read the message of your wallet’s provider.',
    });
  });

  it('is unsupported by a provider without the method', async () => {
    for (const code of [-32_601, 4200])
      expect(await simulate(failing(code, 'no such method'), batch)).toBe('unsupported');
  });

  it('fails for a controller that cannot pay, and reports no result for another error of the provider', async () => {
    expect(await simulate(failing(-38_014, 'insufficient funds'), batch)).toMatchObject({
      revert: 'insufficient funds',
    });
    await expect(simulate(failing(-32_005, 'too many requests'), batch)).rejects.toThrow('too many requests');
    await expect(simulate(block([succeeded]), batch)).rejects.toThrow('another number of calls');
  });
});
