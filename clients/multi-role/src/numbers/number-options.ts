import type { OptionDeclaration } from '@launch/client-core/command';
import { PackError } from '../offline/pack.error.js';
import { parseTokenAmount } from './amounts.js';

/** Options about numbers that both builders take. */
export const NUMBER_OPTIONS: readonly OptionDeclaration[] = [
  { name: 'supply', value: 'amount', summary: "replace the supply: '21000000 tokens', '0.5 tokens' or '1 base unit'" },
  {
    name: 'slippage-bps',
    value: 'bps',
    summary: 'replace minimumTokensOut by the tokens that the purchase brings less n basis points, rounded down',
    range: [0, 9_999],
  },
];

/** The section on numbers in both builders' `--help`. */
export const NUMBER_HELP = `Integers in files are base units: wei, and 10^-18 tokens. The price, the tokens that a purchase brings, its share of the
supply and the locked tokens go to stderr: as text on a terminal, else as one line {"numbers":{…}}.`;

export interface TypedNumbers {
  /** Base units; null to keep the file's. */
  readonly supplyRaw: bigint | null;
  readonly slippageBps: number | null;
}

export const AS_IN_THE_FILE: TypedNumbers = { supplyRaw: null, slippageBps: null };

/** @throws {PackError} `MULTI_ROLE_PACK_ARGUMENTS_INVALID` */
export function readNumberOptions(options: Readonly<Record<string, string>>): TypedNumbers {
  const { supply, 'slippage-bps': slippage } = options;
  const supplyRaw = supply === undefined ? null : parseTokenAmount(supply);
  if (supply !== undefined && supplyRaw === null) {
    const message =
      "is not a number with its unit, such as '21000000 tokens', '0.5 tokens' or '1 base unit': digits, at most 18 behind a point";
    throw new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', [{ path: '--supply', message }]);
  }
  return { supplyRaw, slippageBps: slippage === undefined ? null : Number(slippage) };
}
