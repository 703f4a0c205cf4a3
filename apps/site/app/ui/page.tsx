import type { ReactNode } from 'react';

/** The heading of a page, its introduction in one sentence, and actions beside it. */
export function PageHeader({
  title,
  children,
  actions,
}: {
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-4">
      <div>
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        {children !== undefined && <div className="mt-1 max-w-[65ch] text-muted">{children}</div>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  );
}

/** A titled part of a page. `id` makes it a target of links. */
export function Section({
  id,
  title,
  intro,
  children,
}: {
  id?: string;
  title: string;
  intro?: ReactNode;
  children: ReactNode;
}) {
  const headingId = id === undefined ? undefined : `${id}-title`;
  return (
    <section id={id} aria-labelledby={headingId} className="mt-8">
      <h2 id={headingId} className="text-xl font-semibold tracking-tight">
        {title}
      </h2>
      {intro !== undefined && <p className="mt-1 max-w-[65ch] text-sm text-muted">{intro}</p>}
      <div className="mt-3">{children}</div>
    </section>
  );
}

/** A surface that groups content. */
export const Card = ({ children, className = '' }: { children: ReactNode; className?: string }) => (
  <div className={`rounded-xl border border-line bg-surface p-4 sm:p-5 ${className}`}>{children}</div>
);

/** Facts as a list of terms and values; each value can be any element. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[minmax(9rem,14rem)_1fr]">{children}</dl>;
}
export function Fact({ term, children }: { term: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-sm text-muted sm:pt-px">{term}</dt>
      <dd className="mb-2 min-w-0 sm:mb-0">{children}</dd>
    </>
  );
}
