import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** The heading of a page, its introduction in one sentence, and actions beside it. `parent` is the list that it belongs to. */
export function PageHeader({
  title,
  parent,
  children,
  actions,
}: {
  title: ReactNode;
  parent?: readonly [to: string, name: string];
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0">
        {parent !== undefined && (
          <nav aria-label="Breadcrumb" className="mb-1 text-sm">
            <Link to={parent[0]} className="inline-flex min-h-6 items-center gap-1 underline-offset-4 hover:underline">
              <svg
                viewBox="0 0 16 16"
                width={14}
                height={14}
                fill="none"
                strokeWidth={1.5}
                aria-hidden
                className="stroke-current"
              >
                <path d="M10 3 5 8l5 5" />
              </svg>
              {parent[1]}
            </Link>
          </nav>
        )}
        <h1 className="text-2xl wrap-anywhere font-semibold tracking-tight">{title}</h1>
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
  return <dl className="grid gap-x-6 sm:grid-cols-[minmax(9rem,14rem)_1fr] sm:gap-y-3">{children}</dl>;
}
export function Fact({ term, children }: { term: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-sm text-muted sm:pt-px">{term}</dt>
      <dd className="mb-3 min-w-0 last:mb-0 sm:mb-0">{children}</dd>
    </>
  );
}
