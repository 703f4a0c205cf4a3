import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM, type InterpreterStep } from '@ethereumjs/evm';
import { createAddressFromString } from '@ethereumjs/util';
import fc from 'fast-check';
import type { EvmError } from '../evm.error.js';
import {
  LINEAR_INSTRUCTION_POLICY,
  LINEAR_INSTRUCTION_POLICY_ID,
  REACHABLE_INSTRUCTION_POLICY,
  REACHABLE_INSTRUCTION_POLICY_ID,
  instructionPolicy,
  instructionPolicyHash,
} from './instruction-policy.js';
import { MAX_LISTED_HITS, scanRuntime } from './runtime.scanner.js';

const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);

type Expected = string | [number, string][];
type PolicyName = 'v2' | 'reachable';
const corpus = JSON.parse(readFileSync(new URL('../../testdata/opcodes/policies.json', import.meta.url), 'utf8')) as {
  policies: Record<PolicyName, string>;
  cases: ({ name: string; runtime: string } & Record<PolicyName, Expected>)[];
};

/** Returns a scan's outcome in the terms of the corpus. */
function outcome(policyId: string, runtime: Uint8Array): Expected {
  const result = scanRuntime(policyId, runtime);
  if (result.verdict !== 'forbidden') return result.verdict;
  return result.hits.map(({ programCounter, opcode }): [number, string] => [programCounter, opcode]);
}

describe.each(Object.entries(corpus.policies) as [PolicyName, string][])('The policy %s', (policy, policyId) => {
  it.each(corpus.cases)('judges $runtime as the corpus expects: $name', (testCase) => {
    expect(outcome(policyId, Uint8Array.from(Buffer.from(testCase.runtime, 'hex')))).toEqual(testCase[policy]);
  });
});

describe('The policies', () => {
  it('are bound by hash, so a changed document is a new policy', () => {
    expect(instructionPolicyHash(LINEAR_INSTRUCTION_POLICY)).toBe(
      '0x3bd85ff7a48943e0a979353822d13015b455cc5ff0c34911632d5956374834ef',
    );
    expect(instructionPolicyHash(REACHABLE_INSTRUCTION_POLICY)).toBe(
      '0x400579abce059a5a37989bc25f8cae771ac1e87fb7c132b5de97d256f5ba76d2',
    );
  });

  it('cannot be changed at run time', () => {
    expect(() => (REACHABLE_INSTRUCTION_POLICY.forbidden as unknown[]).pop()).toThrow(TypeError);
  });

  it.each(['', 'toString', '__proto__', 'service.multi-role-runtime-instruction-policy.v3'])(
    'refuse the unknown id %j',
    (id) => {
      expect(() => scanRuntime(id, Uint8Array.of(0))).toThrow(
        expect.objectContaining({ code: 'INSTRUCTION_POLICY_UNKNOWN' }) as unknown as EvmError,
      );
    },
  );
});

describe('The findings', () => {
  it('carry code, name and position', () => {
    expect(scanRuntime(REACHABLE_INSTRUCTION_POLICY_ID, Uint8Array.of(0x60, 0x00, 0xf4))).toEqual({
      verdict: 'forbidden',
      code: 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN',
      hits: [{ programCounter: 2, opcode: '0xf4', mnemonic: 'DELEGATECALL' }],
      hitCount: 1,
    });
    expect(scanRuntime(REACHABLE_INSTRUCTION_POLICY_ID, Uint8Array.of(0xef))).toEqual({
      verdict: 'mode-unsupported',
      code: 'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED',
    });
    expect(scanRuntime(LINEAR_INSTRUCTION_POLICY_ID, new Uint8Array())).toEqual({
      verdict: 'empty',
      code: 'RUNTIME_EMPTY',
    });
  });

  it('are bounded in number, while their count is exact', () => {
    const result = scanRuntime(LINEAR_INSTRUCTION_POLICY_ID, new Uint8Array(5000).fill(0xff));
    expect(result).toMatchObject({ verdict: 'forbidden', hitCount: 5000 });
    expect(result.verdict === 'forbidden' && result.hits.length).toBe(MAX_LISTED_HITS);
  });
});

describe('The scanner', () => {
  const interesting = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        0x00,
        0x56,
        0x57,
        0x5b,
        0x5f,
        0x60,
        0x61,
        0x7f,
        0xef,
        0xf0,
        0xf2,
        0xf3,
        0xf4,
        0xf5,
        0xfd,
        0xfe,
        0xff,
      ),
    },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) },
  );

  it.each(Object.entries(corpus.policies) as [PolicyName, string][])(
    'agrees under the policy %s with a reference that first decodes and then walks the flow graph',
    (policy, policyId) => {
      fc.assert(
        fc.property(fc.array(interesting, { maxLength: 60 }), (bytes) => {
          const expected = reference(policy, bytes);
          expect(outcome(policyId, Uint8Array.from(bytes))).toEqual(
            typeof expected === 'string' ? expected : expected.slice(0, MAX_LISTED_HITS),
          );
        }),
        { verbose: 1, numRuns: 2000 * FUZZ_FACTOR },
      );
    },
  );
});

describe('The policy', () => {
  /** Programs that make progress: small numbers as jump targets, JUMPDESTs, and stack to work with. */
  const snippet = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 40 }).map((value) => [0x60, value]) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 40 }).map((value) => [0x60, value, 0x56]) },
    { weight: 4, arbitrary: fc.constantFrom([0x5b], [0x58, 0x57], [0x5f], [0x80], [0x50], [0x56], [0x57]) },
    { weight: 3, arbitrary: fc.constantFrom([0xf0], [0xf2], [0xf4], [0xf5], [0xff], [0x00], [0xfe], [0x0c], [0xf3]) },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => [...bytes]) },
  );

  const to = createAddressFromString(`0x${'11'.repeat(20)}`);
  const header = {
    number: 1n,
    timestamp: 1n,
    coinbase: to,
    difficulty: 0n,
    prevRandao: new Uint8Array(32),
    gasLimit: 1n,
    baseFeePerGas: 0n,
    getBlobGasPrice: () => 1n,
  };
  const block = { header } as never;
  const common = createCustomCommon({ chainId: 4663 }, Mainnet, { hardfork: Hardfork.Shanghai });

  /** Runs code in another interpreter and returns the program counters and opcodes that it executed. */
  async function executed(code: Uint8Array): Promise<[number, number][]> {
    // A chain description keeps every machine created with it, so each machine gets its own.
    const evm = await createEVM({ common: common.copy() });
    const steps: [number, number][] = [];
    const listen = ({ depth, pc, opcode }: InterpreterStep): void =>
      void (depth === 0 && steps.push([pc, opcode.code]));
    evm.events.on('step', listen);
    await evm.runCall({ to, code, gasLimit: 50_000n, block }).catch((error: unknown) => {
      // The interpreter fails on a length beyond its memory; the instructions executed until then count.
      if ((error as Error).name !== 'RangeError') throw error;
    });
    return steps;
  }

  it.each(Object.entries(corpus.policies) as [PolicyName, string][])(
    '%s names every forbidden instruction that the EVM executes',
    async (_policy, policyId) => {
      const forbidden = new Set(instructionPolicy(policyId).forbidden.map(({ opcode }) => Number(opcode)));
      let reached = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(snippet, { minLength: 1, maxLength: 24 }), async (snippets) => {
          // Push words to work with, so that a program does not end at once.
          const code = Uint8Array.of(0x5f, 0x5f, 0x5f, 0x5f, ...snippets.flat());
          const result = scanRuntime(policyId, code);
          if (result.verdict === 'mode-unsupported') return;
          const named = new Set(
            result.verdict === 'forbidden' ? result.hits.map(({ programCounter }) => programCounter) : [],
          );
          if (result.verdict === 'forbidden' && result.hitCount > result.hits.length) return;
          for (const [counter, opcode] of await executed(code)) {
            if (!forbidden.has(opcode)) continue;
            reached += 1;
            expect(named).toContain(counter);
          }
        }),
        { verbose: 1, numRuns: 1_000 * FUZZ_FACTOR },
      );
      // A run that reached none would prove nothing.
      expect(reached).toBeGreaterThan(20);
    },
  );
});

/**
 * A reference written independently of the scanner: a list of instructions, then a work list over entry points and
 * successors.
 */
function reference(policy: PolicyName, bytes: number[]): Expected {
  if (bytes.length === 0) return 'empty';
  if (policy === 'reachable' && bytes[0] === 0xef) return 'mode-unsupported';
  const instructions: { counter: number; opcode: number }[] = [];
  for (let counter = 0; counter < bytes.length;) {
    const opcode = bytes[counter]!;
    instructions.push({ counter, opcode });
    const name = opcode >= 0x60 && opcode < 0x80 ? opcode - 0x5f : 0;
    counter += 1 + name;
  }
  const forbidden = policy === 'v2' ? [0xff, 0xf2, 0xf4] : [0xff, 0xf2, 0xf4, 0xf0, 0xf5];
  const reached = new Set<number>();
  const work = instructions.flatMap(({ opcode }, index) =>
    index === 0 || opcode === 0x5b || policy === 'v2' ? [index] : [],
  );
  while (work.length > 0) {
    const index = work.pop()!;
    const instruction = instructions[index];
    if (instruction === undefined || reached.has(index)) continue;
    reached.add(index);
    if (![0x00, 0x56, 0xf3, 0xfd, 0xfe].includes(instruction.opcode)) work.push(index + 1);
  }
  const hits = instructions.filter(({ opcode }, index) => reached.has(index) && forbidden.includes(opcode));
  if (hits.length === 0) return 'pass';
  return hits.map(({ counter, opcode }): [number, string] => [counter, `0x${opcode.toString(16)}`]);
}
