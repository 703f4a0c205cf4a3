import type { IndexSource, SourceLog } from '@launch/contracts/index';
import type { Hex } from '../encoding/hex.js';
import type { Candidate, SourceReceipt } from './source-adapter.js';

/** Returns the bound contract's logs sorted by index. */
export const ownLogs = (source: IndexSource, { logs }: SourceReceipt): readonly SourceLog[] =>
  logs.filter(({ address }) => address === source.address).sort((a, b) => a.logIndex - b.logIndex);

/**
 * Returns the launches that a receipt claims, by the first indexed argument of every event, a launch id. Two anchors of
 * one id are two candidates over the same logs, so that neither is lost and both fail.
 *
 * Logs of the bound contract that are not wanted events are ignored. An anchor that does not decode is a separate
 * candidate without a key.
 */
export function candidatesByFirstTopic({
  source,
  receipt,
  anchor,
  isOurs,
}: {
  readonly source: IndexSource;
  readonly receipt: SourceReceipt;
  readonly anchor: Hex;
  /** Reports whether a log of the bound contract is one of the launch's events. */
  readonly isOurs: (log: SourceLog) => boolean;
}): readonly Candidate[] {
  const own = ownLogs(source, receipt);
  const events = own.filter(isOurs);
  const [ours, byKey] = [new Set(events), Map.groupBy(events, ({ topics }) => topics[1])];
  return own
    .filter(({ topics }) => topics[0] === anchor)
    .map((log) => {
      const key = log.topics[1];
      if (key === undefined || !ours.has(log)) return { anchor: log, key: '', logs: [log] };
      return { anchor: log, key, logs: byKey.get(key)! };
    });
}
