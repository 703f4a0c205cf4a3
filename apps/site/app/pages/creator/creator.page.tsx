import { addressOf, checksummed } from '@launch/contracts/primitives';
import { getChainProfile } from '@launch/sdk/operations';
import { data, useLoaderData, type LoaderFunctionArgs, type MetaFunction } from 'react-router';
import { pageNumber } from '../../site/page-number.js';
import { CHAIN_NAMES, explorerLink, type ShownChain } from '../../site/chains.js';
import { useSettings } from '../../site/site-data.js';
import { readPublic } from '../../site/gateway.js';
import type { CoinPage } from '../../site/listed-coin.js';
import { shortened } from '../../site/units.js';
import { ButtonLink } from '../../ui/button.js';
import { CoinList } from '../../ui/coin-list.js';
import { Freshness } from '../../ui/freshness.js';
import { Card, Fact, Facts, PageHeader, Section } from '../../ui/page.js';
import { Pagination } from '../../ui/pagination.js';
import { Empty, Notice, Unread } from '../../ui/status.js';
import { Hex } from '../../ui/values.js';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: `${loaded?.fault === null ? `Creator ${shortened(loaded.account)}` : 'Creator'} · Custom Launch` },
  { name: 'description', content: 'The coins that one wallet launched.' },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const given = params['account'] ?? '';
  const address = addressOf(given);
  const page = pageNumber(new URL(request.url).searchParams.get('page'));
  if (address === null || page === null)
    return data(
      { account: given, read: null, fault: address === null ? ('account' as const) : ('page' as const) },
      { status: 400 },
    );
  const read = await readPublic(context.api, getChainProfile, { query: { account: address, page } });
  return data({ account: checksummed(address), read, fault: null }, { status: read.is === 'value' ? 200 : 503 });
}

export default function CreatorPage() {
  const { account, read, fault } = useLoaderData<typeof loader>();
  if (fault === 'account')
    return (
      <>
        <PageHeader title="Creator" />
        <Notice tone="bad" title="This is not the address of a wallet">
          <p>
            An address is <code>0x</code> and 40 letters and digits, in lowercase or with the right checksum. Copy it
            again from the page or the wallet that you have it from; one wrong letter changes the checksum.
          </p>
          <p className="mt-3">
            <ButtonLink to="/">Show all coins</ButtonLink>
          </p>
        </Notice>
      </>
    );
  return (
    <>
      <PageHeader title={`Creator ${shortened(account)}`}>
        Coins that this wallet launched. The service takes the wallet from the launch itself, not from the token&rsquo;s
        own claim.
      </PageHeader>
      {fault === 'page' || read === null ? (
        <NoSuchPage account={account} />
      ) : read.is === 'value' ? (
        <Coins account={account} list={read.value} />
      ) : (
        <Unread read={read} subject="the coins of this wallet" />
      )}
    </>
  );
}

type Profile = Pick<CoinPage, 'status' | 'updatedAt' | 'items'> & {
  readonly page: Omit<CoinPage['page'], 'pageSize'>;
};

const Coins = ({ account, list }: { account: string; list: Profile }) => (
  <>
    {list.status !== 'ok' && (
      <div className="mb-4">
        <Freshness {...list} />
      </div>
    )}
    <Card>
      <Facts>
        <Fact term="Wallet">
          <Hex value={account} label="address of the wallet" />
        </Fact>
        <Fact term="Coins">{list.page.totalItems.toLocaleString('en-US')}</Fact>
        {chainsOf(list).map(([chainId, count]) => (
          <Fact key={chainId} term={`On ${CHAIN_NAMES[chainId]}, this page`}>
            {count} <AtExplorer account={account} chainId={chainId} />
          </Fact>
        ))}
        <Fact term="Person behind it">
          Unknown. An address proves control of a key, and nothing about a name. One person can have many wallets.
        </Fact>
      </Facts>
    </Card>
    <Section id="coins" title="Coins">
      {list.status === 'ok' && (
        <div className="mb-2">
          <Freshness {...list} />
        </div>
      )}
      {list.items.length > 0 ? (
        <CoinList coins={list.items} caption="Coins of this wallet" omits={['creator']} />
      ) : list.page.totalItems > 0 ? (
        <NoSuchPage account={account} />
      ) : (
        <Empty title="This wallet has launched no coin that the service knows.">
          {list.status === 'ok'
            ? 'It may have launched coins through contracts that the service does not follow.'
            : 'The index is not current, so a new coin may be missing.'}
        </Empty>
      )}
      <Pagination
        label="Pages of coins"
        page={list.page.number}
        totalPages={list.items.length === 0 ? 0 : list.page.totalPages}
        to={(page) => addressOfPage(account, page)}
      />
    </Section>
  </>
);

function AtExplorer({ account, chainId }: { account: string; chainId: ShownChain }) {
  const href = explorerLink(useSettings(), chainId, 'address', account);
  return (
    href !== null && (
      <a href={href} rel="noreferrer">
        open the wallet at the block explorer
      </a>
    )
  );
}

const addressOfPage = (account: string, page: number): string =>
  page === 1 ? `/creators/${account}` : `/creators/${account}?page=${page}`;

const chainsOf = ({ items }: Profile) =>
  ([1, 4663] as const)
    .map((chainId) => [chainId, items.filter((coin) => coin.chainId === chainId).length] as const)
    .filter(([, count]) => count > 0);

const NoSuchPage = ({ account }: { account: string }) => (
  <Empty title="This list has no such page.">
    <p className="mt-3">
      <ButtonLink to={addressOfPage(account, 1)}>Go to the first page</ButtonLink>
    </p>
  </Empty>
);
