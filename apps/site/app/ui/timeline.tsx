import { useNow } from '../site/site-data.js';
import { Badge, type Tone } from './status.js';
import { Moment } from './values.js';

export interface TimelineItem {
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly state: 'done' | 'now' | 'ahead' | 'stopped' | 'never';
  readonly at: string | null;
  readonly expectedAt: string | null;
  readonly isReversible: boolean;
}

const STATES: Readonly<
  Record<TimelineItem['state'], { readonly name: string; readonly tone: Tone; readonly mark: string }>
> = {
  done: { name: 'Done', tone: 'good', mark: 'border-good bg-good' },
  now: { name: 'Now', tone: 'accent', mark: 'border-accent bg-surface' },
  ahead: { name: 'Ahead', tone: 'neutral', mark: 'border-line-strong bg-surface' },
  stopped: { name: 'Stopped', tone: 'bad', mark: 'border-bad bg-bad' },
  never: { name: 'Not reached', tone: 'neutral', mark: 'border-line bg-sunken' },
};

/** Stages in their order, each with its state in words, its time, and whether it can still be taken back. */
export function Timeline({ items, label }: { items: readonly TimelineItem[]; label: string }) {
  return (
    <ol aria-label={label} className="ml-1.5 border-l-2 border-line">
      {items.map((item) => (
        <Item key={item.key} item={item} />
      ))}
    </ol>
  );
}

function Item({ item: { title, text, state, at, expectedAt, isReversible } }: { item: TimelineItem }) {
  const { name, tone, mark } = STATES[state];
  return (
    <li aria-current={state === 'now' ? 'step' : undefined} className="relative pb-5 pl-6 last:pb-0">
      <span aria-hidden className={`absolute top-1 -left-[9px] size-4 rounded-full border-2 ${mark}`} />
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="font-semibold">{title}</h3>
        <Badge tone={tone}>{name}</Badge>
        {isReversible && (
          <Badge
            tone="caution"
            title="A reorganisation of the chain can take this stage back until the launch is final."
          >
            Reversible
          </Badge>
        )}
        {at !== null && (
          <span className="text-sm text-muted">
            <Moment at={at} />
          </span>
        )}
      </div>
      {text !== '' && <p className="mt-0.5 max-w-[65ch] text-sm text-muted">{text}</p>}
      {expectedAt !== null && <Expected at={expectedAt} />}
    </li>
  );
}

function Expected({ at }: { at: string }) {
  return (
    <p className="mt-0.5 text-sm text-muted">
      {Date.parse(at) <= useNow() ? (
        'It takes longer than the estimate. You need to do nothing.'
      ) : (
        <>
          Expected <Moment at={at} />. This is an estimate.
        </>
      )}
    </p>
  );
}
