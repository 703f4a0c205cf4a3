import { data, redirect, type LoaderFunctionArgs } from 'react-router';
import { readDocument, type Folder } from './documentation.js';
import { sectionsOf } from './markdown/headings.js';

/** Loads a document of a folder. @throws a response with status 404 and near matches for an unknown document */
export async function loadDocument({ params, context, request }: LoaderFunctionArgs, folder: Folder) {
  const name = params['document'] ?? '';
  // A link to the Markdown file means the page of it.
  if (name.endsWith('.md')) throw redirect(`/docs/${folder}/${name.slice(0, -3)}${new URL(request.url).search}`, 301);
  const shown = await readDocument(context.api, context.settings.gatewayUrl, folder, name);
  // React Router shows the boundary of the page for a thrown response.
  if (shown.is === 'unknown') throw data(shown.value, { status: 404 });
  const sections = shown.is === 'value' ? sectionsOf(shown.value.document.headings) : [];
  return data({ shown, sections }, { status: shown.is === 'unavailable' ? 503 : shown.is === 'absent' ? 404 : 200 });
}
