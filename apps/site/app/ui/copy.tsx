import { useEffect, useState } from 'react';

const SHOWN_MS = 2_000;

/** Copies an exact value. Without JavaScript it is absent; the value itself is always selectable text. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const [state, setState] = useState<'absent' | 'ready' | 'copied' | 'refused'>('absent');
  useEffect(() => setState('ready'), []);
  useEffect(() => {
    if (state !== 'copied' && state !== 'refused') return;
    const timer = setTimeout(() => setState('ready'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  if (state === 'absent') return null;
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
      className="inline-flex min-h-6 min-w-6 items-center justify-center rounded border border-line bg-surface px-1.5 text-xs text-muted hover:bg-sunken"
    >
      <span aria-live="polite">{state === 'copied' ? 'Copied' : state === 'refused' ? 'Select and copy' : 'Copy'}</span>
    </button>
  );
}

/** A command or a document that the reader copies as a whole. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="relative">
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="overflow-x-auto rounded-lg border border-line bg-sunken p-4 pr-20 text-sm"
      >
        <code>{code}</code>
      </pre>
      <span className="absolute top-2 right-2">
        <CopyButton value={code} label={label} />
      </span>
    </div>
  );
}
