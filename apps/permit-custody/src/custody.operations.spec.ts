import { describe, expect, it } from '@jest/globals';
import { OperationError, type StartOperationContext } from 'nexus-rpc';
import { createCustodyOperations, type CustodyServices } from './custody.operations.js';
import { CustodyError } from './custody.error.js';

const LAUNCH = { launchId: '3f2b8a4e-0000-4000-8000-000000000001', requestSha256: `sha256:${'1'.repeat(64)}` as const };
const SIGN = { ...LAUNCH, receiptSha256: `sha256:${'2'.repeat(64)}` as const };

/** A call by a workflow of launches, as the server names it. */
const CONTEXT = {
  abortSignal: new AbortController().signal,
  inboundLinks: [{ url: new URL('temporal:///namespaces/launches/workflows/admit%2F1/r/history') }],
} as unknown as StartOperationContext;

/** Returns operations that end like this, and their reports. */
function ending(error: unknown) {
  const faults: Parameters<CustodyServices['onFault']>[0][] = [];
  const work = (): Promise<never> => Promise.reject(error as Error);
  const { handler } = createCustodyOperations({
    callers: 'launches',
    signPermit: work,
    refuseLaunch: work,
    onOutcome: () => undefined,
    onTrouble: () => undefined,
    onFault: (fault) => void faults.push(fault),
  });
  const call = async (name: string, input: unknown): Promise<unknown> => {
    const failure: unknown = await handler
      .getOperationHandler(name)
      .start(CONTEXT, input)
      .catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(OperationError);
    throw (failure as OperationError).cause;
  };
  return { call, faults };
}

describe('A fault that keeps custody from an answer', () => {
  it.each([
    ['a defect', new TypeError('of launch 7'), 'CUSTODY_FAULT', true],
    [
      'an unreachable database',
      Object.assign(new Error('connect 10.0.0.7'), { code: 'ECONNREFUSED' }),
      'CUSTODY_UNAVAILABLE',
      false,
    ],
    [
      'bytes that are not stored yet',
      new CustodyError('BYTES_UNREADABLE', { cause: new Error('/blobs/kept') }),
      'BYTES_UNREADABLE',
      false,
    ],
    ['a key other than admission’s', new CustodyError('REFUSAL_UNVERIFIED'), 'REFUSAL_UNVERIFIED', false],
    ['two decisions about one launch', new CustodyError('LAUNCH_CONFLICT'), 'LAUNCH_CONFLICT', true],
  ])(
    'reaches the workflow by code alone, and as a fault unless it is temporary: %s',
    async (_name, error, type, nonRetryable) => {
      const { call, faults } = ending(error);
      const failure = await call('signPermit', SIGN).catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ type, nonRetryable });
      expect((failure as Error).cause).toBeUndefined();
      expect((failure as Error).message.startsWith(type)).toBe(true);
      for (const text of ['10.0.0.7', 'launch 7', '/blobs'])
        expect(`${JSON.stringify(failure)}${(failure as Error).message}`).not.toContain(text);
      expect(faults).toMatchObject([{ operation: 'signPermit' }]);
    },
  );

  it.each([
    ['a refusal with an unknown member', { ...LAUNCH, refusalSha256: null, reasonCodes: [] }],
    ['a refusal without its document', LAUNCH],
    ['an invalid digest', { ...LAUNCH, refusalSha256: 'x' }],
  ])('is permanent for an invalid input: %s', async (_name, input) => {
    await expect(ending(null).call('refuseLaunch', input)).rejects.toMatchObject({
      type: 'INPUT_INVALID',
      nonRetryable: true,
    });
  });
});
