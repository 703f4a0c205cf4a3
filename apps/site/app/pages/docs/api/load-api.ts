import { data, type LoaderFunctionArgs } from 'react-router';
import { nearNames } from '../near-names.js';
import { openApiCache } from './openapi-document.js';
import { operationLinks, shownOperation } from './operations.js';

/** Loads the list of operations or one of them; the document itself stays at the server. */
export async function loadApi({ params, context, request }: LoaderFunctionArgs) {
  const q = new URL(request.url).searchParams.get('q')?.slice(0, 100) ?? '';
  const read = await openApiCache.read(context.api);
  if (read.is !== 'value') return data({ is: 'unread', read } as const, { status: 503 });
  const id = params['operationId'];
  const links = operationLinks(read.value);
  if (id === undefined) return data({ is: 'list', links, q } as const);
  const operation = shownOperation(read.value, id, context.settings.gatewayUrl);
  if (operation !== null) {
    const at = links.findIndex((one) => one.id === id);
    return data({ is: 'operation', operation, before: links[at - 1] ?? null, after: links[at + 1] ?? null } as const);
  }
  const near = nearNames(id, links.map((one) => one.id)).map((name) => links.find((one) => one.id === name)!);
  // React Router shows the boundary of the page for a thrown response.
  throw data(
    { wanted: id, near: near.map((one) => ({ to: `/docs/api/${one.id}`, title: one.id, summary: one.summary })) },
    { status: 404 },
  );
}
