import { data, useLoaderData, type LoaderFunctionArgs, type MetaFunction } from 'react-router';
import { PageHeader } from '../../ui/page.js';
import { Unread } from '../../ui/status.js';
import { DocumentArticle } from './document-article.js';
import { readPublishedPaths } from './documentation.js';
import { sectionsOf } from './markdown/headings.js';
import { renderMarkdown } from './markdown/render-markdown.js';

export const meta: MetaFunction = () => [
  { title: 'Changelog · Custom Launch' },
  { name: 'description', content: 'What changed in the API, the programs and the images, by version.' },
];

// The site and the service are released together, so the build of the site contains the changelog of the repository.
const CHANGELOG = import.meta.glob<string>('../../../../../CHANGELOG.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export async function loader({ context }: LoaderFunctionArgs) {
  const published = await readPublishedPaths(context.api);
  if (published.is !== 'value') return data({ read: published, sections: [] }, { status: 503 });
  const targets = { documents: published.value, gatewayUrl: context.settings.gatewayUrl };
  const [text = ''] = Object.values(CHANGELOG);
  const document = renderMarkdown(text, '/CHANGELOG.md', targets);
  return data({ read: { is: 'value', value: document } as const, sections: sectionsOf(document.headings) });
}

export default function ChangelogPage() {
  const { read } = useLoaderData<typeof loader>();
  if (read.is === 'value') return <DocumentArticle document={read.value} />;
  return (
    <>
      <PageHeader title="Changelog" />
      <Unread read={read} subject="the list of documents" />
    </>
  );
}
