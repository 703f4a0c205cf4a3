import { describe, expect, it } from '@jest/globals';
import type { ArtifactTarget, BuildDiagnostic } from '@launch/contracts/modules';
import { toFunctionSelector, type Hex } from 'viem';
import { findBuildFindings, type DeclaredModule, type FindingsInput } from './build-findings.js';
import { callerCheck, WalkBudget } from './caller-check.js';
import { similarity } from './code-fingerprint.js';
import { SourceLines } from './source-lines.js';

// Quadratic code would take hours for these inputs and exceed Jest's timeout.
const FILE_BYTES = 4 * 1024 * 1024;
const filled = (pattern: string): string => pattern.repeat(Math.floor(FILE_BYTES / pattern.length));
const PATH = 'src/Hostile.sol';

/** Texts that repeat a token at which a search for declarations stops. */
const HOSTILE_TEXTS: readonly (readonly [string, string])[] = [
  ['`public ` in a comment', `/*${filled('public ')}*/`],
  ['`public` in lines', filled('public\n')],
  ['`function `', filled('function ')],
  ['a function with a long gap', `function${filled(' ')}`],
  ['names with long gaps', filled(`x${' '.repeat(2_000)}`)],
  ['functions with long gaps', filled(`function x${' '.repeat(1_000)}`)],
  ['one long name', filled('x')],
  ['one letter names', filled('x ')],
  ['lines without text', filled('\n')],
  ['many functions on one line', Array.from({ length: 200_000 }, (_, index) => `function f${index}(`).join(' ')],
  ['control and bidirectional characters', filled('\u202epublic \u0000')],
];

describe('the lines of a hostile source', () => {
  it.each(HOSTILE_TEXTS)('are found in linear time for %s', (_what, text) => {
    const lines = new SourceLines(new Map([[PATH, text]]));
    for (let name = 0; name < 128; name += 1) expect(lines.lineOfFunction(PATH, `read${name}`)).toBeNull();
    for (let place = 0; place < 100_000; place += 1) lines.lineAt(PATH, place * 40);
    expect(lines.lineAt(PATH, 0)).toEqual({ path: PATH, line: 1 });
  });

  it('belong to the first declaration', () => {
    const text =
      'contract A {\n  uint256\n  public\n  override total = 3;\n  function\n pay () {}\n uint256 public parts;\n}\ncontract B { function pay() {} }\n';
    const lines = new SourceLines(
      new Map([
        ['b.sol', 'contract C { uint256 public\n others; uint256 internal hidden; }'],
        [PATH, `${text}é function last()`],
      ]),
    );
    expect(
      ['total', 'pay', 'parts', 'others', 'hidden', 'last', 'none', 'constructor', '__proto__'].map(
        (name) => lines.lineOfFunction(PATH, name)?.line ?? null,
      ),
    ).toEqual([3, 5, 7, 1, null, 10, null, null, null]);
    expect([0, 12, 13, 10_000].map((offset) => lines.lineAt('b.sol', offset)?.line)).toEqual([1, 1, 1, 2]);
    expect([lines.lineAt('no.sol', 0), lines.lineAt(PATH, -1)]).toEqual([null, null]);
  });
});

const code = (object: Hex): ArtifactTarget['creation'] => ({ object, linkReferences: {} });
const target = (contract: string, abi: readonly unknown[], runtime: Hex = '0x00'): ArtifactTarget => ({
  path: PATH,
  contract,
  abi: [...abi],
  creation: code('0x00'),
  runtime: { ...code(runtime), immutableReferences: {} },
  storageLayout: { storage: [], types: null },
  metadata: '{}',
});
const DECLARED: DeclaredModule = {
  configuration: { maxEncodedBytes: 64, fields: [] },
  capabilities: { hookPermissions: [], contracts: [] },
  management: {
    reads: Array.from({ length: 64 }, (_, index) => ({
      name: `read${index}`,
      abi: `read${index}() view returns (uint256)`,
    })),
    actions: [],
  },
};
const input = (given: Partial<FindingsInput>): FindingsInput => ({
  submissionId: '6a3a0b5e-6d0f-4c43-9a4e-2f6f1f0a7b11',
  declared: DECLARED,
  artifact: { targets: [] },
  texts: new Map(),
  diagnostics: [],
  earlier: [],
  ...given,
});

describe('the findings for a hostile module', () => {
  it('are bounded and read each source once for any number of diagnostics and functions', () => {
    const functions = Array.from({ length: 20_000 }, (_, index) => ({
      type: 'function',
      name: index < 64 ? `read${index}` : `f${index}`,
      inputs: [],
      outputs: [{ name: '', type: 'uint256' }],
      stateMutability: 'nonpayable',
    }));
    const diagnostics: BuildDiagnostic[] = Array.from({ length: 100_000 }, (_, index) => ({
      severity: 'warning',
      type: 'Warning',
      errorCode: '2072',
      sourceLocation: { file: PATH, start: index * 40, end: index * 40 + 1 },
    }));
    const { findings } = findBuildFindings(
      input({
        artifact: { targets: [target('Hostile', functions)] },
        texts: new Map([[PATH, `/*${filled('public ')}*/`]]),
        diagnostics,
      }),
    );
    expect(findings).toHaveLength(1_024);
    expect(findings[0]).toMatchObject({ code: 'MANAGEMENT_READ_CHANGES_STATE', pointer: '/management/reads/0/abi' });
  });

  it('compare with every earlier build', () => {
    const sketch = Array.from({ length: 256 }, (_, index) => index * 7);
    const fingerprints = Array.from({ length: 32 }, (_, index) => ({ path: PATH, contract: `C${index}`, sketch }));
    const earlier = Array.from({ length: 256 }, (_, index) => ({ submissionId: `s${index}`, fingerprints }));
    const runtime: Hex = `0x${'5b60015b60025b'.repeat(200)}`;
    const targets = Array.from({ length: 32 }, (_, index) => target(`C${index}`, [], runtime));
    expect(findBuildFindings(input({ artifact: { targets }, earlier })).fingerprints).toHaveLength(32);
  });
});

it('The similarity of two sketches is the share of common hashes among the smallest of both.', () => {
  let seed = 29;
  const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
  for (let run = 0; run < 300; run += 1) {
    const sketch = (): number[] =>
      [...new Set(Array.from({ length: 24 + random(300) }, () => random(400)))].sort((x, y) => x - y).slice(0, 256);
    const [a, b] = [sketch(), sketch()];
    const union = [...new Set([...a, ...b])]
      .sort((x, y) => x - y)
      .slice(0, Math.min(256, Math.max(a.length, b.length)));
    const share = union.filter((hash) => a.includes(hash) && b.includes(hash)).length / union.length;
    expect(similarity(a, b)).toBe(a.length < 24 || b.length < 24 ? 0 : share);
  }
});

describe('the caller check of hostile code', () => {
  const word = (value: number): string => value.toString(16).padStart(4, '0');
  const SELECTOR = toFunctionSelector('function f()');
  const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
  const stores = Array.from({ length: 200_000 }, (_, index) =>
    `6001 61${word((index * 32) % 65_504)} 52`.replaceAll(' ', ''),
  );
  const HOSTILE: readonly (readonly [string, string])[] = [
    ['stores at every word of the memory', stores.join('')],
    [
      'stores and branches',
      Array.from({ length: 50_000 }, (_, index) => `600161${word((index * 32) % 65_504)}52600035600057`).join(''),
    ],
    ['a destination after each push', '60015b'.repeat(200_000)],
    ['hashes of the whole memory', `${stores.slice(0, 2_000).join('')}${'61ffff600020'.repeat(100_000)}`],
  ];

  it.each(HOSTILE)('ends within its budget for %s', (_what, hex) => {
    expect(['undetermined', 'reverts']).toContain(callerCheck(bytes(hex), SELECTOR));
  });

  it('leaves checks beyond the budget of a build undetermined', () => {
    const guarded = bytes('5b00');
    const budget = new WalkBudget(20);
    expect(callerCheck(guarded, SELECTOR, budget)).toBe('open');
    expect(Array.from({ length: 20 }, () => callerCheck(guarded, SELECTOR, budget)).at(-1)).toBe('undetermined');
  });
});
