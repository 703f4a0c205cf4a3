import type { ReactNode } from 'react';

/** Content that the reader opens. It works without JavaScript. */
export const Disclosure = ({ summary, children }: { summary: ReactNode; children: ReactNode }) => (
  <details className="group">
    <summary className="inline-flex min-h-6 cursor-pointer items-center gap-1 text-sm font-medium text-accent underline-offset-4 hover:underline">
      {summary}
    </summary>
    <div className="mt-2 border-l-2 border-line pl-4">{children}</div>
  </details>
);
