import type { ReadStatus } from '@launch/contracts/index';
import { Link } from 'react-router';
import { Notice } from './status.js';
import { Moment } from './values.js';

/** Says how current a list of the index is: one quiet line while it is, a notice at the top while it is not. */
export function Freshness({ status, updatedAt }: { status: ReadStatus; updatedAt: string | null }) {
  const updated = updatedAt === null ? 'It has no data yet.' : <LastUpdate at={updatedAt} />;
  if (status === 'ok')
    return (
      <p className="text-sm text-muted">
        <span className="text-good">The index is current.</span> {updated}
      </p>
    );
  return status === 'stale' ? (
    <Notice tone="caution" title="This list is behind the chain">
      New coins, prices and finality may be missing: at least one source was not confirmed for some minutes or makes no
      progress. {updated} <StatusLink />
    </Notice>
  ) : (
    <Notice tone="caution" title="This list may be incomplete">
      The index could not read part of a chain, so coins may be missing. A coin that is not here may exist. {updated}{' '}
      <StatusLink />
    </Notice>
  );
}

const LastUpdate = ({ at }: { at: string }) => (
  <>
    Last update <Moment at={at} />.
  </>
);
const StatusLink = () => <Link to="/status">See the state of each source.</Link>;
