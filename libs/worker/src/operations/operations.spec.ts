import { describe, expect, it } from '@jest/globals';
import { inputsOf } from '@launch/contracts/activities';
import { HandlerError, OperationError, type StartOperationContext } from 'nexus-rpc';
import { z } from 'zod';
import { Operations } from './operations.js';

interface Probe {
  double(input: { readonly value: number }): Promise<number>;
}
const inputs = inputsOf<Probe>()({ double: z.tuple([z.strictObject({ value: z.number() })]) });

function probe(double: Probe['double'], link = 'temporal:///namespaces/launches/workflows/admit%2F1/r/history') {
  const troubles: unknown[] = [];
  const stopping = new AbortController();
  const { handler } = new Operations<Probe>(
    'probe',
    inputs,
    { double },
    {
      callers: 'launches',
      failures: { outage: 'AWAY', fault: 'BROKEN' },
      onTrouble: ({ step, workflowId, code, isOutage }) => troubles.push({ step, workflowId, code, isOutage }),
    },
  );
  const context = { abortSignal: stopping.signal, inboundLinks: [{ url: new URL(link) }] } as unknown;
  const call = (input: unknown): Promise<unknown> =>
    handler.getOperationHandler('double').start(context as StartOperationContext, input);
  return { call, stopping, troubles };
}
const failureOf = async (called: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await called.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OperationError);
  return (error as OperationError).cause;
};

describe('Nexus operations', () => {
  it('answer within the call', async () => {
    const answered = await probe(async ({ value }) => value * 2).call({ value: 21 });
    expect(answered).toMatchObject({ isAsync: false, value: 42 });
  });

  it('refuse an input that the schema does not have, and name the field', async () => {
    const { call } = probe(async ({ value }) => value);
    expect(await failureOf(call({ value: '1' }))).toMatchObject({ type: 'INPUT_INVALID', nonRetryable: true });
  });

  it('refuse a caller of another namespace before they parse anything', async () => {
    const other = probe(async ({ value }) => value, 'temporal:///namespaces/modules/workflows/x/r/history');
    expect(await failureOf(other.call(null))).toMatchObject({ type: 'CALLER_REFUSED', nonRetryable: true });
  });

  it.each([
    ['a defect', new TypeError('of 10.0.0.7'), 'BROKEN', false],
    ['an outage', Object.assign(new Error('10.0.0.7'), { code: 'ECONNREFUSED' }), 'AWAY', true],
  ])('report %s by a code alone', async (_what, error, code, isOutage) => {
    const { call, troubles } = probe(() => Promise.reject(error));
    const failure = await failureOf(call({ value: 1 }));
    expect(failure).toMatchObject({ type: code, nonRetryable: !isOutage });
    expect((failure as Error).message).not.toContain('10.0.0.7');
    expect(troubles).toEqual([{ step: 'double', workflowId: 'admit/1', code, isOutage }]);
  });

  it('leave the call to another worker when their own stops', async () => {
    const { call, stopping, troubles } = probe(() => Promise.reject(new Error('cut off')));
    stopping.abort();
    const error: unknown = await call({ value: 1 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HandlerError);
    expect([(error as HandlerError).type, troubles]).toEqual(['UNAVAILABLE', []]);
  });
});
