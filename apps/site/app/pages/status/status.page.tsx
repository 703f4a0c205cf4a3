import {
  getDiscovery,
  getFinalityReadiness,
  getHealth,
  getIndexStatus,
  getLaunchReadiness,
  getModuleCapabilities,
  getModuleReviewCapabilities,
} from '@launch/sdk/operations';
import { useLoaderData, useRouteError, type LoaderFunctionArgs, type MetaFunction } from 'react-router';
import { readPublic, type Read } from '../../site/gateway.js';
import { useSettings } from '../../site/site-data.js';
import { Card, Fact, Facts, PageHeader, Section } from '../../ui/page.js';
import { Badge, Notice, Unread } from '../../ui/status.js';
import { Moment } from '../../ui/values.js';
import { ChainLags, IndexSources } from './index-sources.js';
import { Reasons } from '../../ui/reasons.js';
import { agreementsOf, gatesOf, summaryOf, type Agreement, type Gate, type ServiceReads } from './service-state.js';
import { Updates } from './updates.js';

export const meta: MetaFunction = () => [
  { title: 'Status of the service · Custom Launch' },
  { name: 'description', content: 'Whether new launches are open, how current the list of coins is, and why.' },
];

export async function loader({ context: { api } }: LoaderFunctionArgs) {
  const [health, discovery, readiness, finality, index, modules, review] = await Promise.all([
    readPublic(api, getHealth, {}),
    readPublic(api, getDiscovery, {}),
    readPublic(api, getLaunchReadiness, {}),
    readPublic(api, getFinalityReadiness, {}),
    readPublic(api, getIndexStatus, {}),
    readPublic(api, getModuleCapabilities, {}),
    readPublic(api, getModuleReviewCapabilities, {}),
  ]);
  const reads: ServiceReads = { health, discovery, readiness, finality, index, modules, review };
  return { reads, readAt: new Date().toISOString() };
}

export default function StatusPage() {
  const { reads, readAt } = useLoaderData<typeof loader>();
  const summary = summaryOf(reads);
  return (
    <>
      <PageHeader title="Status of the service" actions={<Updates readAt={readAt} />} />
      <Notice tone={summary.tone} title={summary.says} />
      <NewLaunches reads={reads} />
      <Coins reads={reads} />
      <FinalLaunches reads={reads} />
      <Providers reads={reads} />
      <Modules reads={reads} />
      <Evidence reads={reads} />
    </>
  );
}

/** Shown when a repeated read of the page itself fails. */
export function ErrorBoundary() {
  const error = useRouteError();
  return (
    <>
      <PageHeader title="Status of the service" />
      <Notice tone="bad" title="The site did not answer, so the status of the service is unknown.">
        <p>{error instanceof Error ? error.message : 'Try again later.'}</p>
        <p className="mt-2">
          <a href="/status">Read again</a>
        </p>
      </Notice>
    </>
  );
}

const NewLaunches = ({ reads }: { reads: ServiceReads }) => (
  <Section
    id="launches"
    title="New launches"
    intro="A new custom launch needs all three gates open and a service that is ready. Coins that exist do not depend on them."
  >
    {reads.readiness.is === 'value' ? (
      <div className="grid gap-3">
        <ul className="grid gap-3 md:grid-cols-3">
          {gatesOf(reads).map((gate) => (
            <GateCard key={gate.name} gate={gate} />
          ))}
        </ul>
        <Card>
          <p className="mb-2">
            <Badge tone={reads.readiness.value.status === 'ready' ? 'good' : 'caution'}>
              {reads.readiness.value.status === 'ready' ? 'Ready' : 'Not ready'}
            </Badge>
          </p>
          <Reasons
            codes={reads.readiness.value.reasonCodes}
            none="The service names nothing that stops new launches."
          />
        </Card>
      </div>
    ) : (
      <Unread read={reads.readiness} subject="the gates of new launches" />
    )}
  </Section>
);

const GateCard = ({ gate: { name, title, means, isOpen, contradicts } }: { gate: Gate }) => (
  <li>
    <Card className="h-full">
      <p className="flex flex-wrap items-center justify-between gap-2 font-semibold">
        {title} <Badge tone={isOpen ? 'good' : 'caution'}>{isOpen ? 'Open' : 'Closed'}</Badge>
      </p>
      <p className="mt-1 text-sm text-muted">{means}</p>
      <p className="mt-1 text-xs text-muted">
        <code>{name}</code>
      </p>
      {contradicts && (
        <p className="mt-2 text-sm font-medium text-bad">
          The discovery document says the opposite. Treat it as closed.
        </p>
      )}
    </Card>
  </li>
);

const Coins = ({ reads: { index } }: { reads: ServiceReads }) => (
  <Section
    id="index"
    title="List of coins"
    intro="The index reads launch contracts of both chains. It moves on only where two independent providers give the same answer."
  >
    {index.is === 'value' ? (
      <div className="grid gap-4">
        <p className="text-sm text-muted">
          {index.value.updatedAt === null ? (
            'The index has no data yet.'
          ) : (
            <>
              Last update of the index <Moment at={index.value.updatedAt} />.
            </>
          )}
        </p>
        <h3 className="font-semibold">Finality lag of both chains</h3>
        <ChainLags index={index.value} />
        <h3 className="font-semibold">Sources</h3>
        <IndexSources sources={index.value.sources} />
        <p className="max-w-[70ch] text-sm text-muted">
          A withheld event looked like a launch and failed a check, so no coin of it is listed. A hold is a place on the
          chain that the index cannot read or that an operator stopped; coins there may be missing.
        </p>
      </div>
    ) : (
      <Unread read={index} subject="the state of the index" />
    )}
  </Section>
);

const SEARCH = {
  ready: ['good', 'Complete'],
  catching_up: ['caution', 'Catching up'],
  unavailable: ['bad', 'No progress'],
} as const;

function FinalLaunches({ reads: { finality, index } }: { reads: ServiceReads }) {
  return (
    <Section
      id="finality"
      title="Final launches"
      intro="The service searches the final blocks of chain 4663 for launches of its router and proves each of them."
    >
      {finality.is === 'value' ? (
        <Card>
          <Facts>
            <Fact term="Search">
              <Badge tone={SEARCH[finality.value.status][0]}>{SEARCH[finality.value.status][1]}</Badge>
            </Fact>
            <Fact term="Searched through block">{finality.value.recovery?.checkpoint?.blockNumber ?? 'unknown'}</Fact>
            <Fact term="Newest final block">{finality.value.recovery?.head?.blockNumber ?? 'unknown'}</Fact>
            <Fact term="Blocks behind">{finality.value.recovery?.lagBlocks ?? 'unknown'}</Fact>
            <Fact term="Last report">
              {finality.value.recovery === null ? 'none' : <Moment at={finality.value.recovery.reportedAt} />}
            </Fact>
            <Fact term="Reasons">
              <Reasons codes={finality.value.reasonCodes} none="None." />
            </Fact>
            <Fact term="Withheld final records">
              {index.is === 'value'
                ? `${index.value.heldRecords.quarantined} of chain 4663, ${index.value.heldEthereumRecords.quarantined} of Ethereum`
                : 'unknown'}
            </Fact>
          </Facts>
        </Card>
      ) : (
        <Unread read={finality} subject="the search for final launches" />
      )}
    </Section>
  );
}

const AGREEMENT = {
  agree: ['good', 'Agree'],
  differ: ['caution', 'Do not agree'],
  unknown: ['neutral', 'Unknown'],
} as const;

const Providers = ({ reads }: { reads: ServiceReads }) => (
  <Section
    id="providers"
    title="Agreement of the providers"
    intro="Each chain is read through two independent providers. The service publishes no addresses or names of them here, and no separate state of the two providers of Ethereum: the last confirmation in the table above needed both."
  >
    <ul className="grid gap-3 md:grid-cols-2">
      {agreementsOf(reads).map((agreement) => (
        <AgreementCard key={agreement.subject} agreement={agreement} />
      ))}
    </ul>
  </Section>
);

const AgreementCard = ({ agreement: { subject, says, evidence } }: { agreement: Agreement }) => (
  <li>
    <Card className="h-full">
      <p className="flex flex-wrap items-center justify-between gap-2 font-semibold">
        {subject} <Badge tone={AGREEMENT[says][0]}>{AGREEMENT[says][1]}</Badge>
      </p>
      <p className="mt-1 text-sm text-muted">{evidence}</p>
    </Card>
  </li>
);

const Modules = ({ reads: { modules, review } }: { reads: ServiceReads }) => (
  <Section id="modules" title="Modules of authors">
    <Card>
      <Facts>
        <Fact term="New submissions">
          {modules.is === 'value' ? (
            <Open isOpen={modules.value.moduleContributions.submissions} />
          ) : (
            <Unknown read={modules} />
          )}
        </Fact>
        <Fact term="Keys by wallet sign-in">
          {modules.is === 'value' ? <Open isOpen={modules.value.apiKeyIssuance} /> : <Unknown read={modules} />}
        </Fact>
        <Fact term="Review">
          {review.is === 'value' ? <Open isOpen={review.value.reviewAvailable} /> : <Unknown read={review} />}
        </Fact>
      </Facts>
    </Card>
  </Section>
);

const Open = ({ isOpen }: { isOpen: boolean }) => (
  <Badge tone={isOpen ? 'good' : 'caution'}>{isOpen ? 'Open' : 'Closed'}</Badge>
);

const Unknown = ({ read }: { read: Exclude<Read<unknown>, { is: 'value' }> }) => (
  <span>
    <Badge>Unknown</Badge> <span className="text-sm text-muted">{read.message}</span>
  </span>
);

const ROUTES = [
  ['health', '/healthz', 'Health of the gateway'],
  ['discovery', '/.well-known/custom-launch.json', 'Discovery document'],
  ['readiness', '/v4/chains/4663/readiness', 'Readiness of new launches'],
  ['finality', '/v4/chains/4663/multi-role-custom-launches/derived-finality-v3/readiness', 'Search for final launches'],
  ['index', '/api/v2/status', 'Status of the index'],
  ['modules', '/v1/modules/capabilities', 'Capabilities for modules'],
  ['review', '/v1/modules/review-capabilities', 'Capabilities of the review'],
] as const;

function Evidence({ reads }: { reads: ServiceReads }) {
  const { gatewayUrl } = useSettings();
  return (
    <Section id="evidence" title="Evidence" intro="The answers that this page is made from.">
      <ul className="grid gap-2 text-sm">
        {ROUTES.map(([name, path, title]) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Badge tone={reads[name].is === 'value' ? 'good' : 'bad'}>
              {reads[name].is === 'value' ? 'Answers' : 'No answer'}
            </Badge>
            <a href={`${gatewayUrl}${path}`} className="inline-flex min-h-6 items-center underline">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
