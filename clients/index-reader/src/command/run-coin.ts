import { readCoin, type CoinReading } from '../coin/read-coin.js';
import { EXIT } from './command.error.js';
import type { Outcome } from './outcome.js';
import { readChainId, readEndpoints, readToken, type Options, type World } from './settings.js';

const EXITS = {
  verified: EXIT.done,
  refused: EXIT.refused,
  absent: EXIT.absent,
  indeterminate: EXIT.undecided,
} as const;

/** Reads one coin and reports every axis separately. */
export async function runCoin(options: Options, { environment, log }: World): Promise<Outcome> {
  const chainId = readChainId(options);
  const token = readToken(options);
  const endpoints = readEndpoints(environment, chainId, log);
  const scans = options['scan'] !== undefined;
  const coin = await readCoin({ origin: options['api-origin']!, chainId, token, endpoints, scans });
  const { record, verification, finality, assessment, ...further } = coin;
  return {
    exitCode: EXITS[verification.kind],
    result: {
      schemaVersion: 'service.index-reader.coin.v1',
      chainId,
      token,
      verification,
      record,
      finality,
      ...further,
      ...assessment,
    },
    lines: linesOf(`${token} on chain ${chainId}`, coin),
  };
}

function linesOf(subject: string, { record, verification, assessment: { axes, label } }: CoinReading): string[] {
  const { kind, reason, detail } = { reason: undefined, detail: undefined, ...verification };
  return [
    [`${subject}: ${kind}`, reason, detail].filter((word) => word !== undefined).join(', '),
    ...(record === null ? [] : [`source ${record.sourceKind}, block ${record.blockNumber}, creator ${record.creator}`]),
    ...Object.entries(axes).map(([axis, value]) => `${axis}: ${value}`),
    `label: ${label ?? 'none'}`,
  ];
}
