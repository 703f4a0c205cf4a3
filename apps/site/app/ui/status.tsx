import type { ReactNode } from 'react';
import type { Read } from '../site/gateway.js';

export type Tone = 'neutral' | 'good' | 'caution' | 'bad' | 'accent';

const BADGE: Readonly<Record<Tone, string>> = {
  neutral: 'border-line bg-sunken text-ink',
  good: 'border-good/40 bg-good-soft text-good',
  caution: 'border-caution/40 bg-caution-soft text-caution',
  bad: 'border-bad/40 bg-bad-soft text-bad',
  accent: 'border-accent/40 bg-surface text-accent',
};

/** A short state. The text alone carries the meaning; the colour repeats it. */
export const Badge = ({ tone = 'neutral', children, title }: { tone?: Tone; children: ReactNode; title?: string }) => (
  <span
    title={title}
    className={`inline-flex items-center whitespace-nowrap rounded-full border px-2.5 py-0.5 text-xs font-medium ${BADGE[tone]}`}
  >
    {children}
  </span>
);

const NOTICE_ROLE: Readonly<Record<Tone, 'status' | 'alert'>> = {
  neutral: 'status',
  good: 'status',
  caution: 'status',
  accent: 'status',
  bad: 'alert',
};

/** A sentence that the reader needs before they go on, with a remedy. */
export function Notice({ tone = 'neutral', title, children }: { tone?: Tone; title: string; children?: ReactNode }) {
  return (
    <div role={NOTICE_ROLE[tone]} className={`rounded-xl border p-4 ${BADGE[tone]}`}>
      <p className="font-semibold">{title}</p>
      {children !== undefined && <div className="mt-1 text-sm text-ink [&_code]:text-ink">{children}</div>}
    </div>
  );
}

/** An empty list, with what the reader can do about it. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="rounded-xl border border-dashed border-line-strong p-8 text-center">
    <p className="font-semibold">{title}</p>
    {children !== undefined && <div className="mt-1 text-sm text-muted">{children}</div>}
  </div>
);

/** Content that is still loading, in its place. */
export const Loading = ({ label }: { label: string }) => (
  <div role="status" className="flex items-center gap-3 rounded-xl border border-line bg-surface p-5 text-muted">
    <span aria-hidden className="size-4 animate-spin rounded-full border-2 border-line-strong border-t-transparent" />
    {label}
  </div>
);

/** Makes a sentence of a message that begins in lowercase and has no full stop. */
export const asSentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;

/** Says why a read has no value. @param subject the thing that the page could not read, such as "the coin" */
export function Unread({ read, subject }: { read: Exclude<Read<unknown>, { is: 'value' }>; subject: string }) {
  if (read.is === 'absent') return <Empty title={`The service does not have ${subject}.`}>{read.message}</Empty>;
  return (
    <Notice tone="bad" title={`The site could not read ${subject} from the service.`}>
      <p>
        {asSentence(read.message)} Reload the page to try again. The page shows nothing from memory, because it may be
        out of date.
      </p>
      <p className="mt-1 text-muted">
        Code <code>{read.code}</code>
        {read.requestId !== null && (
          <>
            , request <code>{read.requestId}</code>
          </>
        )}
      </p>
    </Notice>
  );
}
