import { describe, expect, it } from '@jest/globals';
import { toEventSelector } from 'viem/utils';
import type { SourceLog } from '@launch/contracts/index';
import { LAUNCH_KINDS } from '../../router-v1/router-v1.types.js';
import { CUSTOM_ROUTER_V1 } from '../custom-router-v1/router-v1.adapter.js';
import { ROUTER_V1_CASE, ROUTER_V1_STAMP, routerV1Case } from '../custom-router-v1/router-v1.case.fixture.js';
import {
  account,
  judged,
  reasonOf,
  withLogs,
  type AskedContract,
  type SourceCase,
} from '../fixtures/source-case.fixture.js';
import { foundationCase, TOKEN } from '../module-foundation/foundation.case.fixture.js';
import { ETHEREUM_CUSTOM_V1 } from './ethereum-router.adapter.js';

const LAUNCH_ACCOUNT = account('ac');
const { address } = ROUTER_V1_CASE.source;

const { token: STAMPED_TOKEN } = ROUTER_V1_STAMP.stamp;
/** A token as a Foundation factory makes it, with the code that the router stamped. */
const FOUNDATION_TOKEN: AskedContract = {
  ...foundationCase('V3').contracts[TOKEN]!,
  codeHash: ROUTER_V1_CASE.contracts[STAMPED_TOKEN]!.codeHash,
};

/** Returns the launch of the fixture as a router on Ethereum stamps it with `kind`. */
function launchOfKind(kind: number, routeLauncher = LAUNCH_ACCOUNT): SourceCase {
  const one = routerV1Case(ETHEREUM_CUSTOM_V1, { kind, routeLauncher });
  return kind === LAUNCH_KINDS.foundationGraph ? withToken(FOUNDATION_TOKEN, one) : one;
}

const withToken = (
  token: AskedContract,
  one = routerV1Case(ETHEREUM_CUSTOM_V1, { kind: LAUNCH_KINDS.foundationGraph, routeLauncher: LAUNCH_ACCOUNT }),
): SourceCase => ({ ...one, contracts: { ...one.contracts, [STAMPED_TOKEN]: token } });

const domainChanged = (logIndex: number): SourceLog => ({
  address,
  topics: [toEventSelector('EIP712DomainChanged()')],
  data: '0x',
  logIndex,
});

describe('a launch on Ethereum', () => {
  it.each([
    ['custom graph', LAUNCH_KINDS.customGraph],
    ['Foundation graph', LAUNCH_KINDS.foundationGraph],
  ])('passes as a %s, with its kind and the routed caller', (_what, kind) => {
    const { verdict } = judged(launchOfKind(kind));
    if (verdict.kind !== 'pass') throw new Error(verdict.reason);
    expect(verdict.launch.record).toMatchObject({
      chainId: 1,
      launchKind: kind,
      creator: LAUNCH_ACCOUNT,
      routerAddress: address,
    });
  });

  it.each([
    ['custom graph from `metadata()`', LAUNCH_KINDS.customGraph, 'a blue token', 'ipfs://image'],
    ['Foundation graph from one getter for each value', LAUNCH_KINDS.foundationGraph, 'a gray token', 'ipfs://gray'],
  ])('reads the metadata of a %s', (_what, kind, description, imageUrl) => {
    const { verdict } = judged(launchOfKind(kind));
    if (verdict.kind !== 'pass') throw new Error(verdict.reason);
    expect(verdict.launch.metadata).toMatchObject({ status: 'ok', description, imageUrl });
  });

  it('passes as a Foundation graph without metadata if a getter of the token reverts', () => {
    const { website: _, ...answers } = FOUNDATION_TOKEN.answers;
    const { verdict } = judged(withToken({ ...FOUNDATION_TOKEN, answers }));
    if (verdict.kind !== 'pass') throw new Error(verdict.reason);
    expect(verdict.launch).toMatchObject({ record: { name: 'Gray Token' }, metadata: { status: 'absent' } });
  });

  it('fails if a Foundation token commits to other metadata than it returns', () => {
    const answers = { ...FOUNDATION_TOKEN.answers, description: () => 'another token' };
    expect(reasonOf(judged(withToken({ ...FOUNDATION_TOKEN, answers })).verdict)).toBe('METADATA_COMMITMENT_MISMATCH');
  });

  it('fails if its kind is neither', () => {
    for (const kind of [0, 3]) expect(reasonOf(judged(launchOfKind(kind)).verdict)).toBe('LAUNCH_KIND_UNKNOWN');
  });

  it('fails if the stamp is for another launch account or kind, and on the launch chain', () => {
    const one = launchOfKind(LAUNCH_KINDS.foundationGraph);
    const reasonOfCase = (other: SourceCase) => reasonOf(judged({ ...other, receipt: one.receipt }).verdict);
    expect(reasonOfCase(launchOfKind(LAUNCH_KINDS.foundationGraph, account('ad')))).toBe('GETTER_MISMATCH');
    expect(reasonOfCase(launchOfKind(LAUNCH_KINDS.customGraph))).toBe('GETTER_MISMATCH');
    expect(reasonOfCase({ ...one, adapter: CUSTOM_ROUTER_V1 })).toBe('LAUNCH_KIND_UNKNOWN');
  });
});

describe('EIP712DomainChanged', () => {
  const one = launchOfKind(LAUNCH_KINDS.foundationGraph);

  it('is not a launch if the router emits it alone', () => {
    const alone = withLogs(one, [domainChanged(0)]);
    expect(ETHEREUM_CUSTOM_V1.candidates(alone.source, alone.receipt)).toEqual([]);
    expect(ETHEREUM_CUSTOM_V1.anchorTopics).not.toContain(domainChanged(0).topics[0]);
  });

  it('does not affect a launch before, during or after its events', () => {
    const spaced = one.receipt.logs.map((log) => ({ ...log, logIndex: 2 * log.logIndex + 1 }));
    const plain = judged(withLogs(one, spaced));
    const places = [0, 2, 2 * spaced.length];
    const among = judged(withLogs(one, [...spaced, ...places.map(domainChanged)]));
    expect(plain.verdict.kind).toBe('pass');
    expect(among.verdict).toEqual(plain.verdict);
    expect(among.candidate).toEqual(plain.candidate);
  });
});
