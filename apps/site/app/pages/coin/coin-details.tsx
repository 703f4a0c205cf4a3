import { Link } from 'react-router';
import type { ShownChain } from '../../site/chains.js';
import { useSettings } from '../../site/site-data.js';
import { sourceName } from '../../site/source-names.js';
import { shortened } from '../../site/units.js';
import { CoinList } from '../../ui/coin-list.js';
import { CopyButton } from '../../ui/copy.js';
import { Card, Fact, Facts } from '../../ui/page.js';
import { ScrollTable } from '../../ui/scroll-table.js';
import { Badge, Empty, Unread } from '../../ui/status.js';
import { Untrusted } from '../../ui/untrusted.js';
import { UntrustedLink } from '../../ui/untrusted-link.js';
import { Hex, Moment } from '../../ui/values.js';
import type { CoinView } from './coin-view.js';
import type { CoinContract } from './components.js';

/** The contracts of a coin with their roles and code hashes. */
export function CoinContracts({ contracts, chainId }: Pick<CoinView, 'contracts' | 'chainId'>) {
  if (contracts.length === 0)
    return <Empty title="Unknown">The list of contracts appears when the launch is final.</Empty>;
  return (
    <ScrollTable caption="Contracts of the coin" columns={['Role', 'Address', 'Code hash at the launch']}>
      {contracts.map((contract) => (
        <tr key={contract.account}>
          <td className="min-w-36">
            <Untrusted text={contract.role} absent="not named by the records" short />
          </td>
          <td className="whitespace-nowrap">
            <Hex value={contract.account} kind="address" chainId={chainId} label="Contract" />
          </td>
          <td className="whitespace-nowrap">
            <CodeHash {...contract} />
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}

function CodeHash({ codeHash, codeDigest, isProven }: CoinContract) {
  if (codeHash !== null)
    return (
      <span className="inline-flex items-center gap-2">
        <Hex value={codeHash} label="Code hash" />
        <Badge tone={isProven ? 'good' : 'neutral'}>{isProven ? 'Proven' : 'Stated'}</Badge>
      </span>
    );
  if (codeDigest === null) return <span className="text-muted">Not read by the index</span>;
  return (
    <span className="inline-flex items-center gap-2 text-muted">
      Only its digest: <Hex value={codeDigest} label="Digest of the code hash" />
    </span>
  );
}

/** The modules of a coin, in recorded order. */
export function CoinModules({ modules }: Pick<CoinView, 'modules'>) {
  if (modules.length === 0) return <p className="text-muted">The record of this coin names no modules.</p>;
  return (
    <ScrollTable caption="Modules of the coin" columns={['Position', 'Family', 'Package']}>
      {modules.map(({ familyId, packageId }, index) => (
        <tr key={index}>
          <td>{index + 1}</td>
          <td>
            <Link to={`/modules/${familyId}`}>
              <code>{`${familyId.slice(0, 10)}…${familyId.slice(-6)}`}</code>
            </Link>
          </td>
          <td>
            {packageId === null ? (
              <span className="text-muted">Known when final</span>
            ) : (
              <Hex value={packageId} label="Package" />
            )}
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}

/** The nine facts about a coin, with the exact value of each. */
export function CoinAxes({ axes }: Pick<CoinView, 'axes'>) {
  if (axes.length === 0) return <Empty title="Unknown">The site could not read the facts about this coin.</Empty>;
  return (
    <Card>
      <Facts>
        {axes.map(({ name, value, meaning }) => (
          <Fact key={name} term={name}>
            {meaning} <code className="text-xs text-muted">{value}</code>
          </Fact>
        ))}
      </Facts>
    </Card>
  );
}

const METADATA_STATES = {
  ok: null,
  absent: 'The token has no metadata.',
  malformed: 'The token has metadata that cannot be read.',
} as const;

/** The texts and links that the coin's creator wrote. */
export function CoinMetadata({ metadata, recordImage, identity }: CoinView) {
  const { gatewayUrl } = useSettings();
  if (metadata === null)
    return (
      <Empty title="Unread">The site could not read the metadata of this coin. Reload the page to try again.</Empty>
    );
  const state = METADATA_STATES[metadata.metadataStatus];
  const { description, imageUrl, links } = metadata;
  return (
    <Card>
      {state !== null && <p className="mb-3 text-muted">{state}</p>}
      <Facts>
        <Fact term="Name">
          <Untrusted text={identity.name} absent="None" />
        </Fact>
        <Fact term="Symbol">
          <Untrusted text={identity.symbol} absent="None" />
        </Fact>
        <Fact term="Description">
          <Lines text={description} />
        </Fact>
        {imageUrl !== null && (
          <Fact term="Image">
            <UntrustedLink url={imageUrl} />
            <p className="text-sm text-muted">The site does not load images of other servers.</p>
          </Fact>
        )}
        {links.map(({ label, url }) => (
          <Fact key={label} term={LINK_NAMES[label]}>
            <UntrustedLink url={url} />
          </Fact>
        ))}
        {recordImage !== null && (
          <Fact term="Image of the launch request">
            <img
              src={`${gatewayUrl}${recordImage.path}`}
              alt="The image that the creator sent with the launch request"
              width={recordImage.width}
              height={recordImage.height}
              loading="lazy"
              className="size-24 rounded-lg border border-line object-contain"
            />
          </Fact>
        )}
      </Facts>
    </Card>
  );
}

/** Text of several lines. Each line is isolated by itself. */
const Lines = ({ text }: { text: string | null }) =>
  (text ?? '').split(LINE_BREAK).map((line, index) => (
    <span key={index} className="block">
      {index === 0 || line !== '' ? <Untrusted text={line} absent="None" /> : null}
    </span>
  ));
const LINE_BREAK = /\r\n?|\n/;

const LINK_NAMES = {
  website: 'Website',
  x: 'X',
  telegram: 'Telegram',
  discord: 'Discord',
  github: 'GitHub',
  gitbook: 'GitBook',
} as const;

const SHOWN_LAUNCHES = 10;

/** Other coins of the same launch wallet. */
export function OtherLaunches({ others, identity }: Pick<CoinView, 'others' | 'identity'>) {
  if (others.is !== 'value') return <Unread read={others} subject="the creator's other launches" />;
  if (others.value.length === 0) return <p className="text-muted">The index has no other coin of this creator.</p>;
  return (
    <>
      <CoinList
        caption="Other coins of the creator"
        coins={others.value.slice(0, SHOWN_LAUNCHES)}
        omits={['creator', 'volume', 'fee']}
      />
      <p className="mt-2">
        <Link to={`/creators/${identity.creator}`}>All coins of this creator</Link>
      </p>
    </>
  );
}

/** The identity of the launch: the values that a reader compares elsewhere. */
export function CoinIdentity({ identity, launch, token, chainId }: CoinView) {
  return (
    <Card>
      <Facts>
        <Fact term="Token">
          <Hex value={token} kind="address" chainId={chainId} label="Token" />
        </Fact>
        <Fact term="Creator">
          <span className="inline-flex flex-wrap items-center gap-1.5">
            <Link to={`/creators/${identity.creator}`} title={identity.creator} className="underline">
              <code>{shortened(identity.creator)}</code>
            </Link>
            <CopyButton value={identity.creator} label="the creator's address" />
          </span>
        </Fact>
        <Fact term="Pool">
          <Hex value={identity.poolId} label="Pool id" />
        </Fact>
        <Fact term="Launched">
          <Moment at={identity.launchedAt} />
        </Fact>
        <Fact term="Launched through">
          <span title={identity.sourceKind}>{sourceName(identity.sourceKind, identity.factoryVersion)}</span>
          {launch !== null && (
            <>
              , <Link to={`/releases/${launch.sourceReleaseDigest}`}>its release</Link>
            </>
          )}
        </Fact>
        {launch !== null && <FinalIdentity launch={launch} chainId={chainId} />}
      </Facts>
    </Card>
  );
}

function FinalIdentity({ launch, chainId }: { launch: NonNullable<CoinView['launch']>; chainId: ShownChain }) {
  return (
    <>
      <Fact term="Transaction">
        <Hex value={launch.transactionHash} kind="tx" chainId={chainId} label="Transaction" />
      </Fact>
      <Fact term="Block">
        {launch.blockNumber} <Hex value={launch.blockHash} kind="block" chainId={chainId} label="Block" />
      </Fact>
      <Fact term="Made by">
        <Hex value={launch.sourceAddress} kind="address" chainId={chainId} label="Source contract" />
      </Fact>
      {launch.launchId !== null && (
        <Fact term="Launch id">
          <Hex value={launch.launchId} label="Launch id" />
        </Fact>
      )}
      {launch.stampHash !== null && (
        <Fact term="Stamp hash">
          <Hex value={launch.stampHash} label="Stamp hash" />
        </Fact>
      )}
      <Fact term="Verification digest">
        <Hex value={launch.verificationDigest} label="Verification digest" />
      </Fact>
    </>
  );
}
