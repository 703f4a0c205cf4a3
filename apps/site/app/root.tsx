import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteLoaderData,
  useRouteError,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import type { ReactNode } from 'react';
import './site/load-context.js';
import { SiteFooter, SiteHeader } from './site/chrome.js';
import { THEME_SCRIPT } from './site/theme.js';
import { ButtonLink } from './ui/button.js';
import { PageHeader } from './ui/page.js';
import stylesheet from './app.css?url';

export const links: LinksFunction = () => [
  { rel: 'stylesheet', href: stylesheet },
  { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' },
];

export const meta: MetaFunction = () => [
  { title: 'Custom Launch' },
  {
    name: 'description',
    content: 'Launch a token with its own hook and pool, and check each launch against the chain.',
  },
];

export function loader({ context }: LoaderFunctionArgs) {
  return { settings: context.settings, nonce: context.nonce, renderedAt: Date.now() };
}

/** The nonce belongs to the first response; later renderings of the root keep the document. */
export const shouldRevalidate = () => false;

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useRouteLoaderData<typeof loader>('root')?.nonce;
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <Links />
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
      </head>
      <body>
        <a
          href="#content"
          className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:bg-surface focus:p-3"
        >
          Skip to the content
        </a>
        <SiteHeader />
        <main id="content" tabIndex={-1} className="mx-auto w-full max-w-6xl px-4 py-8 outline-none sm:px-6">
          {children}
        </main>
        <SiteFooter />
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary() {
  const error = useRouteError();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <>
      <PageHeader title={isMissing ? 'This page does not exist' : 'This page failed'}>
        {isMissing
          ? 'Check the address, or go to the list of coins.'
          : 'The site has an error. Reload the page; if it fails again, read the status of the service.'}
      </PageHeader>
      <div className="flex gap-2">
        <ButtonLink to="/">List of coins</ButtonLink>
        <ButtonLink to="/status">Status of the service</ButtonLink>
      </div>
    </>
  );
}
