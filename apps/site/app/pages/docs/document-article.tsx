import { Link } from 'react-router';
import { CodeBlock } from '../../ui/copy.js';
import { PageHeader } from '../../ui/page.js';
import type { DocumentLink } from './documentation.js';
import { sectionsOf, type Heading } from './markdown/headings.js';
import type { Part, RenderedDocument } from './markdown/render-markdown.js';

/** A document of the service with its table of contents. */
export function DocumentArticle({
  document: { title, headings, parts },
}: {
  document: RenderedDocument;
}) {
  return (
    <article>
      <PageHeader title={title} />
      <Contents headings={sectionsOf(headings)} />
      <div className="prose">
        {parts.map((part, at) => (
          <DocumentPart key={at} part={part} at={at} />
        ))}
      </div>
    </article>
  );
}

function DocumentPart({ part, at }: { part: Part; at: number }) {
  if ('code' in part)
    return <CodeBlock code={part.code} label={`${part.language === '' ? 'code' : part.language} block ${at}`} />;
  // The renderer escapes the text and admits no HTML of the document.
  return <div className="prose" dangerouslySetInnerHTML={{ __html: part.html }} />;
}

/** A wide screen has the sections in the menu. */
function Contents({ headings }: { headings: readonly Heading[] }) {
  if (headings.length < 2) return null;
  return (
    <details className="mb-6 rounded-xl border border-line bg-surface lg:hidden">
      <summary className="min-h-11 cursor-pointer px-4 py-2.5 font-semibold">On this page</summary>
      <ul className="border-t border-line p-2">
        {headings.map(({ id, text }) => (
          <li key={id}>
            <a href={`#${id}`} className="block rounded-md px-2 py-1.5 text-sm no-underline hover:bg-sunken">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Links to the pages before and after this one. */
export function Neighbours({ before, after }: { before: DocumentLink | null; after: DocumentLink | null }) {
  return (
    <nav aria-label="Previous and next page" className="mt-12 grid gap-3 border-t border-line pt-6 sm:grid-cols-2">
      {before === null ? <span /> : <Neighbour link={before} way="Previous" />}
      {after === null ? <span /> : <Neighbour link={after} way="Next" />}
    </nav>
  );
}

const Neighbour = ({ link: { to, title }, way }: { link: DocumentLink; way: 'Previous' | 'Next' }) => (
  <Link
    to={to}
    className={`block rounded-xl border border-line bg-surface p-3 no-underline hover:bg-sunken ${way === 'Next' ? 'sm:text-right' : ''}`}
  >
    <span className="block text-xs text-muted">{way}</span>
    {title}
  </Link>
);
