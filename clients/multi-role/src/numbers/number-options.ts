import { PackError, type PackFinding } from '../offline/pack.error.js';
import { parseTokenAmount } from './amounts.js';

/** Options that both builders take, for `CommandShape.optional`. */
export const NUMBER_OPTIONS = ['supply', 'slippage-bps'] as const;

/** The section on numbers in both builders' `--help`. */
export const NUMBER_HELP = `--supply '21000000 tokens' replaces the file's supply; '0.5 tokens' and '1 base unit' are read too.
--slippage-bps <n> replaces the file's minimumTokensOut by what the purchase brings less n basis
points, 0 to 9999, rounded down. Integers in files stay base units: wei, and 10^-18 tokens.
Price, the tokens that a purchase brings to the unit, its share of the supply and what is locked
are printed to stderr: as text on a terminal, else as one line {"numbers":{…}}.
`;

export interface TypedNumbers {
  /** Base units; null to keep the file's. */
  readonly supplyRaw: bigint | null;
  readonly slippageBps: number | null;
}

export const AS_IN_THE_FILE: TypedNumbers = { supplyRaw: null, slippageBps: null };

/** @throws {PackError} `MULTI_ROLE_PACK_ARGUMENTS_INVALID` */
export function readNumberOptions(options: Readonly<Record<string, string>>): TypedNumbers {
  const findings: PackFinding[] = [];
  const supplyRaw = options['supply'] === undefined ? null : parseTokenAmount(options['supply']);
  if (options['supply'] !== undefined && supplyRaw === null) {
    findings.push({
      path: '--supply',
      message:
        "is not a number with its unit, such as '21000000 tokens', '0.5 tokens' or '1 base unit': digits, at most 18 behind a point",
    });
  }
  const slippage = options['slippage-bps'];
  const isSlippage = slippage !== undefined && /^(?:0|[1-9][0-9]{0,3})$/.test(slippage);
  if (slippage !== undefined && !isSlippage)
    findings.push({ path: '--slippage-bps', message: 'is not a number of basis points from 0 to 9999' });
  if (findings.length > 0) throw new PackError('MULTI_ROLE_PACK_ARGUMENTS_INVALID', findings);
  return { supplyRaw, slippageBps: isSlippage ? Number(slippage) : null };
}
