import { data, useLoaderData, type LoaderFunctionArgs, type MetaFunction } from 'react-router';
import { CHAIN_NAMES } from '../../site/chains.js';
import type { Read } from '../../site/gateway.js';
import { useSettings } from '../../site/site-data.js';
import { sourceName } from '../../site/source-names.js';
import { humanBasisPoints, shortened } from '../../site/units.js';
import { ButtonLink } from '../../ui/button.js';
import { Card, Fact, Facts, PageHeader, Section } from '../../ui/page.js';
import { Reasons } from '../../ui/reasons.js';
import { ScrollTable } from '../../ui/scroll-table.js';
import { Badge, Empty, Notice, Unread } from '../../ui/status.js';
import { Hex, Moment } from '../../ui/values.js';
import {
  contractsOf,
  failedRead,
  readRelease,
  releaseDigestOf,
  releaseFacts,
  type Availability,
  type ReleaseFacts,
  type ReleaseReads,
  type SourceState,
} from './release-facts.js';
import { RELEASE_STATUS } from './release-status.js';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: `${loaded?.digest ? `Release ${shortened(loaded.digest)}` : 'Release'} · Custom Launch` },
  { name: 'description', content: 'A release of launch contracts: its addresses, code hashes and state.' },
];

export async function loader({ params, context }: LoaderFunctionArgs) {
  const digest = releaseDigestOf(params['releaseDigest']);
  if (digest === null) return data({ digest, reads: null }, { status: 400 });
  const reads = await readRelease(context.api, digest);
  const isKnown = releaseFacts(reads, digest) !== null;
  return data({ digest, reads }, { status: isKnown ? 200 : failedRead(reads) === null ? 404 : 503 });
}

export default function ReleasePage() {
  const { digest, reads } = useLoaderData<typeof loader>();
  if (digest === null || reads === null)
    return (
      <>
        <PageHeader title="Release" />
        <Notice tone="bad" title="This address names no release">
          <p>
            A release is <code>sha256:</code> and 64 letters and digits from 0 to f.
          </p>
          <p className="mt-3">
            <ButtonLink to="/modules#releases">Releases that the service follows</ButtonLink>
          </p>
        </Notice>
      </>
    );
  const facts = releaseFacts(reads, digest);
  if (facts === null) return <Unknown reads={reads} digest={digest} />;
  return (
    <>
      <PageHeader title={nameOf(facts)} parent={['/modules', 'Modules and releases']}>
        A release is one deployment of launch contracts, named by the hash of its exact description. Its coins keep it
        for ever.
      </PageHeader>
      <About facts={facts} digest={digest} />
      {reads.availability !== null && <CodeAtFactory read={reads.availability} />}
      <Contracts facts={facts} />
      <InIndex facts={facts} reads={reads} />
      <NotPublished />
    </>
  );
}

function Unknown({ reads, digest }: { reads: ReleaseReads; digest: string }) {
  const failed = failedRead(reads);
  return (
    <>
      <PageHeader title={`Release ${shortened(digest)}`} />
      {failed === null ? (
        <Empty title="The service publishes no release with this digest.">
          <p>It follows no such contract, and no coin that it lists comes from one.</p>
          <p className="mt-3">
            <ButtonLink to="/modules#releases">Releases that the service follows</ButtonLink>
          </p>
        </Empty>
      ) : (
        <Unread read={failed} subject="the release" />
      )}
    </>
  );
}

function nameOf({ deployment, foundation, source }: ReleaseFacts): string {
  if (foundation !== null) return `Foundation ${foundation.factoryVersion} on ${CHAIN_NAMES[foundation.chainId]}`;
  const known = deployment ?? source!;
  return `${sourceName(known.sourceVersion, known.factoryVersion)} on ${CHAIN_NAMES[known.chainId]}`;
}

function About({
  facts: { deployment, foundation, details, source },
  digest,
}: {
  facts: ReleaseFacts;
  digest: string;
}) {
  const status = foundation?.status ?? deployment?.status ?? source?.status ?? null;
  const described = deployment ?? foundation;
  const { gatewayUrl } = useSettings();
  const abi = deployment ?? details;
  return (
    <Card>
      <Facts>
        <Fact term="New launches">
          {status === null ? (
            'unknown'
          ) : (
            <>
              <Badge tone={RELEASE_STATUS[status][0]}>{RELEASE_STATUS[status][1]}</Badge>{' '}
              <span className="text-sm text-muted">{RELEASE_STATUS[status][2]}</span>
            </>
          )}
        </Fact>
        <Fact term="Platform fee">
          {foundation === null ? (
            'Not published for this kind of release. The page of a coin has what is proven about its fees.'
          ) : (
            <>{humanBasisPoints(foundation.platformFeeBps)} of each trade, fixed by the factory</>
          )}
        </Fact>
        <Fact term="Blocks">
          {described === null
            ? 'unknown'
            : `from ${described.startBlock} ${described.endBlock === null ? 'on' : `to ${described.endBlock}`}`}
        </Fact>
        <Fact term="Digest">
          <Hex value={digest} label="digest of the release" />
        </Fact>
        <Fact term="Source commit">
          {described === null ? 'unknown' : <Hex value={described.sourceCommit} label="source commit" />}
        </Fact>
        <Fact term="ABI">
          {abi === null ? (
            'unknown'
          ) : (
            <span className="inline-flex flex-wrap items-center gap-2">
              <a href={`${gatewayUrl}${abi.abiUrl}`}>the exact bytes</a>
              <Hex value={abi.abiSha256} label="digest of the ABI" />
            </span>
          )}
        </Fact>
      </Facts>
    </Card>
  );
}

const AVAILABILITY = {
  AVAILABLE: ['good', 'The factory has the code of the release'],
  UNAVAILABLE: ['bad', 'The factory does not have the code of the release'],
  INDETERMINATE: ['caution', 'Unknown'],
} as const;

const CodeAtFactory = ({ read }: { read: Read<Availability> }) => (
  <Section
    id="availability"
    title="Code on the chain"
    intro="Both providers of the chain are asked for the code at the factory's address, and each answer is compared with the release."
  >
    {read.is === 'value' ? (
      <Card>
        <p className="mb-2 flex flex-wrap items-center gap-2">
          <Badge tone={AVAILABILITY[read.value.availability][0]}>{AVAILABILITY[read.value.availability][1]}</Badge>
          <span className="text-sm text-muted">
            checked <Moment at={read.value.checkedAt} />
          </span>
        </p>
        <Reasons codes={read.value.reasons} none="No provider contradicts it." />
        <details className="mt-3">
          <summary className="cursor-pointer text-sm font-medium">Answers of the providers</summary>
          <div className="mt-2">
            <Facts>
              {read.value.observers.map(({ id, runtimeCodeHash }) => (
                <Fact key={id} term={id}>
                  {runtimeCodeHash === null ? (
                    'no code, or no answer'
                  ) : (
                    <Hex value={runtimeCodeHash} label={`code hash from ${id}`} />
                  )}
                </Fact>
              ))}
            </Facts>
          </div>
        </details>
      </Card>
    ) : (
      <Unread read={read} subject="the code at the factory" />
    )}
  </Section>
);

const words = (name: string): string => name.replaceAll(/([A-Z])/g, ' $1').toLowerCase();

function Contracts({ facts }: { facts: ReleaseFacts }) {
  const { chainId } = (facts.deployment ?? facts.foundation ?? facts.source)!;
  return (
    <Section
      id="contracts"
      title="Contracts"
      intro="The code hash is the keccak-256 of the code at the address. You can compare it with any node of the chain."
    >
      <ScrollTable caption="Contracts of the release" columns={['Contract', 'Address', 'Code hash']}>
        {contractsOf(facts).map(({ name, address, codeHash }) => (
          <tr key={name}>
            <th scope="row">{words(name)}</th>
            <td>
              {address === null ? (
                'not published'
              ) : (
                <Hex value={address} kind="address" chainId={chainId} label={`address of the ${words(name)}`} />
              )}
            </td>
            <td>
              {codeHash === null ? 'not published' : <Hex value={codeHash} label={`code hash of the ${words(name)}`} />}
            </td>
          </tr>
        ))}
      </ScrollTable>
    </Section>
  );
}

const InIndex = ({ facts: { source }, reads: { status } }: { facts: ReleaseFacts; reads: ReleaseReads }) => (
  <Section id="index" title="In the index">
    {source !== null ? (
      <IndexState source={source} />
    ) : status.is === 'value' ? (
      <p className="max-w-[70ch] text-muted">
        The index follows no source of its own for this release. On Ethereum, coins of a Foundation release are found
        through the router that stamps them.
      </p>
    ) : (
      <Unread read={status} subject="the state of the release in the index" />
    )}
  </Section>
);

const FRESHNESS = {
  ok: ['good', 'Current'],
  stale: ['caution', 'Behind'],
  indeterminate: ['bad', 'Incomplete'],
} as const;

const IndexState = ({ source }: { source: SourceState }) => (
  <Card>
    <Facts>
      <Fact term="State">
        <Badge tone={FRESHNESS[source.freshness][0]}>{FRESHNESS[source.freshness][1]}</Badge>
      </Fact>
      <Fact term="Blocks read">
        from {source.coverage.from} to {source.coverage.through ?? 'none yet'}
      </Fact>
      <Fact term="Last confirmed">
        {source.checkpoint === null ? 'never' : <Moment at={source.checkpoint.confirmedAt} />}
      </Fact>
      <Fact term="Withheld events">{source.quarantine.total}</Fact>
      <Fact term="Holds">{source.holds.total}</Fact>
    </Facts>
  </Card>
);

const NotPublished = () => (
  <Section id="unpublished" title="What the service does not publish">
    <ul className="grid max-w-[70ch] list-disc gap-1.5 pl-5 text-muted">
      <li>How many coins a release has: its lists have no filter by release.</li>
      <li>Audits of the release. A matching code hash proves which code runs, not that the code is safe.</li>
    </ul>
  </Section>
);
