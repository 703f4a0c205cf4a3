import { readSources } from '../chain/published-sources.js';
import { verifyFinality } from '../chain/verify-finality.js';
import { verifyLaunch } from '../chain/verify-launch.js';
import { ServiceRead } from '../feed/service-read.js';
import { EXIT, type ExitCode } from './command.error.js';
import type { Outcome } from './outcome.js';
import { readChainId, readEndpoints, readTransaction, type Options, type World } from './settings.js';

const DEADLINE_MS = 60_000;

/** Verifies every launch of a transaction by every source on its chain. */
export async function runVerify(options: Options, { environment, log }: World): Promise<Outcome> {
  const chainId = readChainId(options);
  const transaction = readTransaction(options);
  const endpoints = readEndpoints(environment, chainId, log);
  const { sources, rollup } = await readSources(new ServiceRead(options['api-origin']!, DEADLINE_MS));
  const launchPair = endpoints[4663];
  const chains = {
    l1: endpoints[1],
    ...(rollup === null || launchPair === undefined ? {} : { l2: { pair: launchPair, rollup } }),
  };
  const events: object[] = [];
  const open: string[] = [];
  let refused = 0;
  for (const read of sources.filter(({ source }) => source.chainId === chainId)) {
    if (read.adapter === null) {
      open.push(`there are no rules here for ${read.source.sourceVersion}`);
      continue;
    }
    const verified = await verifyLaunch(endpoints[chainId]!, read, transaction);
    if (verified.kind === 'indeterminate') {
      open.push(verified.reason);
      continue;
    }
    for (const event of verified.events) {
      if (event.verdict.kind === 'refused') refused += 1;
      const block = { number: event.blockNumber, hash: event.blockHash };
      const { sourceVersion, address: sourceAddress } = read.source;
      events.push({ sourceVersion, sourceAddress, ...event, finality: await verifyFinality(chains, chainId, block) });
    }
  }
  return {
    exitCode: exitOf(events.length, refused, open.length),
    result: { schemaVersion: 'service.index-reader.verify.v1', chainId, transaction, events, indeterminate: open },
    lines: [`${events.length - refused} verified, ${refused} refused, ${open.length} undecided`, ...open],
  };
}

function exitOf(events: number, refused: number, open: number): ExitCode {
  if (refused > 0) return EXIT.refused;
  if (open > 0) return EXIT.undecided;
  return events === 0 ? EXIT.absent : EXIT.done;
}
