import { NavLink, Outlet, useLoaderData, useLocation, useMatches, type LoaderFunctionArgs } from 'react-router';
import { readDocumentLists } from './documentation.js';
import { menuOf, type MenuGroup } from './menu.js';
import type { Heading } from './markdown/headings.js';

export async function loader({ context }: LoaderFunctionArgs) {
  return { lists: await readDocumentLists(context.api) };
}

/** The menu changes with the deployment only, not from page to page. */
export const shouldRevalidate = () => false;

/** The menu of the documentation beside each of its pages. */
export default function DocsLayout() {
  const { lists } = useLoaderData<typeof loader>();
  const groups = menuOf(lists);
  const { pathname } = useLocation();
  return (
    <div className="gap-10 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#documentation"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:bg-surface focus:p-3"
      >
        Skip the menu of the documentation
      </a>
      {/* The key closes the menu when the reader has followed one of its links. */}
      <details key={pathname} className="mb-6 rounded-xl border border-line bg-surface lg:hidden">
        <summary className="min-h-11 cursor-pointer px-4 py-2.5 font-semibold">Documentation menu</summary>
        <div className="border-t border-line p-4">
          <Menu groups={groups} />
        </div>
      </details>
      <div className="hidden lg:block">
        <div className="sticky top-20 max-h-[calc(100vh-6rem)] overflow-y-auto pb-8">
          <Menu groups={groups} />
        </div>
      </div>
      <div id="documentation" tabIndex={-1} className="min-w-0 outline-none">
        <Outlet />
      </div>
    </div>
  );
}

function Menu({ groups }: { groups: readonly MenuGroup[] }) {
  const headings = useHeadings();
  return (
    <nav aria-label="Documentation">
      {groups.map(({ title, links }) => (
        <div key={title} className="mb-5">
          <p className="mb-1 text-xs font-semibold tracking-wide text-muted uppercase">{title}</p>
          <ul>
            {links.map(({ to, title: name, isExact }) => (
              <li key={to}>
                <NavLink
                  to={to}
                  end={isExact}
                  className={({ isActive }) =>
                    `block rounded-md px-2 py-1.5 text-sm no-underline ${isActive ? 'bg-sunken font-semibold text-accent' : 'text-ink hover:bg-sunken'}`
                  }
                >
                  {name}
                </NavLink>
                <HeadingsOf to={to} headings={headings} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** Lists the sections of the page that is open, below its entry. */
function HeadingsOf({ to, headings }: { to: string; headings: readonly Heading[] }) {
  const { pathname } = useLocation();
  if (pathname !== to || headings.length === 0) return null;
  return (
    <ul className="my-1 ml-2 border-l border-line pl-2">
      {headings.map(({ id, text }) => (
        <li key={id}>
          <a href={`#${id}`} className="block rounded-md px-2 py-1 text-sm text-muted no-underline hover:bg-sunken">
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

function useHeadings(): readonly Heading[] {
  const data = useMatches().at(-1)?.loaderData as { readonly sections?: readonly Heading[] } | undefined;
  return data?.sections ?? [];
}
