import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { useSettings } from '../../site/site-data.js';
import { CopyButton } from '../../ui/copy.js';
import { PageHeader } from '../../ui/page.js';
import { Notice, Unread } from '../../ui/status.js';
import type { Read } from '../../site/gateway.js';
import { DocumentArticle, Neighbours } from './document-article.js';
import type { ShownDocument, UnknownDocument } from './documentation.js';

/** Returns the title and the description of a document's page. */
export function documentMeta(shown: Read<ShownDocument> | undefined, kind: string) {
  const document = shown?.is === 'value' ? shown.value.document : null;
  return [
    { title: `${document?.title ?? kind} · Custom Launch` },
    { name: 'description', content: document?.description ?? `${kind} of Custom Launch.` },
  ];
}

/** A document, or the reason why there is none. */
export function DocumentView({ shown, kind }: { shown: Read<ShownDocument>; kind: string }) {
  if (shown.is !== 'value')
    return (
      <>
        <PageHeader title={kind} />
        <Unread read={shown} subject="this document" />
      </>
    );
  const { document, before, after, source } = shown.value;
  return (
    <>
      <DocumentArticle document={document} />
      <Source {...source} />
      <Neighbours before={before} after={after} />
    </>
  );
}

function Source({ path, contentSha256 }: ShownDocument['source']) {
  const { gatewayUrl } = useSettings();
  return (
    <p className="mt-10 flex flex-wrap items-center gap-2 text-sm text-muted">
      <a href={`${gatewayUrl}${path}`}>This page as Markdown</a>
      <code className="text-xs break-all">{contentSha256}</code>
      <CopyButton value={contentSha256} label="the digest of the Markdown" />
    </p>
  );
}

/** Shows near matches for an unknown document, and other faults as the root does. */
export function DocumentBoundary() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return <MissingDocument {...(error.data as UnknownDocument)} />;
}

export function MissingDocument({ wanted, near }: UnknownDocument) {
  return (
    <>
      <title>This document does not exist · Custom Launch</title>
      <PageHeader title="This document does not exist">
        The service publishes nothing with the name <bdi className="break-all">{wanted}</bdi>.
      </PageHeader>
      {near.length === 0 ? (
        <Notice title="No document has a similar name.">
          <Link to="/docs">Choose one from the overview.</Link>
        </Notice>
      ) : (
        <>
          <h2 className="text-lg font-semibold">Did you mean one of these?</h2>
          <ul className="mt-2 list-disc space-y-2 pl-6">
            {near.map(({ to, title, summary }) => (
              <li key={to}>
                <Link to={to}>{title}</Link>
                {summary !== '' && <span className="block text-sm text-muted">{summary}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
