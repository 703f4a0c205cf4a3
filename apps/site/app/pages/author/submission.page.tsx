import { isReviewEnd } from '@launch/contracts/states';
import { getModuleReview, getModuleSubmission } from '@launch/sdk/operations';
import { Link, useParams, type MetaFunction } from 'react-router';
import { RequireSession } from '../../session/require-session.js';
import type { ModuleClients } from '../../session/session-clients.js';
import { useSession } from '../../session/session.js';
import { valueOf } from '../../site/owner-read.js';
import { usePolled } from '../../site/use-polled.js';
import { OwnerReadFailure } from '../../ui/owner-failure.js';
import { PageHeader } from '../../ui/page.js';
import { Loading } from '../../ui/status.js';
import { pauseAfterReview } from './review-words.js';
import { SubmissionView } from './submission-view.js';

export const meta: MetaFunction = () => [{ title: 'Submission · Custom Launch' }];

export default function SubmissionPage() {
  const { submissionId = '' } = useParams();
  return (
    <>
      <PageHeader title="Module submission" parent={['/author', 'My modules']}>
        Your next step, the state of the review, and the receipt.
      </PageHeader>
      <RequireSession purpose="modules">
        {(clients) => <OwnSubmission key={submissionId} clients={clients} submissionId={submissionId} />}
      </RequireSession>
    </>
  );
}

function OwnSubmission({ clients: { api }, submissionId }: { clients: ModuleClients; submissionId: string }) {
  const { owner } = useSession();
  const subject = `${owner} ${submissionId}`;
  const path = { submissionId };
  const receipt = usePolled(
    subject,
    async () => valueOf(await api.call(getModuleSubmission, { path })),
    () => null,
  );
  // The review has an outage of its own: the receipt is shown without it.
  const review = usePolled(
    subject,
    async () => valueOf(await api.call(getModuleReview, { path })),
    ({ review: { state } }) => pauseAfterReview(state, isReviewEnd(state)),
  );
  if (receipt.value === null)
    return receipt.failure === null ? (
      <Loading label="Reading the submission" />
    ) : (
      <OwnerReadFailure
        {...receipt}
        failure={receipt.failure}
        subject="this submission"
        onRetry={receipt.readNow}
        absent={
          <p>
            Check the address, or sign in with the wallet of its author. <Link to="/author">My modules</Link> lists
            those of this account.
          </p>
        }
      />
    );
  return (
    <>
      {review.failure !== null && (
        <OwnerReadFailure
          {...review}
          failure={review.failure}
          subject="the review"
          onRetry={review.readNow}
          absent="The review has not begun."
        />
      )}
      {review.value === null && review.failure === null && <Loading label="Reading the review" />}
      <SubmissionView receipt={receipt.value} review={review.value} />
    </>
  );
}
