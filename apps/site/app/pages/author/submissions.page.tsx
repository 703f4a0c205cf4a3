import { getModuleReview, listModuleSubmissions } from '@launch/sdk/operations';
import { useState } from 'react';
import type { MetaFunction } from 'react-router';
import { RequireSession } from '../../session/require-session.js';
import type { ModuleClients } from '../../session/session-clients.js';
import { useSession } from '../../session/session.js';
import { ownerFailureOf, valueOf, type OwnerFailure } from '../../site/owner-read.js';
import { usePolled } from '../../site/use-polled.js';
import { Button } from '../../ui/button.js';
import { OwnerReadFailure } from '../../ui/owner-failure.js';
import { PageHeader } from '../../ui/page.js';
import { Badge, Loading } from '../../ui/status.js';
import { reviewWords } from './review-words.js';
import { NoSubmissions, SubmissionsView, type Receipt } from './submissions-view.js';

export const meta: MetaFunction = () => [{ title: 'My modules · Custom Launch' }];

export default function SubmissionsPage() {
  return (
    <>
      <PageHeader title="My modules">
        Every module that your wallet submitted for review, with its state and your next step.
      </PageHeader>
      <RequireSession purpose="modules">{(clients) => <OwnSubmissions clients={clients} />}</RequireSession>
    </>
  );
}

interface ReadReceipts {
  readonly items: readonly Receipt[];
  readonly nextCursor: string | null;
}

async function readPage({ api }: ModuleClients, cursor: string | null): Promise<ReadReceipts> {
  const query = cursor === null ? {} : { cursor };
  return valueOf(await api.call(listModuleSubmissions, { query }));
}

function OwnSubmissions({ clients }: { clients: ModuleClients }) {
  const { owner } = useSession();
  const first = usePolled(
    owner ?? '',
    () => readPage(clients, null),
    () => null,
  );
  const [older, setOlder] = useState<ReadReceipts | null>(null);
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<OwnerFailure | null>(null);
  const list = older ?? first.value;
  if (list === null)
    return first.failure === null ? (
      <Loading label="Reading your submissions" />
    ) : (
      <OwnerReadFailure
        {...first}
        failure={first.failure}
        subject="your modules"
        absent={null}
        onRetry={first.readNow}
      />
    );
  if (list.items.length === 0) return <NoSubmissions />;

  const readMore = (): void => {
    setReading(true);
    setFailure(null);
    void readPage(clients, list.nextCursor)
      .then(({ items, nextCursor }) => setOlder({ items: [...list.items, ...items], nextCursor }))
      .catch((error: unknown) => setFailure(ownerFailureOf(error)))
      .finally(() => setReading(false));
  };
  return (
    <>
      <SubmissionsView
        receipts={list.items}
        reviewOf={(submissionId) => <ListedReview clients={clients} submissionId={submissionId} />}
      />
      {failure !== null && (
        <div className="mt-4">
          <OwnerReadFailure
            failure={failure}
            subject="older submissions"
            readAt={null}
            absent={null}
            onRetry={readMore}
          />
        </div>
      )}
      {list.nextCursor !== null && (
        <div className="mt-4">
          <Button onClick={readMore} isBusy={isReading}>
            Show older submissions
          </Button>
        </div>
      )}
    </>
  );
}

/** The state of one review and its author's next step, read once. */
function ListedReview({ clients: { api }, submissionId }: { clients: ModuleClients; submissionId: string }) {
  const { value, failure } = usePolled(
    submissionId,
    async () => valueOf(await api.call(getModuleReview, { path: { submissionId } })),
    () => null,
  );
  if (value === null)
    return (
      <p className="mt-2 text-sm text-muted">
        {failure === null
          ? 'Reading the review'
          : 'The site could not read the review. Open the submission to try again.'}
      </p>
    );
  const { name, tone, next } = reviewWords(value.review.state);
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <Badge tone={tone}>{name}</Badge> {next}
    </p>
  );
}
