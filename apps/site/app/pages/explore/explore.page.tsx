import { exploreChain } from '@launch/sdk/operations';
import { data, Form, Link, useLoaderData, type LoaderFunctionArgs, type MetaFunction } from 'react-router';
import type { CoinPage } from '../../site/listed-coin.js';
import { readPublic } from '../../site/gateway.js';
import { CoinList } from '../../ui/coin-list.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { SelectField, TextField } from '../../ui/field.js';
import { StageLegend } from '../../ui/finality-stage.js';
import { Freshness } from '../../ui/freshness.js';
import { PageHeader } from '../../ui/page.js';
import { Pagination } from '../../ui/pagination.js';
import { Empty, Notice, Unread } from '../../ui/status.js';
import {
  exploreAddress,
  LONGEST_QUERY,
  MODE_NAMES,
  readExploreQuery,
  SORT_NAMES,
  type Asked,
  type ExploreQuery,
} from './explore-query.js';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => {
  const q = loaded?.asked.query?.q ?? '';
  return [
    { title: q === '' ? 'Coins · Custom Launch' : 'Search for coins · Custom Launch' },
    { name: 'description', content: 'Coins of both chains, with their finality, price and creator.' },
  ];
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  const asked = readExploreQuery(new URL(request.url).searchParams);
  if (asked.query === null) return data({ asked, read: null }, { status: 400 });
  const { q, mode, sort, pageSize, page } = asked.query;
  const read = await readPublic(context.api, exploreChain, {
    query: { mode, sort, pageSize, page, ...(q !== '' && { q }) },
  });
  return data({ asked, read }, { status: read.is === 'value' ? 200 : 503 });
}

export default function ExplorePage() {
  const { asked, read } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title="Coins">
        Coins that the service found on Ethereum and chain 4663. A listing is no recommendation: each coin&rsquo;s page
        says what is proven about it, and what is not. <Link to="/modules">Browse by module and release</Link>
      </PageHeader>
      {read?.is === 'value' && read.value.status !== 'ok' && (
        <div className="mb-4">
          <Freshness {...read.value} />
        </div>
      )}
      <Filters asked={asked} />
      <div className="mt-6">
        {asked.query === null || read === null ? (
          <Refused asked={asked} />
        ) : read.is === 'value' ? (
          <Results query={asked.query} list={read.value} />
        ) : (
          <Unread read={read} subject="the list of coins" />
        )}
      </div>
    </>
  );
}

const Filters = ({ asked: { given, faults } }: { asked: Asked }) => (
  <Form
    method="get"
    action="/"
    role="search"
    aria-label="Coins"
    className="grid grid-cols-2 items-start gap-x-3 gap-y-3 rounded-xl border border-line bg-surface p-4 lg:gap-4 lg:grid-cols-[minmax(0,2fr)_1fr_1fr_1fr_auto]"
  >
    <div className="col-span-2 lg:col-span-1">
      <TextField
        name="q"
        label="Name, symbol or token address"
        value={given.q}
        fault={faults.q ?? null}
        maxLength={LONGEST_QUERY * 2}
      />
    </div>
    <SelectField
      name="mode"
      label="Kind"
      value={given.mode}
      fault={faults.mode ?? null}
      options={Object.entries(MODE_NAMES)}
    />
    <SelectField
      name="sort"
      label="Order"
      value={given.sort}
      fault={faults.sort ?? null}
      options={Object.entries(SORT_NAMES)}
    />
    <SelectField
      name="pageSize"
      label="On a page"
      value={given.pageSize}
      fault={faults.pageSize ?? null}
      options={[
        ['10', '10 coins'],
        ['50', '50 coins'],
      ]}
    />
    <div className="pt-6.5">
      <Button type="submit" look="primary">
        Show
      </Button>
    </div>
  </Form>
);

const Refused = ({ asked: { faults } }: { asked: Asked }) => (
  <Notice tone="bad" title="The address of this page asks for something that the list does not have">
    <ul className="list-disc pl-5">
      {Object.entries(faults).map(([field, remedy]) => (
        <li key={field}>
          <code>{field}</code>: {remedy}
        </li>
      ))}
    </ul>
    <p className="mt-3">
      <ButtonLink to="/">Show all coins</ButtonLink>
    </p>
  </Notice>
);

function Results({ query, list }: { query: ExploreQuery; list: CoinPage }) {
  const { number, totalItems, totalPages } = list.page;
  const first = (number - 1) * query.pageSize + 1;
  return (
    <section aria-label="Results">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p role="status" className="text-sm">
          {list.items.length === 0
            ? `${counted(totalItems)} found`
            : `${first.toLocaleString('en-US')} to ${(first + list.items.length - 1).toLocaleString('en-US')} of ${counted(totalItems)}`}
        </p>
        {list.status === 'ok' && <Freshness {...list} />}
      </div>
      {list.items.length > 0 ? (
        <CoinList coins={list.items} caption="Coins" />
      ) : totalItems > 0 ? (
        <Empty title={`This list has no page ${number}.`}>
          <p>Its last page is {totalPages}.</p>
          <p className="mt-3">
            <ButtonLink to={exploreAddress(query, { page: totalPages })}>Go to the last page</ButtonLink>
          </p>
        </Empty>
      ) : (
        <NoCoins query={query} isCurrent={list.status === 'ok'} />
      )}
      <Pagination
        label="Pages of coins"
        page={Math.min(number, totalPages)}
        totalPages={list.items.length === 0 ? 0 : totalPages}
        to={(page) => exploreAddress(query, { page })}
      />
      {list.items.length > 0 && <Reading />}
    </section>
  );
}

const counted = (coins: number): string => (coins === 1 ? '1 coin' : `${coins.toLocaleString('en-US')} coins`);

const NoCoins = ({ query, isCurrent }: { query: ExploreQuery; isCurrent: boolean }) =>
  query.q === '' && query.mode === 'all' ? (
    <Empty title="No coin has been launched yet.">
      {isCurrent ? 'A coin appears here as soon as its launch is on the chain.' : 'The index may not have read it yet.'}
    </Empty>
  ) : (
    <Empty title="No coin matches.">
      <p>
        Search for part of a name or symbol, or for a whole token address.
        {!isCurrent && ' The index is not current, so a new coin may be missing.'}
      </p>
      <p className="mt-3">
        <ButtonLink to="/">Show all coins</ButtonLink>
      </p>
    </Empty>
  );

const Reading = () => (
  <details className="mt-6 rounded-xl border border-line bg-surface p-4">
    <summary className="cursor-pointer font-medium">What the columns mean</summary>
    <div className="mt-3 grid gap-4">
      <StageLegend />
      <ul className="grid max-w-[70ch] list-disc gap-1.5 pl-5 text-sm text-muted">
        <li>
          <strong className="text-ink">Price</strong> is the price in the coin&rsquo;s own pool after its last trade, in
          ether. Trades that are not final yet count.
        </li>
        <li>
          <strong className="text-ink">Platform fee</strong> is the share of each trade that the release of the launch
          contract takes. &ldquo;Not listed&rdquo; means unknown here, not free: a coin&rsquo;s page has what is proven
          about its fees.
        </li>
        <li>
          <strong className="text-ink">Service Custom</strong> means: the service&rsquo;s router stamped the launch, the
          launch is final, and the published source is an exact match of all its contracts. It says nothing about value
          or safety.
        </li>
        <li>Names and symbols are the launcher&rsquo;s own words; two coins can have the same. Compare the address.</li>
        <li>The list ends after 10,000 coins; the search finds older ones.</li>
      </ul>
    </div>
  </details>
);
