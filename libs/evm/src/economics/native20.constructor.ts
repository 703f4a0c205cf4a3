import { decodeAbiParameters, encodeAbiParameters, type AbiParameter, type Hex } from 'viem';
import type { Native20Parameters } from './native20.immutables.js';
import type { ContractTemplate } from './template-set.types.js';

type DecodedArguments = readonly [
  {
    poolManager: Hex;
    router: Hex;
    creatorBuyFeeBps: number;
    creatorSellFeeBps: number;
    platformRecipient: Hex;
    creatorRecipient: Hex;
  },
  string,
  string,
  bigint,
  number,
  number,
];

const lower = (hex: Hex): Hex => hex.toLowerCase() as Hex;
const inputs = (template: ContractTemplate): AbiParameter[] => [...template.constructor] as AbiParameter[];

/** ABI-encodes the constructor arguments of a Native20 launch. */
export function encodeNative20Arguments(template: ContractTemplate, parameters: Native20Parameters): Hex {
  const { name, symbol, supply, tickLower, tickUpper, ...config } = parameters;
  return encodeAbiParameters(inputs(template), [config, name, symbol, supply, tickLower, tickUpper] as never);
}

/** Decodes constructor arguments; null when they are not the one canonical encoding of such arguments. */
export function decodeNative20Arguments(template: ContractTemplate, encoded: Hex): Native20Parameters | null {
  let values: DecodedArguments;
  try {
    values = decodeAbiParameters(inputs(template), encoded) as unknown as DecodedArguments;
  } catch {
    return null;
  }
  const [config, name, symbol, supply, tickLower, tickUpper] = values;
  const parameters: Native20Parameters = {
    poolManager: lower(config.poolManager),
    router: lower(config.router),
    creatorBuyFeeBps: config.creatorBuyFeeBps,
    creatorSellFeeBps: config.creatorSellFeeBps,
    platformRecipient: lower(config.platformRecipient),
    creatorRecipient: lower(config.creatorRecipient),
    name,
    symbol,
    supply,
    tickLower,
    tickUpper,
  };
  return encodeNative20Arguments(template, parameters) === encoded.toLowerCase() ? parameters : null;
}
