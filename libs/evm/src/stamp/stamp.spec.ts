import { describe, expect, it } from '@jest/globals';
import { toEventSelector } from 'viem/utils';
import type { Hex } from '../encoding/hex.js';
import { componentProof, onchainLaunchId, poolId, stampProof } from '../launch-call/launch-hashes.js';
import { sampleCall, samplePermit, sampleRouter } from '../launch-call/sample-launch.fixture.js';
import { expectedStamp } from './expected-stamp.js';
import { decodeStampLog, encodeStampLog } from './launch-stamp.js';
import type { ReceiptLog } from './stamp-log.js';
import { MAX_STAMP_DEVIATIONS, compareGetters, compareStamp, type ObservedGetters } from './stamp-events.js';

const expected = expectedStamp(sampleRouter, sampleCall, samplePermit);
const { router } = sampleRouter;
const token = sampleCall.poolKey.currency1;

const own: ReceiptLog[] = expected.events.map((event, index) => ({
  address: router,
  ...encodeStampLog(event),
  logIndex: 3 * index,
}));
const foreign = (logIndex: number): ReceiptLog => ({ ...own[0]!, address: `0x${'99'.repeat(20)}`, logIndex });
const replaced = (position: number, change: Partial<ReceiptLog>): ReceiptLog[] =>
  own.map((log, index) => (index === position ? { ...log, ...change } : log));
const codes = (logs: readonly ReceiptLog[]): string[] => {
  const result = compareStamp(router, logs, expected);
  return result.verdict === 'pass'
    ? ['pass']
    : result.deviations.map(({ code, position, field }) => `${code}@${position}${field === null ? '' : ` ${field}`}`);
};

describe('expectedStamp', () => {
  it('orders permit, route, components, children, externals, launch', () => {
    expect(expected.events.map(({ event }) => event.replace(/MultiRole|V2/g, ''))).toEqual([
      'PermitConsumed',
      'RouteStamped',
      'ComponentStamped',
      'ComponentStamped',
      'ComponentStamped',
      'ComponentStamped',
      'LaunchStamped',
    ]);
    expect(expected.accounts.map(({ scope, resultIndex, roleMask }) => [scope, resultIndex, roleMask])).toEqual([
      [0, 0, 3],
      [0, 1, 0],
      [1, 0, 16],
      [2, 0, 32],
    ]);
  });

  it('contains the answers of the getters', () => {
    const id = onchainLaunchId(sampleRouter, samplePermit.controller, samplePermit.nonce);
    expect(expected).toMatchObject({
      launchId: id,
      token,
      hook: token,
      poolId: poolId(sampleCall.poolKey),
      stampProof: stampProof(id, samplePermit),
    });
    expect(expected.accounts[2]!.proof).toBe(componentProof(16, sampleCall.children[0]!.runtimeCodeHash, 1, 0));
    expect(expected.accounts[0]!.account).toBe(token);
  });
});

describe('stamp events', () => {
  it('are encoded as the router emits them', () => {
    const { topics, data } = encodeStampLog(expected.events[0]!);
    expect(topics).toEqual([
      toEventSelector('MultiRolePermitConsumedV2(bytes32,address,uint256)'),
      expected.permitDigest,
      `0x${'00'.repeat(12)}${samplePermit.controller.slice(2)}`,
    ]);
    expect(data).toBe(`0x${'5'.padStart(64, '0')}`);
  });

  it('are decoded again', () => {
    for (const event of expected.events) expect(decodeStampLog(encodeStampLog(event))).toEqual(event);
  });

  it.each([
    ['no topics', { topics: [], data: '0x' }],
    ['an unknown event', { topics: [`0x${'11'.repeat(32)}`], data: '0x' }],
    ['a topic too few', { ...own[0]!, topics: own[0]!.topics.slice(0, 2) }],
    ['a topic too many', { ...own[0]!, topics: [...own[0]!.topics, own[0]!.topics[1]!] }],
    ['data cut short', { ...own[0]!, data: own[0]!.data.slice(0, -2) as Hex }],
    ['trailing data', { ...own[0]!, data: `${own[0]!.data}00` as Hex }],
    [
      'a dirty address topic',
      { ...own[0]!, topics: [own[0]!.topics[0]!, own[0]!.topics[1]!, `0x01${own[0]!.topics[2]!.slice(4)}`] },
    ],
    ['a scope beyond uint8', { ...own[2]!, data: own[2]!.data.replace(/0{63}0/, `${'0'.repeat(61)}100`) as Hex }],
  ] as [string, { topics: Hex[]; data: Hex }][])('Stamp events with %s are not decoded.', (_name, log) => {
    expect(decodeStampLog(log)).toBeNull();
  });
});

describe('compareStamp', () => {
  it('passes the exact logs, even between logs of other contracts', () => {
    expect(compareStamp(router, own, expected)).toEqual({ verdict: 'pass', firstLogIndex: 0, lastLogIndex: 18 });
    expect(codes([foreign(1), ...own, foreign(40)])).toEqual(['pass']);
    expect(codes(own.map((log) => ({ ...log, address: `0x${router.slice(2).toUpperCase()}` })))).toEqual(['pass']);
  });

  it.each([
    ['no logs', [], own.map((_, index) => `STAMP_EVENT_MISSING@${index}`)],
    ['the last log missing', own.slice(0, -1), ['STAMP_EVENT_MISSING@6']],
    ['an extra log', [...own, { ...own[6]!, logIndex: 99 }], ['STAMP_EVENT_UNEXPECTED@7']],
    ['a removed log', replaced(1, { removed: true }), ['STAMP_LOG_REMOVED@1']],
    ['equal log indexes', replaced(1, { logIndex: 0 }), ['STAMP_LOG_ORDER_INVALID@1']],
    ['an undecodable log', replaced(3, { data: '0x' }), ['STAMP_LOG_UNDECODABLE@3']],
  ] as [string, ReceiptLog[], string[]][])('reports %s', (_name, logs, wanted) => {
    expect(codes(logs)).toEqual(wanted);
  });

  it('does not count a component that another contract stamped', () => {
    const found = codes(replaced(5, { address: `0x${'99'.repeat(20)}` }));
    expect(found).toEqual(['STAMP_EVENT_OUT_OF_ORDER@5', 'STAMP_EVENT_MISSING@6']);
  });

  it('reports launch before route as out of order', () => {
    const swapped = own.map((log, index) => ({
      ...(index === 1 ? own[6]! : index === 6 ? own[1]! : log),
      logIndex: log.logIndex,
    }));
    expect(codes(swapped)).toEqual(['STAMP_EVENT_OUT_OF_ORDER@1', 'STAMP_EVENT_OUT_OF_ORDER@6']);
  });

  it('reports every single field that differs', () => {
    expected.events.forEach((event, position) => {
      for (const field of Object.keys(event.fields)) {
        const value = (event.fields as Record<string, string>)[field]!;
        const changed = value.startsWith('0x')
          ? `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`
          : String(BigInt(value) + 1n);
        const log = encodeStampLog({ ...event, fields: { ...event.fields, [field]: changed } } as never);
        const result = compareStamp(router, replaced(position, log), expected);
        expect(result).toEqual({
          verdict: 'fail',
          deviations: [
            { code: 'STAMP_FIELD_MISMATCH', position, event: event.event, field, expected: value, actual: changed },
          ],
        });
      }
    });
  });

  it('lists a bounded number of deviations', () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ ...own[0]!, logIndex: index }));
    expect(codes(many)).toHaveLength(MAX_STAMP_DEVIATIONS);
  });
});

describe('compareGetters', () => {
  const observed: ObservedGetters = {
    nonceUsed: true,
    permitUsed: true,
    launchStamp: {
      controller: samplePermit.controller,
      token,
      hook: token,
      poolId: expected.poolId,
      permitDigest: expected.permitDigest,
    },
    stampProof: expected.stampProof,
    launchIdByToken: expected.launchId,
    launchIdByPool: expected.launchId,
    accounts: expected.accounts.map(({ proof, scope }) => ({
      componentProof: proof,
      launchIdByComponent: scope === 2 ? (`0x${'00'.repeat(32)}` as Hex) : expected.launchId,
    })),
  };
  const zero: Hex = `0x${'00'.repeat(32)}`;

  it('passes the values that the launch stored', () => {
    expect(compareGetters(samplePermit.controller, observed, expected)).toEqual([]);
  });

  it.each([
    ['nonceUsed', { nonceUsed: false }],
    ['permitUsed', { permitUsed: false }],
    ['stampProof', { stampProof: zero }],
    ['launchIdByToken', { launchIdByToken: zero }],
    ['launchIdByPool', { launchIdByPool: zero }],
    ['launchStamp.hook', { launchStamp: { ...observed.launchStamp, hook: samplePermit.controller } }],
    ['launchStamp.token', { launchStamp: { ...observed.launchStamp, token: samplePermit.controller } }],
    ['launchStamp.controller', { launchStamp: { ...observed.launchStamp, controller: token } }],
    ['launchStamp.poolId', { launchStamp: { ...observed.launchStamp, poolId: zero } }],
    ['launchStamp.permitDigest', { launchStamp: { ...observed.launchStamp, permitDigest: zero } }],
    ['accounts.length', { accounts: observed.accounts.slice(1, 1) }],
    [
      'componentProof',
      { accounts: observed.accounts.map((entry, index) => (index === 3 ? { ...entry, componentProof: zero } : entry)) },
    ],
    [
      'launchIdByComponent',
      {
        accounts: observed.accounts.map((entry, index) =>
          index === 2 ? { ...entry, launchIdByComponent: zero } : entry,
        ),
      },
    ],
  ])('reports %s', (getter, change) => {
    expect(
      compareGetters(samplePermit.controller, { ...observed, ...change }, expected).map((entry) => entry.getter),
    ).toEqual([getter]);
  });
});
