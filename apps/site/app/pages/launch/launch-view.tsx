import { Link } from 'react-router';
import { useNow, useSettings } from '../../site/site-data.js';
import { ButtonLink } from '../../ui/button.js';
import { CodeBlock } from '../../ui/copy.js';
import { Finding, SourceLines } from '../../ui/finding.js';
import { Card, Fact, Facts, Section } from '../../ui/page.js';
import { Badge, Notice } from '../../ui/status.js';
import { Timeline } from '../../ui/timeline.js';
import { Untrusted } from '../../ui/untrusted.js';
import { Hex, Moment } from '../../ui/values.js';
import { placeOf, tokenOf, type FindingPlace } from './findings.js';
import { KIND_NAMES, type LaunchFacts, type LaunchFinding } from './launch-facts.js';
import { nextStepOf, reasonOf } from './next-step.js';
import { statusWords } from './status-words.js';
import { statusSentence, timelineOf } from './timeline.js';

/** The request of a launch, as far as the page has read it. */
export type ReadRequest =
  | { readonly is: 'unread' }
  | { readonly is: 'failed'; readonly message: string }
  | { readonly is: 'read'; readonly request: unknown };

/** Everything about one launch of the owner. */
export function LaunchView({ facts, request }: { facts: LaunchFacts; request: ReadRequest }) {
  const { name, tone } = statusWords(facts);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={tone} title={`The service's name of the status: ${facts.status}`}>
          {name}
        </Badge>
        <span className="text-sm text-muted">{KIND_NAMES[facts.kind]}</span>
        <span className="text-sm text-muted">
          changed <Moment at={facts.updatedAt} />
        </span>
      </div>
      <p className="sr-only" aria-live="polite">
        {name}. {statusSentence(facts)}
      </p>
      <Next facts={facts} />
      {facts.findings.length > 0 && <Findings findings={facts.findings} request={request} />}
      <Section id="timeline" title="Progress">
        <Timeline
          label="Stages of the launch"
          items={timelineOf(facts).map((entry) => ({ ...entry, key: entry.stage }))}
        />
      </Section>
      <Record facts={facts} request={request} />
    </>
  );
}

function Next({ facts }: { facts: LaunchFacts }) {
  const now = useNow();
  const { sentence, action } = nextStepOf(facts, now);
  const reasonCode = facts.reason ?? facts.failure?.code ?? null;
  // A finding with the same code says more.
  const isFound = facts.findings.some(({ code }) => code === reasonCode);
  const reason = reasonCode === null || isFound ? null : reasonOf(reasonCode);
  return (
    <Section id="next-step" title="Your next step">
      <Card>
        <p className="max-w-[65ch] font-medium">{sentence}</p>
        {facts.waitsFor === 'wallet' && (
          <p className="mt-1 text-sm text-muted">
            The permit window ends <Moment at={facts.expiresAt} />.
          </p>
        )}
        {action?.is === 'page' && (
          <div className="mt-3">
            <ButtonLink to={action.to} look="primary">
              {action.label}
            </ButtonLink>
          </div>
        )}
        {action?.is === 'command' && (
          <div className="mt-3">
            <CodeBlock code={action.command} label="the next command" />
          </div>
        )}
      </Card>
      {reason !== null && (
        <div className="mt-3">
          <Notice tone={facts.end === null ? 'caution' : 'bad'} title={reason.message}>
            {reason.remedy !== null && <p>{reason.remedy}</p>}
            <p className="text-muted">
              Code <code>{reasonCode}</code>
            </p>
          </Notice>
        </div>
      )}
    </Section>
  );
}

function Findings({ findings, request }: { findings: readonly LaunchFinding[]; request: ReadRequest }) {
  const count = findings.length === 1 ? 'One finding' : `${findings.length} findings`;
  return (
    <Section
      id="findings"
      title={count}
      intro={`Correct ${findings.length === 1 ? 'it' : 'all of them'} before you pack again. The lines are of the request that the service received.`}
    >
      {request.is === 'unread' && (
        <p role="status" className="mb-3 text-sm text-muted">
          Reading the request for the source lines.
        </p>
      )}
      {request.is === 'failed' && (
        <div className="mb-3">
          <Notice tone="caution" title="The source lines are not shown.">
            The site could not read the request: {request.message}
          </Notice>
        </div>
      )}
      <ol className="grid grid-cols-1 gap-3">
        {findings.map((finding, index) => (
          <li key={`${index}-${finding.code}-${finding.path}`}>
            <Finding
              {...finding}
              remedy={finding.remediation.detail}
              place={request.is === 'read' ? <Place place={placeOf(finding, request.request)} /> : undefined}
            />
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Place({ place }: { place: FindingPlace | null }) {
  switch (place?.is) {
    case 'lines':
      return <SourceLines {...place.excerpt} />;
    case 'file':
      return (
        <p className="mt-2 text-sm">
          File{' '}
          <code className="break-all">
            <Untrusted text={place.file} absent="without a name" />
          </code>
        </p>
      );
    case 'value':
      return (
        <p className="mt-2 text-sm">
          Your request has{' '}
          <code className="break-all">
            <Untrusted text={place.text} absent="nothing" />
          </code>{' '}
          here.
        </p>
      );
    default:
      return null;
  }
}

/** The facts of the launch and, once they exist, its places on both chains. */
function Record({ facts, request }: { facts: LaunchFacts; request: ReadRequest }) {
  const { gatewayUrl } = useSettings();
  const { inclusion, posting, checkpoint, transactions } = facts;
  const token = request.is === 'read' && inclusion !== null ? tokenOf(request.request) : null;
  const named = transactions.filter(({ hash }) => hash !== inclusion?.transactionHash);
  return (
    <Section id="record" title={facts.end === 'finalized' ? 'The final record' : 'Facts'}>
      <Card>
        <Facts>
          {token !== null && (
            <Fact term="Coin">
              <Link to={`/coins/4663/${token}`}>Open the page of the coin, with its evidence</Link>
            </Fact>
          )}
          {inclusion !== null && (
            <Fact term="Transaction">
              <Hex value={inclusion.transactionHash} kind="tx" chainId={4663} label="the transaction of the launch" />
            </Fact>
          )}
          {inclusion !== null && (
            <Fact term="Block of chain 4663">
              <Hex value={inclusion.blockHash} kind="block" chainId={4663} label="the hash of the block" /> number{' '}
              {inclusion.blockNumber}
            </Fact>
          )}
          {named.map(({ hash, is }) => (
            <Fact key={hash} term={`Transaction, ${is}`}>
              <Hex value={hash} kind="tx" chainId={4663} label="a transaction" />
            </Fact>
          ))}
          {posting !== null && (
            <Fact term="Batch on Ethereum">
              <Hex value={posting.batchTransactionHash} kind="tx" chainId={1} label="the transaction of the batch" />
            </Fact>
          )}
          {checkpoint !== null && (
            <Fact term="Final at Ethereum block">
              <Hex value={checkpoint.blockHash} kind="block" chainId={1} label="the hash of the checkpoint" /> number{' '}
              {checkpoint.blockNumber}
            </Fact>
          )}
          {facts.end === 'finalized' && (
            <Fact term="Public record">
              <a href={`${gatewayUrl}${recordPath(facts)}`}>Read it as JSON from the service</a>
            </Fact>
          )}
          <Fact term="Launch id">
            <Hex value={facts.id} label="the launch id" />
          </Fact>
          <Fact term="Wallet of the launch">
            <Hex value={facts.launchWallet} kind="address" chainId={4663} label="the wallet of the launch" />
          </Fact>
          <Fact term="Digest of the request">
            <Hex value={facts.requestSha256} label="the digest of the request" />
          </Fact>
          {facts.end === null && (
            <Fact term="Permit window ends">
              <Moment at={facts.expiresAt} />
            </Fact>
          )}
        </Facts>
      </Card>
    </Section>
  );
}

const BASE = '/v4/chains/4663';
const recordPath = ({ kind, onchainLaunchId }: LaunchFacts): string =>
  kind === 'multi-role' && onchainLaunchId !== null
    ? `${BASE}/multi-role-custom-launches/finalized/${onchainLaunchId}`
    : `${BASE}/finalized-custom-launches`;
