import type { IndexState, ReadStatus } from '@launch/contracts/index';
import { Link } from 'react-router';
import { CHAIN_NAMES } from '../../site/chains.js';
import { sourceName } from '../../site/source-names.js';
import { ScrollTable } from '../../ui/scroll-table.js';
import { Badge, Empty, type Tone } from '../../ui/status.js';
import { Moment } from '../../ui/values.js';
import { isReasonCode, REASON_CATALOGUE } from '@launch/contracts/errors';
import { chainLags, type IndexedSource, type IndexStatus } from './service-state.js';

const STATES: Readonly<Record<IndexState, string>> = {
  starting: 'starting',
  backfilling: 'reading old blocks',
  following: 'following the chain',
  waiting: 'waiting',
  stopped: 'stopped',
  unsupported: 'not supported',
  ended: 'read to its last block',
};
const FRESHNESS: Readonly<Record<ReadStatus, readonly [Tone, string]>> = {
  ok: ['good', 'Current'],
  stale: ['caution', 'Behind'],
  indeterminate: ['bad', 'Incomplete'],
};

/** How far the index is behind the final blocks of each chain. */
export function ChainLags({ index }: { index: IndexStatus }) {
  return (
    <ScrollTable
      caption="Lag of each chain"
      columns={['Chain', 'State', 'Newest final block', 'Blocks behind', 'Last confirmed by both providers']}
    >
      {chainLags(index).map(({ chainId, sources, behind, finalizedHead, lagBlocks, confirmedAt }) => (
        <tr key={chainId}>
          <th scope="row">{CHAIN_NAMES[chainId]}</th>
          <td>
            {sources === 0 ? (
              <Badge>Not followed</Badge>
            ) : behind === 0 ? (
              <Badge tone="good">Current</Badge>
            ) : (
              <Badge tone="caution">{`${behind} of ${sources} sources behind`}</Badge>
            )}
          </td>
          <td>{finalizedHead?.toLocaleString('en-US') ?? 'unknown'}</td>
          <td>{lagBlocks?.toLocaleString('en-US') ?? 'unknown'}</td>
          <td>{confirmedAt === null ? 'unknown' : <Moment at={confirmedAt} />}</td>
        </tr>
      ))}
    </ScrollTable>
  );
}

/** The sources of the index, each a contract whose launches the service lists. */
export function IndexSources({ sources }: { sources: readonly IndexedSource[] }) {
  if (sources.length === 0)
    return <Empty title="The index follows no source.">The operator has not bound a launch contract to it.</Empty>;
  return (
    <ScrollTable
      caption="Sources of the index"
      columns={['Source', 'Chain', 'State', 'Read through block', 'Behind', 'Confirmed', 'Withheld events', 'Holds']}
    >
      {sources.map((source) => (
        <SourceRow key={source.releaseDigest} source={source} />
      ))}
    </ScrollTable>
  );
}

function SourceRow({ source }: { source: IndexedSource }) {
  const [tone, name] = FRESHNESS[source.freshness];
  return (
    <tr>
      <th scope="row" className="min-w-44">
        <Link to={`/releases/${source.releaseDigest}`} className="inline-block min-h-6 underline">
          {sourceName(source.sourceVersion, source.factoryVersion)}
        </Link>
        {source.status !== 'active' && <span className="block text-xs text-muted">{source.status}</span>}
      </th>
      <td className="whitespace-nowrap">{CHAIN_NAMES[source.chainId]}</td>
      <td className="min-w-40">
        <Badge tone={tone}>{name}</Badge>
        <span className="mt-1 block text-xs text-muted">
          {STATES[source.state]}
          {source.stateReason !== null && <>: {reasonOf(source.stateReason)}</>}
        </span>
      </td>
      <td className="tabular-nums">{source.coverage.through ?? 'none yet'}</td>
      <td className="tabular-nums whitespace-nowrap">
        {source.lagBlocks === null ? 'unknown' : `${source.lagBlocks} ${source.lagBlocks === '1' ? 'block' : 'blocks'}`}
      </td>
      <td className="whitespace-nowrap">
        {source.checkpoint === null ? 'never' : <Moment at={source.checkpoint.confirmedAt} />}
      </td>
      <td className="min-w-40">
        {source.quarantine.total}
        {Object.entries(source.quarantine.byReason).map(([code, count]) => (
          <span key={code} className="block text-xs text-muted">
            {count} × {reasonOf(code)}
          </span>
        ))}
      </td>
      <td>{source.holds.total}</td>
    </tr>
  );
}

const reasonOf = (code: string): string => (isReasonCode(code) ? REASON_CATALOGUE[code][1] : code);
