import type { ReactNode } from 'react';
import { Badge } from './status.js';
import { Untrusted } from './untrusted.js';

/** A fault with its code, its message, its remedy, and the place in the author's own file. */
export function Finding({
  code,
  severity = 'error',
  message,
  remedy,
  path,
  expected = null,
  actual = null,
  place,
}: {
  code: string;
  severity?: 'error' | 'warning';
  message: string;
  remedy: string | null;
  path: string;
  expected?: string | null;
  actual?: string | null;
  place?: ReactNode;
}) {
  return (
    <article className="rounded-xl border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={severity === 'error' ? 'bad' : 'caution'}>{severity === 'error' ? 'Error' : 'Warning'}</Badge>
        <code className="text-sm break-all">{code}</code>
      </div>
      <p className="mt-2 font-medium">{message}</p>
      {remedy !== null && remedy !== message && <p className="mt-1 text-sm">{remedy}</p>}
      {place}
      <dl className="mt-2 grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[max-content_1fr]">
        <dt className="text-muted">Place in the request</dt>
        <dd className="min-w-0">{path === '' ? 'the whole request' : <code className="break-all">{path}</code>}</dd>
        <Value term="Expected" text={expected} />
        <Value term="Found" text={actual} />
      </dl>
    </article>
  );
}

function Value({ term, text }: { term: string; text: string | null }) {
  if (text === null) return null;
  return (
    <>
      <dt className="text-muted">{term}</dt>
      <dd className="min-w-0">
        <code className="break-all">
          <Untrusted text={text} absent="nothing" />
        </code>
      </dd>
    </>
  );
}

/** Lines of a file around a fault; the marked ones say so in words too. */
export function SourceLines({
  file,
  line,
  column,
  lines,
}: {
  file: string;
  line: number;
  column: number;
  lines: readonly { readonly number: number; readonly text: string; readonly isMarked: boolean }[];
}) {
  return (
    <figure className="mt-3">
      <figcaption className="text-sm">
        <code className="break-all">
          <Untrusted text={file} absent="a file" />
        </code>
        , line {line}, column {column}
      </figcaption>
      <pre
        tabIndex={0}
        role="region"
        aria-label={`Lines around line ${line}`}
        className="mt-1 overflow-x-auto rounded-lg border border-line bg-sunken py-2 text-sm"
      >
        {lines.map(({ number, text, isMarked }) => (
          <span
            key={number}
            className={`flex min-w-max gap-3 border-l-4 px-3 ${isMarked ? 'border-bad bg-bad-soft' : 'border-transparent'}`}
          >
            <span className="w-10 shrink-0 text-right text-muted select-none">{number}</span>
            <code className="whitespace-pre">
              {isMarked && <span className="sr-only">fault: </span>}
              <Untrusted text={text} absent=" " />
            </code>
          </span>
        ))}
      </pre>
    </figure>
  );
}
