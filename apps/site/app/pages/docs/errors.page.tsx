import { useEffect, useState } from 'react';
import { Form, Link, useLoaderData, type LoaderFunctionArgs, type MetaFunction } from 'react-router';
import { Button } from '../../ui/button.js';
import { PageHeader } from '../../ui/page.js';
import { Badge, Empty, Unread } from '../../ui/status.js';
import { loadErrors } from './errors/load-errors.js';
import { matchingCodes, type ShownCode } from './errors/matching-codes.js';

export const meta: MetaFunction = () => [
  { title: 'Error codes · Custom Launch' },
  { name: 'description', content: 'The meaning, remedy, HTTP status and retry rule of every error code and reason.' },
];

export const loader = (args: LoaderFunctionArgs) => loadErrors(args);

export default function ErrorsPage() {
  const { codes, unread, q } = useLoaderData<typeof loader>();
  const [question, ask] = useState(q);
  useEffect(() => ask(q), [q]);
  const found = matchingCodes(codes, question);
  return (
    <>
      <PageHeader title="Error codes">
        Every error has a code and the id of the request. Codes without a status occur in findings and reasons only.
      </PageHeader>
      {unread !== null && <Unread read={unread} subject="the operations of each code" />}
      <Form method="get" action="/docs/errors" className="my-4 flex items-end gap-2">
        <label className="grow text-sm font-medium">
          Search codes, meanings and remedies
          <input
            type="search"
            name="q"
            value={question}
            onChange={(event) => ask(event.target.value)}
            className="mt-1 block min-h-11 w-full rounded-lg border border-line-strong bg-surface px-3 py-2 text-base"
          />
        </label>
        <Button type="submit">Search</Button>
      </Form>
      <p role="status" className="mb-3 text-sm text-muted">
        {found.length} of {codes.length} codes
      </p>
      {found.length === 0 && <Empty title="No code matches.">Use fewer or shorter words.</Empty>}
      <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
        {found.map((one) => (
          <CodeEntry key={one.code} {...one} />
        ))}
      </ul>
    </>
  );
}

function CodeEntry({ code, meaning, remedy, status, retryable, member, operations }: ShownCode) {
  return (
    <li id={code} className="scroll-mt-20 p-4 target:bg-sunken">
      <h2 className="flex flex-wrap items-center gap-2">
        <a href={`#${code}`} className="font-semibold [overflow-wrap:anywhere] no-underline">
          <code>{code}</code>
        </a>
        {status !== null && <Badge>HTTP {status}</Badge>}
        {retryable === true && <Badge tone="good">retryable</Badge>}
        {retryable === false && <Badge>not retryable</Badge>}
        {member !== null && <Badge>reason in {member}</Badge>}
      </h2>
      <p className="mt-1">{meaning}</p>
      <p className="mt-1 text-sm text-muted">{remedy}</p>
      {operations.length > 0 && (
        <details className="mt-1 text-sm">
          <summary className="min-h-6 cursor-pointer">Operations with this code: {operations.length}</summary>
          <ul className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
            {operations.map((id) => (
              <li key={id}>
                <Link to={`/docs/api/${id}`}>{id}</Link>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
