import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Hex } from '../encoding/hex.js';
import type { BytecodeMatchInput, BytecodeMatchResult, BytecodeMismatch } from './bytecode-match.types.js';
import { matchBytecode } from './match-bytecode.js';

type Part = 'creationBytecode' | 'constructorArgs' | 'runtimeBytecode';
type Input = { -readonly [Key in keyof BytecodeMatchInput]: BytecodeMatchInput[Key] };
type Change =
  | { op: 'flip'; part: Part; offset: number }
  | { op: 'append'; part: Part; hex: string }
  | { op: 'cut'; part: Part; bytes: number }
  | { op: 'set'; part: Part; value: Hex }
  | { op: 'from'; part: Part; base: string }
  | { op: 'drop'; part: Part }
  | { op: 'libraries'; value: Input['libraries'] }
  | { op: 'immutables'; values: Record<string, Hex> }
  | { op: 'rename-immutable'; astId: number; name: string }
  | { op: 'reference'; astId: string; start: number }
  | { op: 'link'; path: string; name: string; start: number }
  | { op: 'address'; value?: Hex }
  | { op: 'template-as-runtime' };
interface MatchCase {
  base: string;
  change: Change[];
  expected: {
    verdict: string;
    mismatches: Partial<BytecodeMismatch>[];
    checked?: BytecodeMatchResult['checked'];
    unchecked?: BytecodeMatchResult['unchecked'];
  };
}

const corpus = new URL('../../testdata/match/', import.meta.url);
const read = <T>(path: string): T => JSON.parse(readFileSync(new URL(path, corpus), 'utf8')) as T;
const baseNamed = (name: string): Input => read<Input>(`bases/${name}.json`);

function changed(input: Input, change: Change): Input {
  switch (change.op) {
    case 'flip': {
      const bytes = Buffer.from(input[change.part]!.slice(2), 'hex');
      bytes[change.offset]! ^= 1;
      return { ...input, [change.part]: `0x${bytes.toString('hex')}` };
    }
    case 'append':
      return { ...input, [change.part]: `${input[change.part]!}${change.hex}` };
    case 'cut':
      return { ...input, [change.part]: input[change.part]!.slice(0, -2 * change.bytes) };
    case 'set':
      return { ...input, [change.part]: change.value };
    case 'from':
      return { ...input, [change.part]: baseNamed(change.base)[change.part] };
    case 'drop':
      return { ...input, [change.part]: undefined };
    case 'libraries':
      return { ...input, libraries: change.value };
    case 'immutables':
      return { ...input, immutables: change.values };
    case 'rename-immutable':
      return {
        ...input,
        immutableNames: input.immutableNames!.map((entry) =>
          entry.astId === change.astId ? { ...entry, name: change.name } : entry,
        ),
      };
    case 'reference': {
      const { runtime } = input.compiled;
      const immutableReferences = {
        ...runtime.immutableReferences,
        [change.astId]: [{ start: change.start, length: 32 }],
      };
      return { ...input, compiled: { ...input.compiled, runtime: { ...runtime, immutableReferences } } };
    }
    case 'link': {
      const { runtime } = input.compiled;
      const linkReferences = {
        ...runtime.linkReferences,
        [change.path]: { [change.name]: [{ start: change.start, length: 20 }] },
      };
      return { ...input, compiled: { ...input.compiled, runtime: { ...runtime, linkReferences } } };
    }
    case 'address':
      return { ...input, address: change.value };
    case 'template-as-runtime':
      return { ...input, runtimeBytecode: input.compiled.runtime.object };
  }
}

describe('The corpus', () => {
  const names = readdirSync(new URL('cases/', corpus)).sort();

  it.each(names)('gets the expected verdict for %s', (name) => {
    const { base, change, expected } = read<MatchCase>(`cases/${name}`);
    const result = matchBytecode(change.reduce(changed, baseNamed(base)));
    expect({ verdict: result.verdict, mismatches: result.mismatches }).toMatchObject({
      verdict: expected.verdict,
      mismatches: expected.mismatches,
    });
    if (expected.checked !== undefined) expect(result.checked).toEqual(expected.checked);
    if (expected.unchecked !== undefined) expect(result.unchecked).toEqual(expected.unchecked);
  });
});

describe('The transformations', () => {
  it.each([
    'solc-0.8.26-legacy.sample',
    'solc-0.8.30-via-ir-metadata.sample',
    'solc-0.8.26-legacy.library',
    'solc-0.8.30-via-ir-optimized.library',
  ])('The transformations of %s rebuild the given code from the compiled code.', (name) => {
    const input = baseNamed(name);
    const { transformations } = matchBytecode(input);
    const rebuilt = {
      creation: input.compiled.creation.object.slice(2),
      runtime: input.compiled.runtime.object.slice(2),
    };
    const put = (part: 'creation' | 'runtime', offsets: readonly number[], value: Hex): void => {
      for (const offset of offsets) {
        const code = rebuilt[part];
        rebuilt[part] = code.slice(0, 2 * offset) + value.slice(2) + code.slice(2 * offset + value.length - 2);
      }
    };
    for (const change of transformations) {
      if (change.kind === 'library') put(change.part, change.offsets, change.address);
      else if (change.kind === 'immutable') put('runtime', change.offsets, change.value);
      else if (change.kind === 'own-address')
        put(
          'runtime',
          change.offsets,
          input.compiled.runtime.object.startsWith('0x73')
            ? change.address
            : `0x${change.address.slice(2).padStart(64, '0')}`,
        );
      else put('creation', [change.offset], change.value);
    }
    expect(`0x${rebuilt.runtime}`).toBe(input.runtimeBytecode);
    expect(`0x${rebuilt.creation}`).toBe(`${input.creationBytecode!}${input.constructorArgs!.slice(2)}`);
  });

  it('name the immutables and show their values', () => {
    const { transformations } = matchBytecode(baseNamed('solc-0.8.26-legacy.sample'));
    const values = Object.fromEntries(
      transformations.flatMap((change) => (change.kind === 'immutable' ? [[change.name, change.value]] : [])),
    );
    expect(values).toMatchObject({
      seed: `0x${'7'.padStart(64, '0')}`,
      limit: `0x${(1000).toString(16).padStart(64, '0')}`,
    });
    expect(Object.keys(values).sort()).toEqual(['label', 'limit', 'owner', 'seed']);
  });
});

describe('Any contract', () => {
  const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);
  const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;
  interface Contract {
    readonly input: BytecodeMatchInput;
    readonly runtime: Uint8Array;
    /** The kind of each byte: code, a library's address, or an immutable with the number of places that hold it. */
    readonly kinds: readonly ('code' | 'library' | { readonly places: number })[];
  }
  /** Code with adjacent holes, some of one immutable and some of libraries, filled as a deployment fills them. */
  const contracts: fc.Arbitrary<Contract> = fc
    .record({
      code: fc.array(fc.uint8Array({ minLength: 0, maxLength: 12 }), { minLength: 1, maxLength: 10 }),
      holes: fc.array(fc.record({ id: fc.integer({ min: 1, max: 4 }), library: fc.boolean() }), { maxLength: 9 }),
      values: fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { minLength: 5, maxLength: 5 }),
    })
    .map(({ code, holes, values }) => {
      const compiled: number[] = [];
      const deployed: number[] = [];
      const marks: (string | null)[] = [];
      const immutableReferences: Record<string, { start: number; length: number }[]> = {};
      const linkReferences: Record<string, Record<string, { start: number; length: number }[]>> = {};
      code.forEach((part, index) => {
        compiled.push(...part);
        deployed.push(...part);
        marks.push(...Array<null>(part.length).fill(null));
        const hole = holes[index];
        if (hole === undefined) return;
        const length = hole.library ? 20 : 32;
        const list = hole.library
          ? ((linkReferences['lib.sol'] ??= {})[`L${hole.id}`] ??= [])
          : (immutableReferences[String(hole.id)] ??= []);
        list.push({ start: compiled.length, length });
        compiled.push(...Array<number>(length).fill(0));
        deployed.push(...values[hole.id]!.slice(0, length));
        marks.push(...Array<string>(length).fill(`${hole.library ? 'L' : ''}${hole.id}`));
      });
      const runtime = Uint8Array.from(deployed);
      const kinds = marks.map((mark): Contract['kinds'][number] =>
        mark === null ? 'code' : mark.startsWith('L') ? 'library' : { places: immutableReferences[mark]!.length },
      );
      const libraries = Object.keys(linkReferences['lib.sol'] ?? {}).map((name) => ({
        path: 'lib.sol',
        name,
        address: hexOf(values[Number(name.slice(1))]!.slice(0, 20)),
      }));
      const object = hexOf(Uint8Array.from(compiled));
      const input = {
        compiled: {
          abi: [],
          creation: { object, linkReferences },
          runtime: { object, linkReferences, immutableReferences },
        },
        libraries,
        runtimeBytecode: hexOf(runtime),
      };
      return { input, runtime, kinds };
    });

  it('passes as deployed, and passes with one changed byte only in a value that occurs in a single place', () => {
    fc.assert(
      fc.property(contracts, fc.nat(), fc.integer({ min: 1, max: 255 }), ({ input, runtime, kinds }, place, noise) => {
        if (runtime.length === 0)
          return expect(matchBytecode(input)).toMatchObject({
            verdict: 'fail',
            mismatches: [{ reason: 'not-deployable' }],
          });
        expect(matchBytecode(input)).toMatchObject({ verdict: 'pass', mismatches: [] });
        const at = place % runtime.length;
        const changed = runtime.map((byte, index) => (index === at ? byte ^ noise : byte));
        const result = matchBytecode({ ...input, runtimeBytecode: hexOf(changed) });
        const kind = kinds[at]!;
        const explained = typeof kind === 'object' && kind.places === 1;
        expect(result.verdict).toBe(explained ? 'pass' : 'fail');
        if (!explained)
          expect(result.mismatches[0]).toMatchObject({
            code: 'RUNTIME_BYTECODE_MISMATCH',
            reason: typeof kind === 'object' ? 'immutable-inconsistent' : 'bytes',
            ...(typeof kind === 'object' ? {} : { offset: at }),
          });
        for (const other of [changed.slice(0, -1), Uint8Array.of(...changed, 0)])
          expect(matchBytecode({ ...input, runtimeBytecode: hexOf(other) })).toMatchObject({
            verdict: 'fail',
            mismatches: [{ reason: 'length' }],
          });
      }),
      { verbose: 1, numRuns: 500 * FUZZ_FACTOR },
    );
  });
});
