import { isReasonCode, REASON_CATALOGUE } from '@launch/contracts/errors';
import type { components } from '@launch/sdk/operations';
import { Link } from 'react-router';
import { useSettings } from '../../site/site-data.js';
import { CodeBlock } from '../../ui/copy.js';
import { Finding } from '../../ui/finding.js';
import { Card, Fact, Facts, Section } from '../../ui/page.js';
import { asSentence, Badge } from '../../ui/status.js';
import { Untrusted } from '../../ui/untrusted.js';
import { Hex, Moment } from '../../ui/values.js';
import { reviewCommands, reviewWords } from './review-words.js';
import type { Receipt } from './submissions-view.js';

export type Review = components['schemas']['ModuleReviewStatus'];

const OUTCOMES: Readonly<Record<NonNullable<Review['decision']>['outcome'], string>> = {
  accept: 'Accepted',
  request_changes: 'Changes requested',
  reject: 'Rejected',
};

/** One submission of an author and its review. `review` is null while the service cannot read it. */
export function SubmissionView({ receipt, review }: { receipt: Receipt; review: Review | null }) {
  return (
    <>
      {review !== null && <ReviewState review={review} />}
      {review?.lastError != null && <BuildFinding error={review.lastError} />}
      {review?.decision != null && <Decision decision={review.decision} />}
      <ReceiptFacts receipt={receipt} />
    </>
  );
}

function ReviewState({ review: { review, submissionId } }: { review: Review }) {
  const { gatewayUrl } = useSettings();
  const { name, tone, next } = reviewWords(review.state);
  const commands = reviewCommands(review.state, submissionId, gatewayUrl);
  return (
    <Section id="next-step" title="Your next step">
      <Card>
        <p aria-live="polite" className="flex flex-wrap items-center gap-2">
          <Badge tone={tone} title={`The service's name of the state: ${review.state}`}>
            {name}
          </Badge>
          <span className="font-medium">{next}</span>
        </p>
        <p className="mt-1 text-sm text-muted">
          Changed <Moment at={review.updatedAt} />
          {review.attempt > 0 && `, build ${review.attempt}`}.
        </p>
        {commands !== null && (
          <div className="mt-3">
            <CodeBlock code={commands} label="the commands of a new version" />
          </div>
        )}
      </Card>
    </Section>
  );
}

/** The place of the compiler: a source by its path or by its position in the reviewer's plan, and a span of bytes. */
const PLACE = /^(.*) at (\S+):(\d+)-(\d+)$/s;
const POSITION = /^\/sources\/(\d+)$/;

function BuildFinding({ error: { code, message, at } }: { error: NonNullable<Review['lastError']> }) {
  const place = PLACE.exec(message);
  const position = POSITION.exec(place?.[2] ?? '');
  return (
    <Section id="findings" title="The last build ended with a finding">
      <Finding
        code={code}
        message={asSentence(place?.[1] ?? message)}
        remedy={isReasonCode(code) ? REASON_CATALOGUE[code][2] : null}
        path={place?.[2] ?? ''}
        place={
          <p className="mt-1 text-sm text-muted">
            {position !== null && `Source ${Number(position[1]) + 1} of the reviewer's build plan. `}
            {place !== null && `Bytes ${place[3]} to ${place[4]} of the file. `}
            Ended <Moment at={at} />.
          </p>
        }
      />
    </Section>
  );
}

function Decision({ decision }: { decision: NonNullable<Review['decision']> }) {
  return (
    <Section id="decision" title="The reviewer's decision">
      <Card>
        <Facts>
          <Fact term="Outcome">{OUTCOMES[decision.outcome]}</Fact>
          <Fact term="Reason">
            <Untrusted text={decision.reason} absent="no reason" />
          </Fact>
          <Fact term="Signed by the reviewer">
            <Hex value={decision.reviewerWallet} kind="address" chainId={4663} label="the wallet of the reviewer" />
          </Fact>
          <Fact term="Signed digest (EIP-712)">
            <Hex value={decision.digest} label="the digest of the decision" />
          </Fact>
          <Fact term="Decided">
            <Moment at={decision.decidedAt} />
          </Fact>
          <Fact term="Build that was judged">
            {decision.artifactDigest === null ? (
              'none: the decision is about the sources'
            ) : (
              <Hex value={decision.artifactDigest} label="the digest of the build" />
            )}
          </Fact>
        </Facts>
      </Card>
    </Section>
  );
}

const ReceiptFacts = ({ receipt }: { receipt: Receipt }) => (
  <Section
    id="receipt"
    title="The receipt"
    intro="The receipt proves what the service received. It never changes, also not after the review."
  >
    <Card>
      <Facts>
        <Fact term="Module">
          <Untrusted text={receipt.name} absent="no name" /> <Untrusted text={receipt.version} absent="no version" />
        </Fact>
        <Fact term="Family">
          <Untrusted text={receipt.family} absent="none" />
        </Fact>
        <Fact term="Received">
          <Moment at={receipt.receivedAt} />
        </Fact>
        <Fact term="Files">
          {receipt.fileCount === 1 ? '1 file' : `${receipt.fileCount} files`},{' '}
          {receipt.byteCount.toLocaleString('en-US')} bytes
        </Fact>
        {receipt.supersedes !== null && (
          <Fact term="Supersedes">
            <Link to={`/author/${receipt.supersedes}`}>the earlier submission</Link>
          </Fact>
        )}
        <Fact term="Submission id">
          <Hex value={receipt.submissionId} label="the submission id" />
        </Fact>
        <Fact term="Digest of the request">
          <Hex value={receipt.requestDigest} label="the digest of the request" />
        </Fact>
        <Fact term="Author">
          <Hex value={receipt.author} kind="address" chainId={4663} label="the author" />
        </Fact>
        <Fact term="Wallet that receives rewards">
          <Hex value={receipt.rewardWallet} kind="address" chainId={4663} label="the wallet of rewards" />
        </Fact>
      </Facts>
    </Card>
  </Section>
);
