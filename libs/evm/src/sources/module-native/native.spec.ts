import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { launchRecordSchema, type QuarantineReason } from '@launch/contracts/index';
import { testSeed } from '@launch/testing';
import type { AbiValue } from '../../events/abi-values.js';
import { changedLogs, numbersFrom } from '../fixtures/random-changes.fixture.js';
import { account, judged, reasonOf, turned, withLogs, word, type SourceCase } from '../fixtures/source-case.fixture.js';
import { judgeEvidence, verificationOf } from '../verification-document.js';
import { decodeRecipe, encodeRecipe, textBytes, type NativeRecipe } from './commitments.js';
import { MODULE_ENGINE_V1, MODULE_NATIVE_V1, MODULE_NATIVE_V2 } from './native.adapter.js';
import { nativeCase, RECIPE } from './native.case.fixture.js';
import { vectorsOf, type NativeVectors } from './native-vectors.fixture.js';

const VERSIONS = [MODULE_NATIVE_V1, MODULE_NATIVE_V2, MODULE_ENGINE_V1] as const;
const REASONS: Readonly<Record<string, QuarantineReason>> = {
  'launcher.code': 'SOURCE_RUNTIME_MISMATCH',
  'launcher.launchIdentityVersion': 'IDENTITY_VERSION_UNSUPPORTED',
  'token.code': 'TOKEN_CODE_MISMATCH',
  'token.decimals': 'EVENT_MISMATCH',
};
const reasonFor = (name: string): string => {
  if (/^0x[0-9a-f]{40}\.code$/.test(name)) return 'INSTANCE_COMMITMENT_MISMATCH';
  if (name === 'token.metadata' || /^token\.(name|symbol)$/.test(name)) return 'pass';
  return REASONS[name] ?? 'GETTER_MISMATCH';
};

describe.each(VERSIONS.map((adapter) => [adapter.sourceVersion, adapter] as const))(
  'a launch of %s',
  (_name, adapter) => {
    const one = nativeCase(adapter);

    it('passes with the wallet of the event as its creator and its modules in order', () => {
      const { verdict } = judged(one);
      if (verdict.kind !== 'pass') throw new Error(`${verdict.reason} ${verdict.detail}`);
      const { record } = verdict.launch;
      expect(launchRecordSchema.omit({ verificationDigest: true }).parse(record)).toEqual(record);
      expect(record).toMatchObject({
        sourceKind: adapter.sourceVersion,
        creator: account('e0'),
        modulePackageIds: [word('a1'), word('a2')],
        routerAddress: null,
        stampHash: null,
        name: 'Blue Token',
      });
    });

    it('passes without modules', () => {
      const { verdict } = judged(nativeCase(adapter, { ...RECIPE, modules: [] }));
      expect(reasonOf(verdict)).toBe('pass');
    });

    it('fails by a specific reason for each changed answer', () => {
      for (const { name } of judged(one).reads) {
        const { verdict } = judged(one, (read, answer) => (read.name === name ? turned(answer) : answer));
        expect([name, reasonOf(verdict)]).toEqual([name, reasonFor(name)]);
      }
    });

    it('has one document for every reader, which can be judged again', () => {
      const { candidate, reads, answers, verdict } = judged(one);
      const { evidence, digest } = verificationOf({ ...one, candidate, reads, answers });
      expect(judgeEvidence(evidence)).toEqual({ verdict, digest });
    });

    it('never passes as another launch after any change in its receipt', () => {
      const below = numbersFrom(testSeed('native launches'));
      const { verdict } = judged(one);
      if (verdict.kind !== 'pass') throw new Error(verdict.reason);
      const { logIndex: _logIndex, ...record } = verdict.launch.record;
      for (let run = 0; run < 200; run += 1) {
        const changed = withLogs(one, changedLogs(one.receipt.logs, below));
        if (adapter.candidates(changed.source, changed.receipt).length === 0) continue;
        const again = judged(changed).verdict;
        if (again.kind === 'pass') expect(again.launch.record).toMatchObject(record);
      }
    });
  },
);

describe('a native launch', () => {
  const reason = (one: SourceCase) => reasonOf(judged(one).verdict);
  const withArgs = (part: string, change: Readonly<Record<string, AbiValue>>) =>
    nativeCase(MODULE_NATIVE_V1, RECIPE, (event, args) => (event === part ? { ...args, ...change } : args));
  const other: NativeRecipe = { ...RECIPE, totalSupply: 1n };

  it.each<readonly [string, SourceCase, QuarantineReason]>([
    ['bound events of another token', withArgs('programBound', { token: account('71') }), 'EVENT_MISMATCH'],
    ['another PoolManager', withArgs('launched', { poolManager: account('78') }), 'EVENT_MISMATCH'],
    ['another name than its recipe', withArgs('tokenIdentityBound', { name: textBytes('Red') }), 'EVENT_MISMATCH'],
    [
      'another supply than its recipe',
      withArgs('configurationBound', { recipe: encodeRecipe(other) }),
      'EVENT_MISMATCH',
    ],
    ['bytes that are not a recipe', withArgs('configurationBound', { recipe: '0x00' }), 'RECIPE_MISMATCH'],
    [
      'another recipe of the same token',
      withArgs('configurationBound', { recipe: encodeRecipe({ ...RECIPE, salt: word('5b') }) }),
      'RECIPE_MISMATCH',
    ],
    ['modules left out of the program', withArgs('programBound', { packageIds: [word('a1')] }), 'PROGRAM_MISMATCH'],
    [
      'modules in another order',
      withArgs('programBound', { packageIds: [word('a2'), word('a1')] }),
      'PROGRAM_MISMATCH',
    ],
    [
      'another hash of an instance',
      withArgs('programBound', { instanceHashes: [word('01'), word('02')] }),
      'INSTANCE_COMMITMENT_MISMATCH',
    ],
    ['another wallet than the getter', withArgs('launched', { launchWallet: account('e1') }), 'GETTER_MISMATCH'],
    ['another program than the getter', withArgs('programBound', { programHash: word('03') }), 'GETTER_MISMATCH'],
  ])('fails with %s', (_what, one, expected) => {
    expect(reason(one)).toBe(expected);
  });

  it('fails if a launcher is consistent about false commitments', () => {
    const lies = (part: string, name: string, value: AbiValue, getter: string, place: number): SourceCase => {
      const one = withArgs(part, { [name]: value });
      const launcher = one.contracts[one.source.address]!;
      const honest = launcher.answers[getter]!() as AbiValue[];
      const answers = { ...launcher.answers, [getter]: () => honest.map((own, at) => (at === place ? value : own)) };
      return { ...one, contracts: { ...one.contracts, [one.source.address]: { ...launcher, answers } } };
    };
    expect(reason(lies('launched', 'launchWallet', account('e1'), 'getLaunch', 1))).toBe('LAUNCH_COMMITMENT_MISMATCH');
    expect(reason(lies('launched', 'launchKey', word('04'), 'getLaunchIdentity', 1))).toBe(
      'LAUNCH_COMMITMENT_MISMATCH',
    );
    expect(reason(lies('launched', 'recipeHash', word('04'), 'getLaunch', 5))).toBe('RECIPE_MISMATCH');
    expect(reason(lies('programBound', 'programHash', word('04'), 'getLaunchIdentity', 2))).toBe('PROGRAM_MISMATCH');
    expect(reason(lies('configurationBound', 'configurationHash', word('04'), 'getLaunchIdentity', 3))).toBe(
      'PROGRAM_MISMATCH',
    );
    expect(reason(lies('configurationBound', 'metadataHash', word('04'), 'getLaunchIdentity', 4))).toBe(
      'METADATA_COMMITMENT_MISMATCH',
    );
  });

  it('fails if its token contradicts its commitment, and passes if it does not answer', () => {
    const one = nativeCase(MODULE_NATIVE_V1);
    const saying = (metadata: (() => unknown) | undefined): SourceCase => {
      const { metadata: _own, ...rest } = one.contracts[account('70')]!.answers;
      const token = {
        ...one.contracts[account('70')]!,
        answers: metadata === undefined ? rest : { ...rest, metadata },
      };
      return { ...one, contracts: { ...one.contracts, [account('70')]: token } };
    };
    expect(reason(saying(() => ['a red token', 'https://blue.example', 'ipfs://image', '0x']))).toBe(
      'METADATA_COMMITMENT_MISMATCH',
    );
    expect(reason(saying(undefined))).toBe('pass');
    expect(reason(saying(() => ['', '', '', '0xff']))).toBe('pass');
  });

  it('keeps a coin whose recipe has text that is not UTF-8', () => {
    const { verdict } = judged(nativeCase(MODULE_NATIVE_V1, { ...RECIPE, name: '0xff', symbol: '0x610062' }));
    if (verdict.kind !== 'pass') throw new Error(`${verdict.reason} ${verdict.detail}`);
    expect(verdict.launch.record).toMatchObject({ name: null, symbol: null, decimals: 18 });
  });
});

describe('the vectors of native launches that the contracts share', () => {
  const vectorFile = new URL('../../../../../solidity/vectors/module-native.json', import.meta.url);
  if (process.env['WRITE_VECTORS'] === '1') writeFileSync(vectorFile, `${JSON.stringify(vectorsOf(), null, 1)}\n`);
  const file = JSON.parse(readFileSync(vectorFile, 'utf8')) as NativeVectors;

  it('The hashes of native launches match the vectors of the contracts.', () => expect(vectorsOf()).toEqual(file));

  it('are recipes that decode to themselves', () => {
    for (const { recipe } of file.cases) expect(encodeRecipe(decodeRecipe(recipe)!)).toBe(recipe);
  });
});
