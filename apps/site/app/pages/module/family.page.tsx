import { data, useLoaderData, type LoaderFunctionArgs, type MetaFunction } from 'react-router';
import { pageNumber } from '../../site/page-number.js';
import { shortened } from '../../site/units.js';
import { ButtonLink } from '../../ui/button.js';
import { CoinList } from '../../ui/coin-list.js';
import { Freshness } from '../../ui/freshness.js';
import { Card, Fact, Facts, PageHeader, Section } from '../../ui/page.js';
import { Pagination } from '../../ui/pagination.js';
import { Empty, Notice, Unread } from '../../ui/status.js';
import { Hex } from '../../ui/values.js';
import { familyIdOf, searchFamily, type FamilyCoins } from './family-coins.js';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: `${loaded?.familyId ? `Module family ${shortened(loaded.familyId)}` : 'Module family'} · Custom Launch` },
  { name: 'description', content: 'Coins that use one family of modules.' },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const familyId = familyIdOf(params['familyId']);
  const page = pageNumber(new URL(request.url).searchParams.get('page'));
  if (familyId === null || page === null) return data({ familyId, page: 1, read: null }, { status: 400 });
  const read = await searchFamily(context.api, familyId, page);
  return data({ familyId, page, read }, { status: read.is === 'value' ? 200 : 503 });
}

export default function FamilyPage() {
  const { familyId, page, read } = useLoaderData<typeof loader>();
  if (familyId === null || read === null)
    return (
      <>
        <PageHeader title="Module family" />
        <Notice tone="bad" title="This address names no module family">
          <p>
            A family is <code>0x</code> and 64 letters and digits from 0 to f, and a page has a number from 1. Open a
            coin that is built from modules; its page links its families.
          </p>
          <p className="mt-3">
            <ButtonLink to="/?mode=module">Coins built from modules</ButtonLink>
          </p>
        </Notice>
      </>
    );
  return (
    <>
      <PageHeader title={`Module family ${shortened(familyId)}`} parent={['/modules', 'Modules and releases']}>
        A module is a reusable part of a coin&rsquo;s contracts. All versions of a module by one author are a family.
      </PageHeader>
      {read.is === 'value' && read.value.status !== 'ok' && (
        <div className="mb-4">
          <Freshness {...read.value} />
        </div>
      )}
      <About familyId={familyId} />
      <Section id="coins" title="Coins with this family">
        {read.is === 'value' ? (
          <Coins familyId={familyId} page={page} found={read.value} />
        ) : (
          <Unread read={read} subject="the coins of this family" />
        )}
      </Section>
    </>
  );
}

const About = ({ familyId }: { familyId: string }) => (
  <Card>
    <Facts>
      <Fact term="Family">
        <Hex value={familyId} label="id of the family" />
      </Fact>
      <Fact term="Name and author">
        Not published. The id of a module that was submitted to this service is a hash of its author&rsquo;s wallet and
        the family&rsquo;s name: with both you can compute the id again and compare it.
      </Fact>
      <Fact term="Source, versions and review">
        Not published. The review of a module is visible to its author only, and no review says that a module is safe.
      </Fact>
    </Facts>
  </Card>
);

const addressOfPage = (familyId: string, page: number): string =>
  page === 1 ? `/modules/${familyId}` : `/modules/${familyId}?page=${page}`;

function Coins({ familyId, page, found }: { familyId: string; page: number; found: FamilyCoins }) {
  const { coins, searched, totalPages, status } = found;
  if (searched.of === 0)
    return (
      <Empty title="No coin built from modules has been launched yet.">
        {status !== 'ok' && 'The index is not current, so a new coin may be missing.'}
      </Empty>
    );
  if (page > totalPages)
    return (
      <Empty title={`The search has no page ${page}.`}>
        <p className="mt-3">
          <ButtonLink to={addressOfPage(familyId, totalPages)}>Go to the last page</ButtonLink>
        </p>
      </Empty>
    );
  const range = `${searched.from.toLocaleString('en-US')} to ${searched.to.toLocaleString('en-US')} of ${searched.of.toLocaleString('en-US')}`;
  return (
    <>
      <p className="mb-3 max-w-[70ch] text-sm text-muted">
        The service has no list by family, so this page searched its list of coins built from modules, newest first:
        coins {range}. {totalPages > 1 && 'Other pages search the rest.'}
      </p>
      {status === 'ok' && (
        <div className="mb-2">
          <Freshness {...found} />
        </div>
      )}
      {coins.length > 0 ? (
        <CoinList coins={coins} caption="Coins with this family" />
      ) : (
        <Empty title="No coin in this part of the list uses the family.">
          {page < totalPages
            ? 'An older coin may use it: go to the next page.'
            : 'The service knows a family only from the coins that use it.'}
        </Empty>
      )}
      <Pagination
        label="Parts of the search"
        page={page}
        totalPages={totalPages}
        to={(part) => addressOfPage(familyId, part)}
      />
    </>
  );
}
