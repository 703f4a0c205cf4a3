import { useState } from 'react';
import type { MetaFunction } from 'react-router';
import { RequireSession } from '../../session/require-session.js';
import type { LaunchClients } from '../../session/session-clients.js';
import { useSession } from '../../session/session.js';
import { ownerFailureOf, type OwnerFailure } from '../../site/owner-read.js';
import { usePolled } from '../../site/use-polled.js';
import { OwnerReadFailure } from '../../ui/owner-failure.js';
import { PageHeader } from '../../ui/page.js';
import { Loading } from '../../ui/status.js';
import { KIND_NAMES, type LaunchKind, type OwnedLaunch } from './launch-facts.js';
import { LaunchesView, NoLaunches } from './launches-view.js';
import { familiesToRead, LAUNCH_KINDS, mergedLaunches, type FamilyPages, type PagesByKind } from './owned-list.js';

export const meta: MetaFunction = () => [{ title: 'My launches · Custom Launch' }];

export default function LaunchesPage() {
  return (
    <>
      <PageHeader title="My launches">
        Every launch and plan of your wallet, with its state and your next step.
      </PageHeader>
      <RequireSession purpose="launches">{(clients) => <OwnLaunches clients={clients} />}</RequireSession>
    </>
  );
}

/** The pages of the families, and the families that could not be read. */
interface ReadList {
  readonly pages: PagesByKind;
  readonly failed: readonly { readonly kind: LaunchKind; readonly failure: OwnerFailure }[];
}

function OwnLaunches({ clients }: { clients: LaunchClients }) {
  const { owner } = useSession();
  const first = usePolled(
    owner ?? '',
    () => readKinds(clients, EMPTY_PAGES, LAUNCH_KINDS),
    () => null,
  );
  const [older, setOlder] = useState<ReadList | null>(null);
  const [isReading, setReading] = useState(false);
  const list = older ?? first.value;
  if (list === null)
    return first.failure === null ? (
      <Loading label="Reading your launches" />
    ) : (
      <OwnerReadFailure
        {...first}
        failure={first.failure}
        subject="your launches"
        absent={null}
        onRetry={first.readNow}
      />
    );

  const launches = mergedLaunches(list.pages);
  const missing = familiesToRead(list.pages);
  const readMore = (): void => {
    setReading(true);
    void readKinds(clients, list.pages, missing)
      .then(setOlder)
      .finally(() => setReading(false));
  };
  const readAgain = (): void => {
    setOlder(null);
    first.readNow();
  };
  return (
    <>
      {list.failed.map(({ kind, failure }) => (
        <div key={kind} className="mb-4">
          <OwnerReadFailure
            failure={failure}
            subject={`your launches of the kind “${KIND_NAMES[kind]}”`}
            readAt={null}
            absent="The list below is incomplete."
            onRetry={readAgain}
          />
        </div>
      ))}
      {launches.length > 0 ? (
        <LaunchesView launches={launches} onMore={missing.length > 0 ? readMore : null} isReading={isReading} />
      ) : (
        list.failed.length === 0 && <NoLaunches />
      )}
    </>
  );
}

const NO_PAGES: FamilyPages = { items: [], cursor: null };
const EMPTY_PAGES: PagesByKind = { launch: NO_PAGES, plan: NO_PAGES, 'multi-role': NO_PAGES };

/** Reads the next page of each family. A family that cannot be read is named and hides no other. */
async function readKinds(clients: LaunchClients, pages: PagesByKind, kinds: readonly LaunchKind[]): Promise<ReadList> {
  const read = await Promise.all(
    kinds.map(async (kind) => {
      try {
        return { kind, pages: await nextPage(clients, kind, pages[kind]), failure: null };
      } catch (error) {
        return { kind, pages: pages[kind], failure: ownerFailureOf(error) };
      }
    }),
  );
  return {
    pages: { ...pages, ...Object.fromEntries(read.map((one) => [one.kind, one.pages])) },
    failed: read.flatMap(({ kind, failure }) => (failure === null ? [] : [{ kind, failure }])),
  };
}

async function nextPage(
  clients: LaunchClients,
  kind: LaunchKind,
  { items, cursor }: FamilyPages,
): Promise<FamilyPages> {
  const { items: more, nextCursor } = await pageOf(clients, kind, cursor === null ? {} : { cursor });
  return { items: [...items, ...more], cursor: nextCursor };
}

interface OwnedPage {
  readonly items: readonly OwnedLaunch[];
  readonly nextCursor: string | null;
}

async function pageOf(
  clients: LaunchClients,
  kind: LaunchKind,
  query: { readonly cursor?: string },
): Promise<OwnedPage> {
  switch (kind) {
    case 'launch': {
      const { items, nextCursor } = await clients.launches.list(query);
      return { items: items.map((value) => ({ kind, value })), nextCursor };
    }
    case 'plan': {
      const { items, nextCursor } = await clients.plans.list(query);
      return { items: items.map((value) => ({ kind, value })), nextCursor };
    }
    case 'multi-role': {
      const { items, nextCursor } = await clients.multiRole.list(query);
      return { items: items.map((value) => ({ kind, value })), nextCursor };
    }
  }
}
