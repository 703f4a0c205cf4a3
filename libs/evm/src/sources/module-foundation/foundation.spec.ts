import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  FOUNDATION_FACTORY_VERSIONS,
  launchRecordSchema,
  MAX_LAUNCH_MODULES,
  type QuarantineReason,
} from '@launch/contracts/index';
import { testSeed } from '@launch/testing';
import { changedLogs, numbersFrom } from '../fixtures/random-changes.fixture.js';
import { account, judged, reasonOf, turned, withLogs, word, type SourceCase } from '../fixtures/source-case.fixture.js';
import { judgeEvidence, verificationOf } from '../verification-document.js';
import { compositionHash } from './foundation-commitments.js';
import { vectorsOf } from './foundation-vectors.fixture.js';
import { MODULE_FOUNDATION_V1 } from './foundation.adapter.js';
import {
  foundationCase,
  HOOK,
  MODULES,
  POOL_KEY,
  SAID,
  TOKEN,
  type FoundationChange,
} from './foundation.case.fixture.js';

/** The reason that each read causes if its answer differs; `pass` if only the displayed metadata changes. */
const REASONS: Readonly<Record<string, QuarantineReason | 'pass'>> = {
  'factory.code': 'SOURCE_RUNTIME_MISMATCH',
  'custody.code': 'SOURCE_RUNTIME_MISMATCH',
  'factory.launchOf': 'GETTER_MISMATCH',
  'factory.poolManager': 'GETTER_MISMATCH',
  'factory.custody': 'GETTER_MISMATCH',
  'hook.token': 'HOOK_MISMATCH',
  'hook.quote': 'HOOK_MISMATCH',
  'hook.creator': 'HOOK_MISMATCH',
  'hook.ledger': 'HOOK_MISMATCH',
  'hook.poolKey': 'POOL_KEY_MISMATCH',
  'hook.poolId': 'POOL_KEY_MISMATCH',
  'hook.compositionHash': 'COMPOSITION_MISMATCH',
  'hook.moduleCount': 'COMPOSITION_MISMATCH',
  'hook.moduleAt:0': 'COMPOSITION_MISMATCH',
  'hook.moduleAt:1': 'COMPOSITION_MISMATCH',
  'hook.platformFeeBps': 'FEE_OUT_OF_BOUNDS',
  'hook.creatorFeeBps': 'FEE_OUT_OF_BOUNDS',
  'hook.creatorBuyFeeBps': 'FEE_OUT_OF_BOUNDS',
  'hook.creatorSellFeeBps': 'FEE_OUT_OF_BOUNDS',
  'custody.ownerOf': 'CUSTODY_MISMATCH',
  'custody.positionOf': 'CUSTODY_MISMATCH',
  'token.metadataHash': 'METADATA_COMMITMENT_MISMATCH',
  'token.decimals': 'pass',
  // An answer that its ABI cannot decode counts as no answer.
  'token.name': 'pass',
  'token.symbol': 'pass',
  'token.description': 'pass',
  'token.imageURI': 'pass',
  'token.website': 'pass',
  'token.socialData': 'pass',
};
const reason = (one: SourceCase) => reasonOf(judged(one).verdict);

describe.each(FOUNDATION_FACTORY_VERSIONS)('a Foundation launch of %s', (version) => {
  const one = foundationCase(version);
  const changed = (change: FoundationChange) => reason(foundationCase(version, change));

  it('passes with the creator of its event and its modules in order', () => {
    const { verdict } = judged(one);
    if (verdict.kind !== 'pass') throw new Error(`${verdict.reason} ${verdict.detail}`);
    const { record, metadata } = verdict.launch;
    expect(launchRecordSchema.omit({ verificationDigest: true }).parse(record)).toEqual(record);
    expect(record).toMatchObject({
      sourceKind: 'module-foundation-v1',
      factoryVersion: version,
      launchId: null,
      creator: account('e0'),
      tokenAddress: TOKEN,
      hookAddress: HOOK,
      poolManager: account('77'),
      modulePackageIds: [word('a1'), word('a2')],
      moduleFamilyIds: [word('f1'), word('f2')],
      routerAddress: null,
      stampHash: null,
      name: 'Gray Token',
      symbol: 'GRAY',
      decimals: 18,
    });
    expect(metadata).toMatchObject({
      status: 'ok',
      description: 'a gray token',
      website: 'https://gray.example/',
      imageUrl: 'ipfs://gray',
      x: 'https://x.example/gray',
    });
  });

  it('passes without modules, and with the most modules that a factory admits', () => {
    expect(changed({ modules: [] })).toBe('pass');
    expect(changed({ modules: Array.from({ length: MAX_LAUNCH_MODULES }, () => MODULES[0]!) })).toBe('pass');
  });

  it('fails by a specific reason for each changed answer', () => {
    const { reads } = judged(one);
    const asked = reads.map(({ name }) => {
      const { verdict } = judged(one, (read, answer) => (read.name === name ? turned(answer) : answer));
      return [name, reasonOf(verdict)];
    });
    expect(asked).toEqual(reads.map(({ name }) => [name, REASONS[name]]));
  });

  it('fails by a specific reason for each read of factory, hook and custody that reverts', () => {
    for (const { name, kind } of judged(one).reads) {
      if (kind !== 'call' || name.startsWith('token.')) continue;
      const { verdict } = judged(one, (read, answer) => (read.name === name ? { kind: 'reverted' } : answer));
      const expected = /^factory\.|creator\w*FeeBps$/.test(name) ? 'GETTER_REVERTED' : REASONS[name];
      expect([name, reasonOf(verdict)]).toEqual([name, expected]);
    }
  });

  it('has one document for every reader, which can be judged again', () => {
    const { candidate, reads, answers, verdict } = judged(one);
    const { evidence, digest } = verificationOf({ ...one, candidate, reads, answers });
    expect(judgeEvidence(evidence)).toEqual({ verdict, digest });
  });

  it('never passes as another launch after any change in its receipt', () => {
    const below = numbersFrom(testSeed(`foundation launches ${version}`));
    const { verdict } = judged(one);
    if (verdict.kind !== 'pass') throw new Error(verdict.reason);
    const { logIndex: _logIndex, ...record } = verdict.launch.record;
    for (let run = 0; run < 200; run += 1) {
      const other = withLogs(one, changedLogs(one.receipt.logs, below));
      if (MODULE_FOUNDATION_V1.candidates(other.source, other.receipt).length === 0) continue;
      const again = judged(other).verdict;
      if (again.kind === 'pass') expect(again.launch.record).toMatchObject(record);
    }
  });

  it('fails if event and launchOf agree on a value that the hook contradicts', () => {
    for (const [name, value, expected] of [
      ['creator', account('e1'), 'HOOK_MISMATCH'],
      ['quote', account('01'), 'HOOK_MISMATCH'],
      ['compositionHash', word('01'), 'COMPOSITION_MISMATCH'],
      ['metadataHash', word('01'), 'METADATA_COMMITMENT_MISMATCH'],
    ] as const)
      expect([name, changed({ values: (honest) => ({ ...honest, [name]: value }) })]).toEqual([name, expected]);
  });

  it('fails if the event repeats a value differently', () => {
    for (const [name, value] of Object.entries({
      token: account('71'),
      hook: account('41'),
      ledger: account('1f'),
      poolId: word('01'),
      custodyId: 8n,
      initialBuyQuoteAmount: 6n,
    })) {
      const values: FoundationChange['values'] = (honest) => ({
        ...honest,
        result: { ...(honest['result'] as object), [name]: value },
      });
      expect([name, changed({ values })]).toEqual([name, 'EVENT_MISMATCH']);
    }
  });

  it('fails as the launch of another release, or of a source without one', () => {
    for (const event of FOUNDATION_FACTORY_VERSIONS)
      expect(changed({ event })).toBe(event === version ? 'pass' : 'EVENT_MISMATCH');
    expect(reason({ ...one, source: { ...one.source, factoryVersion: null } })).toBe('EVENT_MISMATCH');
  });

  it('fails twice if one receipt launches a token twice', () => {
    const [log] = one.receipt.logs;
    const twice = withLogs(one, [log!, { ...log!, logIndex: 9 }]);
    const all = MODULE_FOUNDATION_V1.candidates(twice.source, twice.receipt);
    expect(all).toHaveLength(2);
    expect(reason(twice)).toBe('EVENT_DUPLICATED');
  });

  it('fails with a pool that no factory makes', () => {
    const pools = [
      { ...POOL_KEY, fee: 3_000 },
      { ...POOL_KEY, tickSpacing: 10 },
      { ...POOL_KEY, currency0: TOKEN, currency1: account('00') },
    ];
    for (const key of pools) expect(changed({ hook: { poolKey: () => key } })).toBe('POOL_KEY_MISMATCH');
  });

  it('fails with fees that the release does not take', () => {
    const getters = version === 'V3' ? ['creatorBuyFeeBps', 'creatorSellFeeBps'] : ['creatorFeeBps'];
    for (const getter of getters)
      for (const [feeBps, expected] of [
        [0, 'pass'],
        [1_000, 'pass'],
        [1_100, 'FEE_OUT_OF_BOUNDS'],
        [150, 'FEE_OUT_OF_BOUNDS'],
      ] as const)
        expect([getter, feeBps, changed({ hook: { [getter]: () => feeBps } })]).toEqual([getter, feeBps, expected]);
    expect(changed({ hook: { platformFeeBps: () => (version === 'V1' ? 30 : 100) } })).toBe('FEE_OUT_OF_BOUNDS');
  });

  it('fails with a position of another owner, depositor, pool or size', () => {
    expect(changed({ custody: { ownerOf: () => account('e0') } })).toBe('CUSTODY_MISMATCH');
    const { address } = one.source;
    const { poolId } = (judged(one).verdict as { launch: { record: { poolId: string } } }).launch.record;
    for (const position of [
      [word('99'), -887_220, 0, 99n, address],
      [poolId, -887_220, 0, 98n, address],
      [poolId, -887_220, 0, 99n, account('e0')],
    ])
      expect(changed({ custody: { positionOf: () => position } })).toBe('CUSTODY_MISMATCH');
    const { custody: _custody, ...contracts } = one.source.contracts;
    const loose = { ...one, source: { ...one.source, contracts } };
    expect(reason(loose)).toBe('CUSTODY_MISMATCH');
  });

  it('fails with more modules than a factory admits, and reads none of them', () => {
    const many = foundationCase(version, { hook: { moduleCount: () => 2n ** 200n } });
    expect(reason(many)).toBe('COMPOSITION_MISMATCH');
    expect(judged(many).reads.some(({ name }) => name.startsWith('hook.moduleAt'))).toBe(false);
  });

  it('fails if the hook names other modules than it commits to', () => {
    const [first, second] = MODULES;
    const turnedOrder = [second!, first!];
    expect(
      changed({ hook: { moduleAt: ((index: bigint) => Object.values(turnedOrder[Number(index)]!)) as never } }),
    ).toBe('COMPOSITION_MISMATCH');
    expect(compositionHash(turnedOrder)).not.toBe(compositionHash(MODULES));
  });

  it('fails if its token contradicts its commitment, and passes if it does not answer', () => {
    for (const name of Object.keys(SAID)) {
      const another = name === 'socialData' ? '0x' : 'another';
      expect([name, changed({ token: { [name]: () => another } })]).toEqual([name, 'METADATA_COMMITMENT_MISMATCH']);
      const silent = foundationCase(version);
      const { [name]: _own, ...answers } = silent.contracts[TOKEN]!.answers;
      const contracts = { ...silent.contracts, [TOKEN]: { ...silent.contracts[TOKEN]!, answers } };
      const { verdict } = judged({ ...silent, contracts });
      expect([name, verdict]).toMatchObject([name, { kind: 'pass', launch: { metadata: { status: 'absent' } } }]);
    }
  });
});

it('Foundation releases differ in their first topic.', () => {
  expect(new Set(MODULE_FOUNDATION_V1.anchorTopics).size).toBe(FOUNDATION_FACTORY_VERSIONS.length);
});

describe('the vectors of Foundation launches that the contracts share', () => {
  const file = new URL('../../../../../solidity/vectors/module-foundation.json', import.meta.url);
  if (process.env['WRITE_VECTORS'] === '1') writeFileSync(file, `${JSON.stringify(vectorsOf(), null, 1)}\n`);

  it('The hashes of Foundation launches match the vectors of the contracts.', () =>
    expect(vectorsOf()).toEqual(JSON.parse(readFileSync(file, 'utf8'))));
});
