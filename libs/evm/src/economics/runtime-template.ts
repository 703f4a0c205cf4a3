import { hexToBytes, keccak256, type Hex } from 'viem';
import type { ContractTemplate, TemplateImmutable } from './template-set.types.js';

const WORD = 32;

/** The 32-byte words of a contract's immutables, by name. */
export type ImmutableWords = Readonly<Record<string, Hex>>;

/** Returns a left-padded word for an unsigned value or an address. */
export const wordOf = (value: bigint | string): Hex => {
  const big = typeof value === 'string' ? BigInt(value) : value;
  return `0x${BigInt.asUintN(256, big).toString(16).padStart(64, '0')}`;
};

/** The length of a runtime and the positions of its immutables. */
export interface MaskedRuntime {
  readonly runtimeLength: number;
  readonly immutables: readonly Pick<TemplateImmutable, 'offsets'>[];
}

/** Returns the keccak-256 of a runtime with every immutable of the template zeroed, or null if its length differs. */
export function maskedRuntimeHash(template: MaskedRuntime, runtime: Uint8Array): Hex | null {
  if (runtime.length !== template.runtimeLength) return null;
  const masked = Uint8Array.from(runtime);
  for (const { offsets } of template.immutables) for (const offset of offsets) masked.fill(0, offset, offset + WORD);
  return keccak256(masked);
}

/** Returns the exact runtime of a template with these immutables; every immutable must be given. */
export function fillRuntime(template: ContractTemplate, words: ImmutableWords): Uint8Array {
  const runtime = hexToBytes(template.runtimeMasked as Hex);
  for (const { name, offsets } of template.immutables) {
    const word = words[name];
    if (word === undefined) throw new TypeError(`no value for immutable ${name} of ${template.contract}`);
    const bytes = hexToBytes(word);
    if (bytes.length !== WORD) throw new TypeError(`immutable ${name} of ${template.contract} is not one word`);
    for (const offset of offsets) runtime.set(bytes, offset);
  }
  return runtime;
}
