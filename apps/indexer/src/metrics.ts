import { INDEX_STATES } from '@launch/contracts/index';
import { Counter, Gauge, scrapeReading, type Logger, type Registry } from '@launch/platform';
import type { StepOutcome } from './follow/follow-step.js';
import type { QuarantineCount, QuarantineRepository } from './quarantine/quarantine.repository.js';
import type { HoldCount, HoldRepository } from './holds/hold.repository.js';
import type { SourceRepository, SourceRow } from './rows/source.repository.js';

export interface IndexMetrics {
  /** Counts a step of a source. */
  stepped(row: SourceRow, outcome: StepOutcome): void;
}

interface IndexReading {
  readonly rows: readonly SourceRow[];
  readonly quarantined: readonly QuarantineCount[];
  readonly holds: readonly HoldCount[];
}
type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

const LABELS = ['chain', 'source_version', 'release'] as const;
const labelsOf = ({ source, releaseDigest }: Pick<SourceRow, 'source' | 'releaseDigest'>) => ({
  chain: String(source.chainId),
  source_version: source.sourceVersion,
  release: releaseDigest.slice('sha256:'.length, 'sha256:'.length + 12),
});
const READ_EVERY_MS = 1_000;

/**
 * Registers the metrics behind the alerts of the index (docs/runbooks/index-lag.md and its neighbours). They read the
 * database, so every worker reports the whole index.
 */
export function indexMetrics(
  registry: Registry,
  parts: {
    readonly sources: SourceRepository;
    readonly quarantine: QuarantineRepository;
    readonly holds: Pick<HoldRepository, 'counts'>;
    readonly logger: Logger;
  },
): IndexMetrics {
  const registers = [registry];
  const steps = new Counter({
    name: 'launch_index_steps_total',
    help: 'Steps of the index of a source, by the state that each led to.',
    labelNames: [...LABELS, 'state'],
    registers,
  });
  const refused = new Counter({
    name: 'launch_index_refused_total',
    help: 'Steps of the index of a source that got no answer about a block or a launch.',
    labelNames: LABELS,
    registers,
  });
  const reading = scrapeReading(() => readIndex(parts), {
    everyMs: READ_EVERY_MS,
    logger: parts.logger,
    what: 'the state of the index',
  });
  const gauge = (
    name: string,
    help: string,
    further: readonly string[],
    samples: (now: IndexReading) => Sample[],
  ): void => {
    new Gauge({
      name,
      help,
      labelNames: [...LABELS, ...further],
      registers,
      async collect() {
        const now = await reading();
        this.reset();
        for (const [labels, value] of now === null ? [] : samples(now)) this.set(labels, value);
      },
    });
  };
  gauge('launch_index_source_state', 'State of a source: 1 for the one that it is in.', ['state'], ({ rows }) =>
    rows.flatMap((row) =>
      INDEX_STATES.map((state): Sample => [{ ...labelsOf(row), state }, Number(state === row.state)]),
    ),
  );
  gauge('launch_index_checkpoint_block', 'Last block whose launches are admitted.', [], ({ rows }) =>
    rows.flatMap((row): Sample[] => (row.checkpoint === null ? [] : [[labelsOf(row), Number(row.checkpoint)]])),
  );
  gauge('launch_index_lag_blocks', 'Final blocks that are not checkpointed yet.', [], ({ rows }) =>
    rows.flatMap((row): Sample[] => {
      if (row.finalizedHead === null) return [];
      const last = row.checkpoint ?? BigInt(row.source.startBlock) - 1n;
      return [[labelsOf(row), Math.max(0, Number(row.finalizedHead - last))]];
    }),
  );
  gauge(
    'launch_index_quarantined',
    'Logs in quarantine that no operator dismissed.',
    ['reason'],
    ({ rows, quarantined }) =>
      quarantined.flatMap(({ releaseDigest, reason, count }): Sample[] => {
        const row = rows.find((one) => one.releaseDigest === releaseDigest);
        return row === undefined ? [] : [[{ ...labelsOf(row), reason }, count]];
      }),
  );
  gauge(
    'launch_index_source_stalled_seconds',
    'Seconds since a source wrote a range or had nothing left to read; 0 for one that is not expected to.',
    [],
    ({ rows }) =>
      rows.map((row): Sample => {
        const isAtRest = row.state === 'ended' || row.state === 'unsupported';
        return [labelsOf(row), isAtRest ? 0 : Math.max(0, (Date.now() - row.progressedAt.getTime()) / 1_000)];
      }),
  );
  gauge(
    'launch_index_held_places',
    'Blocks and transactions that the index concludes nothing from.',
    ['subject', 'cause'],
    ({ rows, holds }) =>
      holds.flatMap(({ releaseDigest, subject, cause, count }): Sample[] => {
        const row = rows.find((one) => one.releaseDigest === releaseDigest);
        return row === undefined ? [] : [[{ ...labelsOf(row), subject, cause }, count]];
      }),
  );
  return {
    stepped(row, outcome) {
      steps.inc({ ...labelsOf(row), state: outcome.state });
      if (outcome.isRefused) refused.inc(labelsOf(row));
    },
  };
}

async function readIndex({ sources, quarantine, holds }: Parameters<typeof indexMetrics>[1]): Promise<IndexReading> {
  const all = await sources.all();
  const rows = await Promise.all(all.map(({ releaseDigest }) => sources.find(releaseDigest)));
  return {
    rows: rows.filter((row) => row !== null),
    quarantined: await quarantine.counts(),
    holds: await holds.counts(),
  };
}
