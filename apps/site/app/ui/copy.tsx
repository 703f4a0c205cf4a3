import { useEffect, useState } from 'react';

const SHOWN_MS = 2_000;

/** Copies an exact value. Without JavaScript it is absent; the value itself is always selectable text. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    navigator.clipboard.writeText(value).then(
      () => setState('copied'),
      () => setState('refused'),
    );
  };
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={`Copy ${label}`}
      title={`Copy ${label}`}
      className="needs-script inline-flex min-h-6 min-w-6 items-center justify-center gap-1 rounded text-xs font-normal text-muted hover:bg-sunken hover:text-ink"
    >
      {state === 'copied' ? <CopiedMark /> : <CopyMark />}
      <span aria-live="polite">{state === 'copied' ? 'Copied' : state === 'refused' ? 'Select and copy' : ''}</span>
    </button>
  );
}

const MARK = {
  viewBox: '0 0 16 16',
  width: 14,
  height: 14,
  fill: 'none',
  strokeWidth: 1.5,
  'aria-hidden': true,
} as const;
const CopyMark = () => (
  <svg {...MARK} className="stroke-current">
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
  </svg>
);
const CopiedMark = () => (
  <svg {...MARK} className="stroke-good">
    <path d="m3 8.5 3.5 3.5 6.5-8" />
  </svg>
);

/** A command or a document that the reader copies as a whole. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="relative">
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="overflow-x-auto rounded-lg border border-line bg-sunken p-4 pr-14 text-sm"
      >
        {/* Its own colour: an inherited one can stay that of the other theme after a change. */}
        <code className="text-ink">{code}</code>
      </pre>
      <span className="absolute top-px right-px rounded-lg bg-sunken p-2">
        <CopyButton value={code} label={label} />
      </span>
    </div>
  );
}
