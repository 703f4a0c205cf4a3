import { beforeAll, describe, expect, it } from '@jest/globals';
import { hexToBytes } from 'viem';
import { hookCallbackSelectors } from '../create2/hook-callbacks.js';
import { callerCheck, type CallerCheck } from './caller-check.js';
import { compileModule, type CompiledModule } from '../../../compiler/src/fixtures/compiled-module.fixture.js';
import { HOOK_NAMES, HOOKS } from './hooks.fixture.js';

const EXPECTED: Readonly<Record<(typeof HOOK_NAMES)[number], CallerCheck>> = {
  ByModifier: 'guarded',
  ByStorage: 'guarded',
  ByMapping: 'guarded',
  ByAuthority: 'undetermined',
  Unguarded: 'open',
  Discount: 'open',
  Unimplemented: 'reverts',
};

describe.each([
  ['as written', { optimizer: { enabled: false }, evmVersion: 'cancun' }],
  ['optimized', { optimizer: { enabled: true, runs: 10_000 }, evmVersion: 'paris' }],
  ["by solc's IR", { optimizer: { enabled: true, runs: 200 }, viaIR: true, evmVersion: 'cancun' }],
])('a callback compiled %s', (_how, settings) => {
  let compiled: CompiledModule;
  beforeAll(async () => {
    compiled = await compileModule(HOOKS, HOOK_NAMES, settings);
  });
  const judged = (name: string, mutate: (runtime: Uint8Array) => void = () => undefined): CallerCheck => {
    const target = compiled.targets.find(({ contract }) => contract === name)!;
    const runtime = hexToBytes(target.runtime.object);
    mutate(runtime);
    return callerCheck(runtime, hookCallbackSelectors(target.abi)[0]!.selector);
  };

  it.each(HOOK_NAMES)('is judged, in %s, by its use of the caller', (name) => {
    expect([name, judged(name)]).toEqual([name, EXPECTED[name]]);
  });

  it.each(['ByModifier', 'ByStorage', 'ByMapping'])(
    'counts as open, in %s, once it checks another word than the caller',
    (name) => {
      const toAddress = (runtime: Uint8Array): void => {
        for (let at = 0; at < runtime.length; at += 1) {
          const opcode = runtime[at]!;
          if (opcode === 0x33) runtime[at] = 0x30;
          if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f;
        }
      };
      expect(judged(name, toAddress)).toBe('open');
    },
  );
});

it('The caller check is undetermined for code that never ends or jumps to an unknown place.', () => {
  const judged = (hex: `0x${string}`) => callerCheck(hexToBytes(hex), '0x00000000');
  // The target of JUMPDEST PUSH1 0 JUMP is known; that of PUSH0 CALLDATALOAD is not.
  expect(judged('0x5b600056')).toBe('undetermined');
  expect(judged('0x60043556')).toBe('undetermined');
  expect(judged('0x')).toBe('open');
  expect(judged('0x56')).toBe('reverts');
});
