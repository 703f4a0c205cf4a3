import type { Hex } from 'viem';
import { decodeArguments, encodeArguments } from './abi-arguments.js';
import { feeConfigOf, type FeeConfig } from './fee-kernel.js';
import type { Native20Parameters } from './native20.immutables.js';
import type { ContractTemplate } from './template-set.types.js';

/** ABI-encodes the constructor arguments of a Native20 launch. */
export function encodeNative20Arguments(template: ContractTemplate, parameters: Native20Parameters): Hex {
  const { name, symbol, supply, tickLower, tickUpper, ...config } = parameters;
  return encodeArguments(template, [config, name, symbol, supply, tickLower, tickUpper]);
}

/** Decodes constructor arguments. Returns null if they are not the one canonical encoding of such arguments. */
export function decodeNative20Arguments(template: ContractTemplate, encoded: Hex): Native20Parameters | null {
  const values = decodeArguments(template, encoded);
  if (values === null) return null;
  const [config, name, symbol, supply, tickLower, tickUpper] = values as readonly [
    FeeConfig,
    string,
    string,
    bigint,
    number,
    number,
  ];
  return { ...feeConfigOf(config), name, symbol, supply, tickLower, tickUpper };
}
