import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { formatAbi, type Abi } from 'abitype';
import { keccak256 } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import type { Hex } from '../encoding/hex.js';
import { callHash, componentHash, graphHash } from '../launch-call/launch-hashes.js';
import { encodeLaunchCalldata } from '../launch-call/launch-calldata.js';
import { sampleCall, samplePermit, sampleRouter } from '../launch-call/sample-launch.fixture.js';
import { permitDigest, permitV1Digest, permitV1Encoding } from '../permit/launch-permit.js';
import { ROUTER_V1_ABI } from './router-v1.abi.js';
import { decodeRouterV1Calldata, encodeRouterV1Calldata, type RouterV1Invocation } from './router-v1.calldata.js';
import { componentStepsOf, planStepsHash, registerCallHash, registerCallOf } from './router-v1.hashes.js';
import {
  compareGettersV1,
  compareStampV1,
  componentKindOf,
  decodeStampLogV1,
  encodeStampLogV1,
  expectedStampV1,
  type ObservedGettersV1,
} from './router-v1.stamp.js';
import { LAUNCH_MODES, PROFILE_WORDS, type LaunchPermitV1 } from './router-v1.types.js';

const artifactUrl = new URL('../../../../solidity/artifacts/ServiceLaunchStampRouterV1.json', import.meta.url);
const code = (text: string): Error => expect.objectContaining({ code: text }) as unknown as Error;
const signature: Hex = `0x${'ab'.repeat(65)}`;

/** The sample launch as a plan: the same graph with an initializer instead of the combined token and hook. */
const call = {
  ...sampleCall,
  components: [
    { ...sampleCall.components[0]!, roleMask: 4 },
    { ...sampleCall.components[1]!, roleMask: 1 },
    { ...sampleCall.components[1]!, roleMask: 2, initCode: '0x0102' as Hex },
  ],
};
const register = registerCallOf(call);
const permit: LaunchPermitV1 = {
  ...samplePermit,
  graphHash: graphHash(call),
  callHash: registerCallHash(register),
  profile: PROFILE_WORDS['4.1'],
  mode: LAUNCH_MODES.sequential,
  stepsHash: planStepsHash(call.components.map(componentHash), registerCallHash(register), samplePermit.value),
};
const identity = { ...sampleRouter, poolManager: `0x${'77'.repeat(20)}` as Hex };
const invocations: RouterV1Invocation[] = [
  { entryPoint: 'launch', call, permit, signature },
  { entryPoint: 'deployComponent', step: componentStepsOf(call)[1]!, permit, signature },
  { entryPoint: 'register', call: register, permit, signature },
];

describe('the ABI of router V1', () => {
  it('equals that of the compiled contract', () => {
    const artifact = JSON.parse(readFileSync(artifactUrl, 'utf8')) as { abi: Abi };
    expect([...formatAbi(ROUTER_V1_ABI)].sort()).toEqual([...formatAbi(artifact.abi)].sort());
  });
});

describe('a plan’s hashes', () => {
  it('contain the same graph hash for creation codes as bytes and as hashes', () => {
    const [step] = componentStepsOf(call);
    expect(step!.componentHashes).toEqual(call.components.map(componentHash));
    expect(registerCallHash(register)).not.toBe(callHash(call));
  });

  it('differ from those of a launch through router V2', () => {
    expect(permitV1Digest(identity, permit)).not.toBe(permitDigest(identity, permit));
    expect(keccak256(permitV1Encoding(identity, permit))).toBe(permitV1Digest(identity, permit));
  });

  it.each([
    ['a mode', { mode: 256 }],
    ['a short profile', { profile: '0x12' as Hex }],
  ])('refuse %s that the types cannot hold', (_name, change) => {
    expect(() => permitV1Digest(identity, { ...permit, ...change })).toThrow(code('LAUNCH_VALUE_OUT_OF_RANGE'));
  });

  it('refuse half a byte of code', () => {
    const components = [{ ...call.components[0]!, initCode: '0x123' as Hex }];
    expect(() => registerCallOf({ ...call, components })).toThrow(code('HEX_INVALID'));
  });
});

describe.each(invocations)('calldata of $entryPoint', (invocation) => {
  const data = encodeRouterV1Calldata(invocation);

  it('is decoded completely', () => {
    expect(decodeRouterV1Calldata(data)).toEqual(invocation);
    expect(decodeRouterV1Calldata(data.toUpperCase().replace('0X', '0x'))).toEqual(invocation);
  });

  it.each([
    ['a trailing byte', `${data}00`, 'LAUNCH_CALLDATA_NOT_CANONICAL'],
    ['dirty padding', `${data.slice(0, -2)}01`, 'LAUNCH_CALLDATA_NOT_CANONICAL'],
    ['cut short', data.slice(0, -64), 'LAUNCH_CALLDATA_INVALID'],
    ['another function', '0x8da5cb5b', 'LAUNCH_CALLDATA_INVALID'],
    ['odd digits', `${data}0`, 'LAUNCH_CALLDATA_INVALID'],
  ])('is refused with %s', (_name, given, expected) => {
    expect(() => decodeRouterV1Calldata(given)).toThrow(code(expected));
  });

  it('never decodes from another byte string as the same call', () => {
    for (let at = 10; at < data.length; at += 7) {
      const flipped = `${data.slice(0, at)}${data[at] === '0' ? '1' : '0'}${data.slice(at + 1)}`;
      try {
        expect(decodeRouterV1Calldata(flipped)).not.toEqual(invocation);
      } catch (error) {
        if (!(error instanceof EvmError)) throw error;
      }
    }
  });
});

describe('calldata of router V2', () => {
  it('does not decode as calldata of router V1', () => {
    const data = encodeLaunchCalldata({ call: sampleCall, permit: samplePermit, signature });
    expect(() => decodeRouterV1Calldata(data)).toThrow(code('LAUNCH_CALLDATA_INVALID'));
  });
});

describe('the stamp of router V1', () => {
  const expected = expectedStampV1(identity, register, permit);
  const own = expected.events.map((event, logIndex) => ({
    address: identity.router,
    ...encodeStampLogV1(event),
    logIndex,
  }));
  const codes = (logs: typeof own): string[] => {
    const result = compareStampV1(identity.router, logs, expected);
    return result.verdict === 'pass' ? ['pass'] : result.deviations.map(({ code: found }) => found);
  };

  it('consists of route, components, children and launch, without externals', () => {
    expect(expected.events.map(({ event }) => event)).toEqual([
      'ServiceLaunchRouteStampedV1',
      ...Array<string>(4).fill('ServiceComponentStampedV1'),
      'ServiceLaunchStampedV1',
    ]);
    expect(expected.components.map(({ kind }) => kind)).toEqual([3, 1, 2, 4]);
    expect(own.map(decodeStampLogV1)).toEqual(expected.events);
  });

  it('is found among other logs of the router that do not name the launch', () => {
    const other = { ...own[0]!, topics: [own[0]!.topics[0]!, permit.callHash, ...own[0]!.topics.slice(2)] };
    expect(codes(own)).toEqual(['pass']);
    expect(codes([other, ...own].map((log, logIndex) => ({ ...log, logIndex })))).toEqual(['pass']);
  });

  it('differs if an event is missing, repeated, out of order or changed', () => {
    expect(codes(own.slice(0, -1))).toEqual(['STAMP_EVENT_MISSING']);
    expect(codes([...own, { ...own[1]!, logIndex: own.length }])).toEqual(['STAMP_EVENT_UNEXPECTED']);
    expect(codes([own[1]!, own[0]!, ...own.slice(2)].map((log, logIndex) => ({ ...log, logIndex })))).toEqual([
      'STAMP_EVENT_OUT_OF_ORDER',
      'STAMP_EVENT_OUT_OF_ORDER',
    ]);
    const last = own.at(-1)!;
    const changed = { ...last, data: `${last.data.slice(0, -1)}${last.data.endsWith('0') ? '1' : '0'}` as Hex };
    expect(codes([...own.slice(0, -1), changed])).toEqual(['STAMP_FIELD_MISMATCH']);
    expect(codes([...own.slice(0, -1), { ...last, data: `${last.data}00` as Hex }])).toEqual(['STAMP_LOG_UNDECODABLE']);
  });

  it('is compared with each getter separately', () => {
    const observed: ObservedGettersV1 = {
      nonceUsed: true,
      permitUsed: true,
      launchStamp: { ...expected.stamp, stampHash: expected.stampHash },
      stampProof: expected.stampHash,
      launchIdByToken: expected.launchId,
      launchIdByPool: expected.launchId,
      components: expected.components.map(({ runtimeCodeHash }) => ({
        launchIdByComponent: expected.launchId,
        componentRuntimeCodeHash: runtimeCodeHash,
      })),
    };
    const wrong: Hex = `0x${'00'.repeat(32)}`;
    const getters = (change: Partial<ObservedGettersV1>): string[] =>
      compareGettersV1({ ...observed, ...change }, expected).map(({ getter }) => getter);
    expect(getters({})).toEqual([]);
    expect(getters({ nonceUsed: false })).toEqual(['nonceUsed']);
    expect(getters({ permitUsed: false })).toEqual(['permitUsed']);
    expect(getters({ stampProof: wrong })).toEqual(['stampProof']);
    expect(getters({ launchIdByToken: wrong })).toEqual(['launchIdByToken']);
    expect(getters({ launchIdByPool: wrong })).toEqual(['launchIdByPool']);
    expect(getters({ components: [] })).toEqual(['components.length']);
    for (const field of Object.keys(observed.launchStamp))
      expect(getters({ launchStamp: { ...observed.launchStamp, [field]: wrong } })).toEqual([`launchStamp.${field}`]);
    const components = observed.components.map((one, index) =>
      index === 2 ? { ...one, launchIdByComponent: wrong } : one,
    );
    expect(getters({ components })).toEqual(['launchIdByComponent']);
  });

  it.each([
    [7, 1],
    [6, 2],
    [12, 3],
    [48, 4],
    [32, 5],
    [8, 0],
    [0, 0],
  ])('counts role mask %d as kind %d', (roleMask, kind) => expect(componentKindOf(roleMask)).toBe(kind));
});
