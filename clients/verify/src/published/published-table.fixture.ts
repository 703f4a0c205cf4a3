import type { BytecodeMatchResult } from '@launch/evm';
import type { PublishedContract, PublishedUnit } from './published-units.fixture.js';

/** A published contract and its match. */
export interface MatchedContract {
  readonly unit: PublishedUnit;
  readonly published: PublishedContract;
  readonly result: BytecodeMatchResult;
}

const HEADER = `| package | contract | compiler and settings | sources | targets | creation code | runtime on a chain |
| --- | --- | --- | ---: | ---: | --- | --- |
`;

interface Settings {
  readonly viaIR?: boolean;
  readonly evmVersion?: string;
  readonly optimizer?: { readonly enabled?: boolean; readonly runs?: number };
  readonly metadata?: { readonly bytecodeHash?: string };
}

function settingsOf({ compilerVersion, input }: PublishedUnit): string {
  const { viaIR, evmVersion, optimizer, metadata } = input.settings as Settings;
  return [
    `solc ${compilerVersion}`,
    viaIR === true ? 'viaIR' : 'legacy',
    optimizer?.enabled === true ? `${optimizer.runs!.toLocaleString('en')} runs` : 'not optimized',
    ...(evmVersion === undefined ? [] : [evmVersion]),
    metadata?.bytecodeHash === 'none' ? 'no metadata hash' : 'metadata hash',
  ].join(', ');
}

/** Describes the values of the runtime that the constructor wrote into the template. */
function runtimeOf({ transformations }: BytecodeMatchResult): string {
  const immutables = transformations.filter(({ kind }) => kind === 'immutable').length;
  const own = transformations.some(({ kind }) => kind === 'own-address');
  const filled = [
    ...(immutables > 0 ? [`${immutables} immutable${immutables > 1 ? 's' : ''}`] : []),
    ...(own ? ["the library's own address"] : []),
  ];
  return filled.length > 0 ? `exact, with ${filled.join(' and ')}` : 'exact';
}

/** Returns a contract's row of the document. */
export function rowOf({ unit, published, result }: MatchedContract): string {
  const args = result.transformations.some(({ kind }) => kind === 'constructor-arguments');
  const cells = [
    `\`${unit.package}\` ${unit.version}`,
    `\`${published.contract}\``,
    settingsOf(unit),
    String(Object.keys(unit.input.sources).length),
    String(unit.contracts.length),
    result.verdict === 'pass' ? (args ? 'exact, arguments canonical' : 'exact') : 'differs',
    result.verdict === 'pass' ? runtimeOf(result) : 'differs',
  ];
  return `| ${cells.join(' | ')} |\n`;
}

/** Returns the table of the document, in the order of matching. */
export const tableOf = (matched: readonly MatchedContract[]): string => `${HEADER}${matched.map(rowOf).join('')}`;
