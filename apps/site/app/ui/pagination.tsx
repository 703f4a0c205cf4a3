import { Link } from 'react-router';
import { pagesOf } from './pages-of.js';

const STEP =
  'inline-flex min-h-9 min-w-9 items-center justify-center rounded-md border px-2.5 text-sm no-underline tabular-nums';
const LINK = `${STEP} border-line bg-surface text-ink hover:bg-sunken`;

/** Links to the other pages of a list. It is absent while everything is on one page. */
export function Pagination({
  page,
  totalPages,
  to,
  label,
}: {
  page: number;
  totalPages: number;
  to: (page: number) => string;
  label: string;
}) {
  if (totalPages <= 1) return null;
  return (
    <nav aria-label={label} className="mt-4">
      <ul className="flex flex-wrap items-center gap-1.5">
        {page > 1 && (
          <li>
            <Link to={to(page - 1)} rel="prev" className={LINK}>
              Previous
            </Link>
          </li>
        )}
        {pagesOf(page, totalPages).map((step, index) => (
          <li key={step === 'gap' ? `gap-${index}` : step}>
            {step === 'gap' ? (
              <span aria-hidden className="px-1 text-muted">
                …
              </span>
            ) : step === page ? (
              <span aria-current="page" className={`${STEP} border-accent bg-accent font-semibold text-on-accent`}>
                <span className="sr-only">Page </span>
                {step}
              </span>
            ) : (
              <Link to={to(step)} className={LINK}>
                <span className="sr-only">Page </span>
                {step}
              </Link>
            )}
          </li>
        ))}
        {page < totalPages && (
          <li>
            <Link to={to(page + 1)} rel="next" className={LINK}>
              Next
            </Link>
          </li>
        )}
      </ul>
    </nav>
  );
}
