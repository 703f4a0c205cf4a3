import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createCompiler,
  type CompileCache,
  type Compiler,
  type CompilerOptions,
  type CompileVerdict,
} from './index.js';

jest.setTimeout(180_000);

const encode = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const input = (sources: Record<string, string>, settings: object = {}): Uint8Array =>
  encode({
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    settings,
  });

const PLAIN = {
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'cancun',
};
const LEDGER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {Base} from './Base.sol';
library Sums { function add(uint256 a, uint256 b) external pure returns (uint256) { return a + b; } }
contract Ledger is Base { constructor(uint256 cap_) Base(cap_) {} function sum(uint256 a) external view returns (uint256) { return Sums.add(a, cap); } }
contract Untouched { }`;
const BASE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
abstract contract Base { uint256 internal immutable cap; constructor(uint256 cap_) { cap = cap_; } }`;

const VERSIONS = ['0.8.24', '0.8.26', '0.8.28', '0.8.30'];
const GOOD = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Good { uint256 public immutable kept; constructor(uint256 k) { kept = k; } }`;
/** Passes the analysis, but has more variables than the stack reaches, so no code can be generated. */
const tooDeep = (name: string): string => {
  const names = Array.from({ length: 17 }, (_, index) => `v${index}`);
  return `contract ${name} { function f(uint256 a) public pure returns (uint256) { ${names.map((one) => `uint256 ${one} = a;`).join(' ')} return a + ${names.join(' + ')}; } }`;
};

const functions = (count: number): string =>
  `contract B { ${Array.from({ length: count }, (_, i) => `function f${i}() public {}`).join(' ')} }`;
const codes = (verdict: CompileVerdict): string[] =>
  verdict.verdict === 'failed' ? verdict.findings.map((found) => found.code) : [];

async function withCompiler<T>(options: Partial<CompilerOptions>, use: (compiler: Compiler) => Promise<T>): Promise<T> {
  const compiler = createCompiler({ versions: ['0.8.26'], ...options });
  try {
    return await use(compiler);
  } finally {
    await compiler.close();
  }
}

const NOTHING = { budgetMs: 60_000, attemptMs: 0, spentMs: 0 };

let shared: Compiler;
beforeAll(() => {
  shared = createCompiler({ versions: VERSIONS, sharesProcesses: true });
});
afterAll(() => shared.close());

describe('A real compilation', () => {
  it('returns objects, link references and immutables by name, for the requested contracts only', async () => {
    const verdict = await shared.compile({
      version: '0.8.26',
      standardJsonInput: input({ 'Ledger.sol': LEDGER, 'Base.sol': BASE }, PLAIN),
      targets: [{ path: 'Ledger.sol', contract: 'Ledger' }],
    });
    if (verdict.verdict !== 'compiled') throw new Error(JSON.stringify(verdict.findings));
    expect(verdict.output.compiler).toBe('0.8.26+commit.8a97fa7a.Emscripten.clang');
    expect(verdict.output.contracts.map(({ path: file, contract }) => `${file}:${contract}`)).toEqual([
      'Ledger.sol:Ledger',
    ]);
    const [ledger] = verdict.output.contracts;
    expect(ledger!.creation.object).toMatch(/^0x(?:[0-9a-f]{2})+$/);
    const link = ledger!.runtime.linkReferences['Ledger.sol']!['Sums']![0]!;
    expect(link.length).toBe(20);
    expect(ledger!.runtime.object.slice(2 + 2 * link.start, 2 + 2 * (link.start + 20))).toBe('0'.repeat(40));
    const named = await shared.immutableNames({
      version: '0.8.26',
      standardJsonInput: input({ 'Ledger.sol': LEDGER, 'Base.sol': BASE }, PLAIN),
    });
    if (named.verdict !== 'named') throw new Error(JSON.stringify(named.findings));
    const setBy = ['Base', 'Ledger'].map((name) => ({ path: `${name}.sol`, contract: name, index: 0 }));
    expect(named.immutables).toEqual([
      { astId: expect.any(Number), name: 'cap', path: 'Base.sol', arguments: expect.arrayContaining(setBy) },
    ]);
    expect(Object.keys(ledger!.runtime.immutableReferences)).toEqual([String(named.immutables[0]!.astId)]);
  });

  it.each(
    VERSIONS.flatMap(
      (version) =>
        [
          [version, false],
          [version, true],
        ] as const,
    ),
  )('returns the same bytecode for one requested contract and for all: %s, viaIR %s', async (version, viaIR) => {
    const standardJsonInput = input({ 'Ledger.sol': LEDGER, 'Base.sol': BASE }, { ...PLAIN, viaIR });
    const all = await shared.compile({ version, standardJsonInput });
    const one = await shared.compile({
      version,
      standardJsonInput,
      targets: [{ path: 'Ledger.sol', contract: 'Ledger' }],
    });
    if (all.verdict !== 'compiled' || one.verdict !== 'compiled') throw new Error('expected both to compile');
    expect(all.output.contracts.map(({ contract }) => contract).sort()).toEqual([
      'Base',
      'Ledger',
      'Sums',
      'Untouched',
    ]);
    expect(one.output.contracts[0]).toEqual(all.output.contracts.find(({ contract }) => contract === 'Ledger'));
  });

  it.each(VERSIONS)(
    'generates only its targets in %s, and nothing for names, even if other contracts cannot be generated',
    async (version) => {
      const standardJsonInput = input({ 'Good.sol': `${GOOD}\n${tooDeep('Beside')}`, 'Other.sol': tooDeep('Other') });
      const good = await shared.compile({
        version,
        standardJsonInput,
        targets: [{ path: 'Good.sol', contract: 'Good' }],
      });
      if (good.verdict !== 'compiled') throw new Error(JSON.stringify(good.findings));
      const named = await shared.immutableNames({ version, standardJsonInput });
      expect(named).toMatchObject({ verdict: 'named', immutables: [{ name: 'kept', path: 'Good.sol' }] });
      expect(Object.keys(good.output.contracts[0]!.runtime.immutableReferences)).toEqual([
        String(named.verdict === 'named' && named.immutables[0]!.astId),
      ]);
      expect(
        codes(
          await shared.compile({ version, standardJsonInput, targets: [{ path: 'Other.sol', contract: 'Other' }] }),
        ),
      ).toEqual(['COMPILER_ERROR']);
      expect(codes(await shared.compile({ version, standardJsonInput }))).toEqual(['COMPILER_ERROR']);
    },
  );

  it.each(VERSIONS)("lists the places of a library's own address in code from the IR of %s", async (version) => {
    const library =
      'library Ledger { struct Book { uint256 sum; } function enter(Book storage book, uint256 amount) external { book.sum += amount; } }';
    const verdict = await shared.compile({
      version,
      standardJsonInput: input({ 'Ledger.sol': library }, { viaIR: true }),
      targets: [{ path: 'Ledger.sol', contract: 'Ledger' }],
    });
    if (verdict.verdict !== 'compiled') throw new Error(JSON.stringify(verdict.findings));
    expect(verdict.output.contracts[0]!.runtime.immutableReferences).toEqual({
      library_deploy_address: [{ start: expect.any(Number), length: 32 }],
    });
  });

  it('does not let an input request anything else from the compiler', async () => {
    const verdict = await shared.compile({
      version: '0.8.26',
      standardJsonInput: input({ 'a.sol': 'contract A {}' }, { outputSelection: { '*': { '*': ['ir', 'metadata'] } } }),
    });
    expect(verdict.verdict).toBe('compiled');
  });
});

describe('A fault of a source', () => {
  it('is a finding with type, code and place, and without the text', async () => {
    const secret = 'correct_horse_battery_staple';
    const verdict = await shared.compile({
      version: '0.8.26',
      path: '/compilerVerification/compilationUnits/0/standardJsonInputBase64',
      standardJsonInput: input({ 'a.sol': `contract A { function f() public { ${secret}(); } }` }),
    });
    expect(codes(verdict)).toEqual(['COMPILER_ERROR']);
    expect(verdict).toMatchObject({
      findings: [
        {
          path: '/compilerVerification/compilationUnits/0/standardJsonInputBase64',
          actual: 'DeclarationError 7576 at a.sol:35-63',
        },
      ],
    });
    expect(JSON.stringify(verdict)).not.toContain(secret);
  });

  it('A missing import is a fault of the source, because there is no import callback.', async () => {
    const verdict = await shared.compile({
      version: '0.8.26',
      standardJsonInput: input({ 'a.sol': 'import "/etc/passwd"; contract A {}' }),
    });
    expect(verdict).toMatchObject({
      verdict: 'failed',
      findings: [{ code: 'COMPILER_ERROR', actual: 'ParserError 6275 at a.sol:0-21' }],
    });
  });

  it.each(['0.8.25', '../solc-0.8.26', '0.8.26+commit.8a97fa7a', '__proto__', ''])(
    'offers no version %j',
    async (version) => {
      expect(codes(await shared.compile({ version, standardJsonInput: input({ 'a.sol': 'contract A {}' }) }))).toEqual([
        'COMPILER_VERSION_UNSUPPORTED',
      ]);
    },
  );

  const good = { language: 'Solidity', sources: { 'a.sol': { content: 'contract A {}' } } };
  const cases: readonly [string, unknown, string][] = [
    ['no JSON', 'pragma solidity', 'as a whole'],
    ['a duplicate key', '{"language":"Solidity","language":"Yul","sources":{}}', '/language'],
    ['another language', { ...good, language: 'Yul' }, '/language'],
    ['an unknown member', { ...good, auxiliaryInput: {} }, '/auxiliaryInput'],
    ['no source', { ...good, sources: {} }, '/sources'],
    ['a URL', { ...good, sources: { 'a.sol': { urls: ['file:///etc/passwd'] } } }, '/sources/a.sol/content'],
    ['a URL beside content', { ...good, sources: { 'a.sol': { content: '', urls: ['x'] } } }, '/sources/a.sol/urls'],
    ['a model checker', { ...good, settings: { modelChecker: { engine: 'all' } } }, '/settings/modelChecker'],
    ['stopAfter', { ...good, settings: { stopAfter: 'parsing' } }, '/settings/stopAfter'],
    ['an experimental setting', { ...good, settings: { eofVersion: 1 } }, '/settings/eofVersion'],
    [
      'a number of optimizer runs out of range',
      { ...good, settings: { optimizer: { runs: 2 ** 32 } } },
      '/settings/optimizer/runs',
    ],
    [
      'a library without an address',
      { ...good, settings: { libraries: { 'a.sol': { L: '0x12' } } } },
      '/settings/libraries/a.sol/L',
    ],
    [
      'a source named __proto__',
      '{"language":"Solidity","sources":{"__proto__":{"content":"contract A {}"}}}',
      '/sources/__proto__',
    ],
  ];
  it.each(cases)('refuses %s', async (_name, document, where) => {
    const verdict = await shared.compile({ version: '0.8.26', standardJsonInput: encode(document) });
    expect(new Set(codes(verdict))).toEqual(new Set(['COMPILER_INPUT_INVALID']));
    expect(JSON.stringify(verdict)).toContain(where);
  });

  const secret = 'contract Unpublished { uint price; }';
  it.each<[string, unknown]>([
    ['a source', { ...good, sources: { [secret]: { content: 'contract A {' } } }],
    ['a member of a source', { ...good, sources: { 'a.sol': { content: '', [secret]: 1 } } }],
    [
      'settings, many',
      { ...good, settings: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${secret} ${index}`, 1])) },
    ],
    ['a library', { ...good, settings: { libraries: { [secret]: { L: '0x12' } } } }],
    ['a duplicate', `{"language":"Solidity","${secret}":1,"${secret}":2}`],
    ['the surroundings of a reserved name', { ...good, settings: { [secret]: JSON.parse('{"__proto__":{}}') } }],
    ['a member of the whole', { ...good, [secret]: 1 }],
  ])('never repeats text in place of the name of %s', async (_what, document) => {
    const verdict = await shared.compile({ version: '0.8.26', standardJsonInput: encode(document) });
    expect(verdict.verdict).toBe('failed');
    expect(JSON.stringify(verdict)).not.toContain('Unpublished');
    expect(JSON.stringify(verdict)).toMatch(/\(\d+ characters\)/);
  });

  it('The compiler refuses bytes that are not UTF-8.', async () => {
    expect(
      codes(await shared.compile({ version: '0.8.26', standardJsonInput: Uint8Array.of(0x22, 0xff, 0x22) })),
    ).toEqual(['COMPILER_INPUT_INVALID']);
  });
});

const many = `contract C {${Array.from({ length: 6_000 }, (_, i) => `function f${i}(uint a, string memory b, uint[] memory c) public pure returns (uint, string memory) { uint z = a; for (uint i; i < c.length; i++) { z += c[i] * ${i}; } return (z, string.concat(b, "${i}")); }`).join('')}}`;

describe('hostile sources', () => {
  const structs = `contract C { struct S0 { uint a; uint b; } ${Array.from({ length: 25 }, (_, i) => `struct S${i + 1} { S${i} x; S${i} y; }`).join(' ')} S25 s; function f(S25 memory q) public { s = q; } }`;
  const sum = `contract C { function f(uint a) public pure returns (uint) { return ${'a+'.repeat(100_000)}a; } }`;

  it.each([
    ['time', many, { timeoutMs: 1_000 }, 'the processor time of one compilation'],
    ['memory', structs, { memoryPages: 1_024 }, "the compiler's memory"],
    ['stack', sum, {}, "the compiler's stack"],
    ['output', functions(200), { maxOutputBytes: 10_000 }, 'the size of the output'],
  ])(
    'Hostile sources that exhaust the %s are refused without harm to the next compilation.',
    async (_name, source, limits, actual) => {
      await withCompiler(limits, async (compiler) => {
        const hostile = compiler.compile({ version: '0.8.26', standardJsonInput: input({ 'a.sol': source }) });
        const behind = compiler.compile({ version: '0.8.26', standardJsonInput: input({ 'a.sol': 'error E();' }) });
        expect(await hostile).toMatchObject({
          verdict: 'failed',
          findings: [{ code: 'COMPILER_LIMIT_EXCEEDED', actual }],
        });
        expect((await behind).verdict).toBe('compiled');
      });
    },
  );

  it('are killed immediately when the caller aborts, running or waiting', async () => {
    await withCompiler({}, async (compiler) => {
      const stop = new AbortController();
      const running = compiler.compile({
        version: '0.8.26',
        standardJsonInput: input({ 'a.sol': many }),
        signal: stop.signal,
      });
      const waiting = compiler.compile({
        version: '0.8.26',
        standardJsonInput: input({ 'a.sol': many }),
        signal: stop.signal,
      });
      stop.abort();
      await expect(running).rejects.toMatchObject({ code: 'COMPILER_ABORTED' });
      await expect(waiting).rejects.toMatchObject({ code: 'COMPILER_ABORTED' });
    });
  });

  it('are refused beyond the bound of the queue, and when the compiler closes', async () => {
    await withCompiler({ concurrency: 1, maxQueued: 1 }, async (compiler) => {
      const request = { version: '0.8.26', standardJsonInput: input({ 'a.sol': many }) };
      const running = expect(compiler.compile(request)).rejects.toMatchObject({ code: 'COMPILER_CLOSED' });
      const waiting = expect(compiler.compile(request)).rejects.toMatchObject({ code: 'COMPILER_CLOSED' });
      await expect(compiler.compile(request)).rejects.toMatchObject({ code: 'COMPILER_BUSY', retryable: true });
      await compiler.close();
      await Promise.all([running, waiting]);
      await expect(compiler.compile(request)).rejects.toMatchObject({ code: 'COMPILER_CLOSED' });
    });
  });
});

describe('remembered results', () => {
  it('return the same result without a compiler, and an altered one is compiled again', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'compile-cache-'));
    try {
      const request = {
        version: '0.8.26',
        standardJsonInput: input({ 'Ledger.sol': LEDGER, 'Base.sol': BASE }, PLAIN),
      };
      const fresh = await withCompiler({ cacheDir: dir }, (compiler) => compiler.compile(request));
      const [entry] = await readdir(dir);
      // An attempt that may use no processor time shows that no compilation took place.
      const remembered = await withCompiler({ cacheDir: dir }, (compiler) => compiler.compileWithin(request, NOTHING));
      expect(remembered).toMatchObject({ ...fresh, usedMs: 0 });
      expect(remembered.costMs).toBeGreaterThan(0);
      await writeFile(path.join(dir, entry!), 'torn');
      expect(await withCompiler({ cacheDir: dir }, (compiler) => compiler.compile(request))).toEqual(fresh);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it('depend on the version, the input, the targets and the kind of request', async () => {
    const keys: string[] = [];
    const cache: CompileCache = { get: async () => undefined, put: async (key) => void keys.push(key) };
    await withCompiler({ cache, versions: ['0.8.26', '0.8.28'], maxOutputBytes: 10_000 }, async (compiler) => {
      const one = input({ 'a.sol': 'contract A {}' });
      await compiler.compile({ version: '0.8.26', standardJsonInput: one });
      await compiler.compile({ version: '0.8.28', standardJsonInput: one });
      await compiler.compile({
        version: '0.8.26',
        standardJsonInput: one,
        targets: [{ path: 'a.sol', contract: 'A' }],
      });
      await compiler.immutableNames({ version: '0.8.26', standardJsonInput: one });
      await compiler.compile({ version: '0.8.26', standardJsonInput: input({ 'a.sol': 'contract A { }' }) });
      await compiler.compile({ version: '0.8.26', standardJsonInput: input({ 'a.sol': 'contract A {' }) });
      expect([keys.length, new Set(keys).size]).toEqual([6, 6]);
    });
  });

  it.each([
    ['time', many, { timeoutMs: 1_000 }],
    ['size of the output', functions(200), { maxOutputBytes: 10_000 }],
  ])('include an exceeded %s, which costs nothing the second time', async (_name, source, limits) => {
    const dir = await mkdtemp(path.join(tmpdir(), 'compile-cache-'));
    try {
      const request = { version: '0.8.26', standardJsonInput: input({ 'a.sol': source }) };
      const options = { cacheDir: dir, ...limits };
      const first = await withCompiler(options, (compiler) => compiler.compile(request));
      expect(codes(first)).toEqual(['COMPILER_LIMIT_EXCEEDED']);
      const second = await withCompiler(options, (compiler) => compiler.compileWithin(request, NOTHING));
      expect(second).toMatchObject({ ...first, usedMs: 0 });
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it('come only from processes without another compilation', () => {
    expect(() => createCompiler({ versions: VERSIONS, cacheDir: 'unused', sharesProcesses: true })).toThrow(RangeError);
  });
});

it('The compiler does not start with an unpinned version.', () => {
  expect(() => createCompiler({ versions: ['0.8.25'] })).toThrow(RangeError);
});
