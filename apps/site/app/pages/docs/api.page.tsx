import { useEffect, useState } from 'react';
import { Form, Link, useLoaderData, type LoaderFunctionArgs, type MetaFunction } from 'react-router';
import { Button } from '../../ui/button.js';
import { PageHeader } from '../../ui/page.js';
import { Empty, Unread } from '../../ui/status.js';
import { loadApi } from './api/load-api.js';
import { OperationView } from './api/operation.view.js';
import { matchingOperations, type OperationLink } from './api/matching-operations.js';
import { Neighbours } from './document-article.js';

export { DocumentBoundary as ErrorBoundary } from './document.view.js';

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  const operation = loaderData?.is === 'operation' ? loaderData.operation : null;
  return [
    { title: `${operation?.summary ?? 'API reference'} · Custom Launch` },
    {
      name: 'description',
      content:
        operation === null
          ? 'Every operation of the API by product, with parameters, schemas, errors and examples.'
          : `${operation.method} ${operation.path}: parameters, schemas, errors, curl and SDK.`,
    },
  ];
};

export const loader = (args: LoaderFunctionArgs) => loadApi(args);

export default function ApiPage() {
  const loaded = useLoaderData<typeof loader>();
  if (loaded.is === 'operation') {
    const neighbour = (one: OperationLink | null) =>
      one && { to: `/docs/api/${one.id}`, title: one.summary, summary: '' };
    return (
      <>
        <OperationView operation={loaded.operation} />
        <Neighbours before={neighbour(loaded.before)} after={neighbour(loaded.after)} />
      </>
    );
  }
  return (
    <>
      <PageHeader title="API reference">Every operation by product. Choose one for its schemas and examples.</PageHeader>
      {loaded.is === 'unread' ? (
        <Unread read={loaded.read} subject="the description of the API" />
      ) : (
        <OperationList links={loaded.links} q={loaded.q} />
      )}
    </>
  );
}

function OperationList({ links, q }: { links: readonly OperationLink[]; q: string }) {
  const [question, ask] = useState(q);
  useEffect(() => ask(q), [q]);
  const found = matchingOperations(links, question);
  const products = [...new Set(found.map(({ product }) => product))];
  return (
    <>
      <Form method="get" action="/docs/api" className="mb-4 flex items-end gap-2">
        <label className="grow text-sm font-medium">
          Filter by name, path or product
          <input
            type="search"
            name="q"
            value={question}
            onChange={(event) => ask(event.target.value)}
            className="mt-1 block min-h-11 w-full rounded-lg border border-line-strong bg-surface px-3 py-2 text-base"
          />
        </label>
        <Button type="submit">Filter</Button>
      </Form>
      <p role="status" className="text-sm text-muted">
        {found.length} of {links.length} operations
      </p>
      {found.length === 0 && <Empty title="No operation matches.">Use fewer or shorter words.</Empty>}
      {products.map((product) => (
        <section key={product} className="mt-6">
          <h2 className="text-lg font-semibold">{product}</h2>
          <ul className="mt-2 divide-y divide-line rounded-xl border border-line bg-surface">
            {found
              .filter((one) => one.product === product)
              .map(({ id, method, path, summary, needsKey }) => (
                <li key={id} className="p-3">
                  <Link to={`/docs/api/${id}`} className="font-medium">
                    {summary}
                  </Link>
                  <p className="text-sm text-muted [overflow-wrap:anywhere]">
                    <code>
                      {method} {path}
                    </code>
                    {needsKey && ' · key'}
                  </p>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}
