import { addressOf, checksummed } from '@launch/contracts/primitives';
import { data, Link, redirect, type LoaderFunctionArgs, type MetaFunction } from 'react-router';
import { CHAIN_NAMES, shownChain } from '../../site/chains.js';
import type { Read } from '../../site/gateway.js';
import { shortened } from '../../site/units.js';
import { visibleText } from '../../site/untrusted.js';
import { ButtonLink } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { Stage } from '../../ui/finality-stage.js';
import { PageHeader, Section } from '../../ui/page.js';
import { Badge, Notice, Unread } from '../../ui/status.js';
import { Untrusted } from '../../ui/untrusted.js';
import { Hex, Moment } from '../../ui/values.js';
import { CoinAnswers } from './coin-answers.js';
import { CoinAxes, CoinContracts, CoinIdentity, CoinMetadata, CoinModules, OtherLaunches } from './coin-details.js';
import { CoinMarket } from './coin-market.js';
import { CoinTrades } from './coin-trades.js';
import { coinView, type CoinView } from './coin-view.js';
import { readCoin } from './read-coin.js';

type NoCoin =
  | { readonly is: 'no address' }
  | { readonly is: 'no chain' }
  | { readonly is: 'no coin'; readonly read: Exclude<Read<unknown>, { is: 'value' }> };
export type CoinPageData = { readonly is: 'coin'; readonly coin: CoinView } | NoCoin;

const NOT_FOUND = { status: 404 };
const UNAVAILABLE = { status: 503 };

/** Reads the coin of the address. An address in lowercase leads to the one with its checksum. */
export async function loader({ context, params }: LoaderFunctionArgs) {
  const chainId = shownChain(params['chainId']);
  if (chainId === null) return data<CoinPageData>({ is: 'no chain' }, NOT_FOUND);
  const address = addressOf(params['token'] ?? '');
  if (address === null) return data<CoinPageData>({ is: 'no address' }, NOT_FOUND);
  const token = checksummed(address);
  if (token !== params['token']) throw redirect(`/coins/${chainId}/${token}`, 301);
  const read = await readCoin(context.api, chainId, token);
  if (read.is === 'no coin') return data<CoinPageData>(read, read.read.is === 'absent' ? NOT_FOUND : UNAVAILABLE);
  return data<CoinPageData>({ is: 'coin', coin: coinView(read) });
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => {
  if (page?.is !== 'coin') return [{ title: 'Coin not shown · Custom Launch' }];
  const { identity, chainId, token } = page.coin;
  const name = identity.name === null ? token : visibleText(identity.name, 64);
  return [
    { title: `${name} · Coin · Custom Launch` },
    {
      name: 'description',
      content: `What a trade of ${name} costs, what is locked and what can change, each with its evidence on ${CHAIN_NAMES[chainId]}.`,
    },
  ];
};

export default function CoinPage({ loaderData }: { loaderData: CoinPageData }) {
  return loaderData.is === 'coin' ? <Coin coin={loaderData.coin} /> : <CoinNotShown page={loaderData} />;
}

function CoinNotShown({ page }: { page: NoCoin }) {
  return (
    <>
      <PageHeader title="Coin" />
      {page.is === 'no chain' && (
        <Notice title="This site shows coins of Ethereum (1) and of chain 4663 only.">
          <p>Check the chain in the address of this page.</p>
        </Notice>
      )}
      {page.is === 'no address' && (
        <Notice title="This is not a valid token address.">
          <p>
            It needs 40 hexadecimal digits after <code>0x</code>. If its letters have mixed case, their checksum is
            wrong, so a character may be mistyped. Copy the address again from where you found it.
          </p>
        </Notice>
      )}
      {page.is === 'no coin' && (
        <>
          <Unread read={page.read} subject="this coin" />
          {page.read.is === 'absent' && (
            <p className="mt-4 max-w-[65ch] text-sm text-muted">
              A launch that fails a check of the index is in quarantine and is not a coin here. The status page counts
              such events.
            </p>
          )}
        </>
      )}
      <div className="mt-6 flex flex-wrap gap-2">
        <ButtonLink to="/">List of coins</ButtonLink>
        <ButtonLink to="/status">Status of the index</ButtonLink>
      </div>
    </>
  );
}

function Coin({ coin }: { coin: CoinView }) {
  const { identity, chainId } = coin;
  return (
    <>
      <PageHeader
        title={
          <>
            <Untrusted text={identity.name} absent="Coin without a name" short />{' '}
            {identity.symbol !== null && (
              <span className="text-xl font-normal text-muted">
                <Untrusted text={identity.symbol} absent="no symbol" short />
              </span>
            )}
          </>
        }
      >
        <span className="flex flex-wrap items-center gap-2">
          <Badge>{CHAIN_NAMES[chainId]}</Badge>
          <Stage stage={identity.stage} />
          {coin.label !== null && <Badge tone="accent">{coin.label}</Badge>}
          <span className="text-sm">
            launched <Moment at={identity.launchedAt} />
          </span>
        </span>
        <span className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
          <span className="inline-flex flex-wrap items-center gap-x-1.5">
            Token <Hex value={coin.token} kind="address" chainId={chainId} label="the token address" />
          </span>
          <span className="inline-flex flex-wrap items-center gap-x-1.5">
            Creator{' '}
            <Link to={`/creators/${identity.creator}`} title={identity.creator} className="underline">
              <code>{shortened(identity.creator)}</code>
            </Link>
            <CopyButton value={identity.creator} label="the creator's address" />
          </span>
        </span>
      </PageHeader>
      <CoinNotices coin={coin} />
      <Section id="market" title="Market">
        <CoinMarket {...coin} />
      </Section>
      <Section
        id="answers"
        title="Before you buy"
        intro="Anyone can launch a coin under any name. Each answer says whether it is proven, and shows its evidence."
      >
        <CoinAnswers answers={coin.answers} chainId={chainId} />
      </Section>
      <Section id="trades" title="Price and trades">
        <CoinTrades {...coin} />
      </Section>
      <Section id="contracts" title="Contracts">
        <CoinContracts {...coin} />
      </Section>
      <Section
        id="modules"
        title="Modules"
        intro={
          <>
            Reusable parts that the launch chose for its coin. The record names them by hashes only.{' '}
            <Link to="/modules">All module families</Link>
          </>
        }
      >
        <CoinModules {...coin} />
      </Section>
      <Section
        id="axes"
        title="Nine facts, without a score"
        intro="The service states each fact by itself. None of them says that a coin is safe or worth its price."
      >
        <CoinAxes {...coin} />
      </Section>
      <Section
        id="metadata"
        title="What the creator says"
        intro="The creator wrote these texts and links. The service did not check them. Anyone can use any name."
      >
        <CoinMetadata {...coin} />
      </Section>
      <Section id="others" title="Other launches of this creator">
        <OtherLaunches {...coin} />
      </Section>
      <Section id="identity" title="Identity">
        <CoinIdentity {...coin} />
      </Section>
    </>
  );
}

const STALE_TITLES = {
  stale: 'The index is behind.',
  indeterminate: 'The index has gaps.',
  unread: 'The state of the index is unknown.',
} as const;

function CoinNotices({ coin }: { coin: CoinView }) {
  const { listStatus, updatedAt, identity, stampSentence, unread } = coin;
  return (
    <div className="grid gap-3">
      {listStatus !== 'ok' && (
        <Notice tone="caution" title={STALE_TITLES[listStatus]}>
          <p>
            Trades and prices on this page may be missing or old.{' '}
            {updatedAt !== null && (
              <>
                The index was last written <Moment at={updatedAt} />.
              </>
            )}
          </p>
        </Notice>
      )}
      {unread.length > 0 && (
        <Notice tone="caution" title={`The site could not read ${unread.join(', ')}.`}>
          <p>What depends on it is shown as unknown. Reload the page to try again.</p>
        </Notice>
      )}
      {identity.stage !== 'ethereum_finalized' && (
        <Notice tone="caution" title="This launch is not final. It can still disappear.">
          <p>Most answers below are proven only when Ethereum has finalized it.</p>
        </Notice>
      )}
      {stampSentence !== null && <Notice title={stampSentence} />}
    </div>
  );
}
