import { getIndexStatus, type ValueOf } from '@launch/sdk/operations';
import { data, Link, useLoaderData, type LoaderFunctionArgs, type MetaFunction } from 'react-router';
import { CHAIN_NAMES } from '../../site/chains.js';
import { readPublic, type Read } from '../../site/gateway.js';
import { sourceName } from '../../site/source-names.js';
import { shortened } from '../../site/units.js';
import { ButtonLink } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { Freshness } from '../../ui/freshness.js';
import { PageHeader, Section } from '../../ui/page.js';
import { ScrollTable } from '../../ui/scroll-table.js';
import { Badge, Empty, Unread } from '../../ui/status.js';
import { Untrusted } from '../../ui/untrusted.js';
import { Hex } from '../../ui/values.js';
import { familiesOf, readNewest, type FamilyCoins } from './family-coins.js';
import { RELEASE_STATUS } from './release-status.js';

export const meta: MetaFunction = () => [
  { title: 'Modules and releases · Custom Launch' },
  { name: 'description', content: 'The module families that coins use, and the launch contracts that made them.' },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const [coins, status] = await Promise.all([readNewest(context.api), readPublic(context.api, getIndexStatus, {})]);
  return data({ coins, status }, { status: coins.is === 'value' && status.is === 'value' ? 200 : 503 });
}

/** The places from which a visitor finds a family or a release without knowing its id. */
export default function ModulesPage() {
  const { coins, status } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title="Modules and releases" actions={<ButtonLink to="/author">Your own modules</ButtonLink>}>
        A coin is made by a launch contract, of which there are several releases. Some launches add modules: reusable
        parts with rules of their own, such as a fee.
      </PageHeader>
      {coins.is === 'value' && coins.value.status !== 'ok' && <Freshness {...coins.value} />}
      <Section
        id="families"
        title="Module families"
        intro="All versions of a module by one author are a family. The chain records a family as a hash; the service publishes no names."
      >
        {coins.is === 'value' ? <Families found={coins.value} /> : <Unread read={coins} subject="the list of coins" />}
      </Section>
      <Section
        id="releases"
        title="Releases"
        intro="A release is one deployment of launch contracts. Its page has the addresses and code hashes to compare."
      >
        <Releases read={status} />
      </Section>
    </>
  );
}

function Families({ found: { coins, searched, status } }: { found: FamilyCoins }) {
  const families = familiesOf(coins);
  if (families.length === 0)
    return (
      <Empty title="No coin with a module has been launched yet.">
        {status !== 'ok' && 'The index is not current, so a new coin may be missing.'}
      </Empty>
    );
  return (
    <>
      <ScrollTable caption="Module families" columns={['Family', 'Coins', 'Newest coin']}>
        {families.map(({ familyId, coins: [newest, ...others] }) => (
          <tr key={familyId}>
            <th scope="row" className="whitespace-nowrap">
              <Link to={`/modules/${familyId}`} title={familyId} className="underline">
                <code>{shortened(familyId)}</code>
              </Link>{' '}
              <CopyButton value={familyId} label={`the family ${shortened(familyId)}`} />
            </th>
            <td className="tabular-nums">{others.length + 1}</td>
            <td>
              <Link to={`/coins/${newest!.chainId}/${newest!.tokenAddress}`} className="underline">
                <Untrusted text={newest!.name} absent="No name" short />
              </Link>{' '}
              <span className="whitespace-nowrap text-muted">on {CHAIN_NAMES[newest!.chainId]}</span>
            </td>
          </tr>
        ))}
      </ScrollTable>
      {searched.of > searched.to && (
        <p className="mt-2 text-sm text-muted">
          Counted among the newest {searched.to.toLocaleString('en-US')} of {searched.of.toLocaleString('en-US')} coins
          with modules.
        </p>
      )}
    </>
  );
}

function Releases({ read }: { read: Read<ValueOf<'getIndexStatus', 200>> }) {
  if (read.is !== 'value') return <Unread read={read} subject="the releases" />;
  const { sources } = read.value;
  if (sources.length === 0)
    return <Empty title="The index follows no release.">The operator has not bound a launch contract to it.</Empty>;
  return (
    <ScrollTable caption="Releases" columns={['Release', 'Chain', 'New launches', 'Launch contract']}>
      {sources.map(({ releaseDigest, sourceVersion, factoryVersion, chainId, status, address }) => (
        <tr key={releaseDigest}>
          <th scope="row" className="min-w-44">
            <Link to={`/releases/${releaseDigest}`} className="inline-block min-h-6 underline">
              {sourceName(sourceVersion, factoryVersion)}
            </Link>
          </th>
          <td className="whitespace-nowrap">{CHAIN_NAMES[chainId]}</td>
          <td>
            <Badge tone={RELEASE_STATUS[status][0]} title={RELEASE_STATUS[status][2]}>
              {RELEASE_STATUS[status][1]}
            </Badge>
          </td>
          <td className="whitespace-nowrap">
            <Hex value={address} kind="address" chainId={chainId} label={`the address ${shortened(address)}`} />
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}
