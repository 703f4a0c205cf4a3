import { useRef } from 'react';
import { Link, useParams, type MetaFunction } from 'react-router';
import { RequireSession } from '../../session/require-session.js';
import type { LaunchClients } from '../../session/session-clients.js';
import { useSession } from '../../session/session.js';
import { usePolled } from '../../site/use-polled.js';
import { OwnerReadFailure } from '../../ui/owner-failure.js';
import { PageHeader } from '../../ui/page.js';
import { Loading } from '../../ui/status.js';
import { Moment } from '../../ui/values.js';
import { findOwned, pauseAfter, readOwned, readRequestOf } from './find-owned.js';
import { requestOf } from './findings.js';
import { factsOf, type LaunchFacts, type LaunchKind } from './launch-facts.js';
import { LaunchView, type ReadRequest } from './launch-view.js';

export const meta: MetaFunction = () => [{ title: 'Launch · Custom Launch' }];

export default function LaunchPage() {
  const { launchId = '' } = useParams();
  return (
    <>
      <PageHeader title="Launch" parent={['/launches', 'My launches']}>
        Your next step, and the progress of the launch until it is final.
      </PageHeader>
      <RequireSession purpose="launches">
        {(clients) => <OwnLaunch key={launchId} clients={clients} launchId={launchId} />}
      </RequireSession>
    </>
  );
}

function OwnLaunch({ clients, launchId }: { clients: LaunchClients; launchId: string }) {
  const { owner } = useSession();
  const kind = useRef<LaunchKind | null>(null);
  const polled = usePolled(
    `${owner} ${launchId}`,
    async () => {
      const owned =
        kind.current === null ? await findOwned(clients, launchId) : await readOwned(clients, kind.current, launchId);
      kind.current = owned.kind;
      return factsOf(owned);
    },
    pauseAfter,
  );
  const { value, failure, readAt, readNow } = polled;
  return (
    <>
      {failure !== null && (
        <div className="mb-4">
          <OwnerReadFailure
            failure={failure}
            subject="this launch"
            readAt={readAt}
            onRetry={readNow}
            absent={
              <p>
                Check the address, or sign in with the wallet that created the launch.{' '}
                <Link to="/launches">My launches</Link> lists those of this account.
              </p>
            }
          />
        </div>
      )}
      {value === null && failure === null && <Loading label="Reading the launch" />}
      {value !== null && (
        <>
          <WithRequest clients={clients} facts={value} />
          {readAt !== null && (
            <p className="mt-6 text-sm text-muted">
              Last read <Moment at={new Date(readAt).toISOString()} />.{' '}
              {value.end === null
                ? 'The page reads again by itself while it is visible.'
                : 'The launch changes no more, so the page reads no more.'}
            </p>
          )}
        </>
      )}
    </>
  );
}

const needsRequest = ({ findings, inclusion }: LaunchFacts): boolean => findings.length > 0 || inclusion !== null;

/** Reads the request once, when the page shows a part of it: it never changes. */
function WithRequest({ clients, facts }: { clients: LaunchClients; facts: LaunchFacts }) {
  const isNeeded = needsRequest(facts);
  const { value, failure } = usePolled(
    `${facts.requestSha256} ${isNeeded}`,
    async () => (isNeeded ? { request: requestOf(await readRequestOf(clients, facts)) } : null),
    () => null,
  );
  const request: ReadRequest =
    value !== null
      ? { is: 'read', ...value }
      : failure === null
        ? { is: 'unread' }
        : { is: 'failed', message: failure.message };
  return <LaunchView facts={facts} request={request} />;
}
