import { useLoaderData, type LoaderFunctionArgs, type MetaFunction } from 'react-router';
import { documentMeta, DocumentView } from './document.view.js';
import { loadDocument } from './load-document.js';

export { DocumentBoundary as ErrorBoundary } from './document.view.js';

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => documentMeta(loaderData?.shown, 'Reference');

export const loader = (args: LoaderFunctionArgs) => loadDocument(args, 'reference');

export default function ReferencePage() {
  return <DocumentView shown={useLoaderData<typeof loader>().shown} kind="Reference" />;
}
