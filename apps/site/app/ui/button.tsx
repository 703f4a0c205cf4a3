import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'react-router';

type Look = 'primary' | 'secondary';

const LOOKS: Readonly<Record<Look, string>> = {
  primary: 'border-accent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border-line-strong bg-surface text-ink hover:bg-sunken',
};
const SHAPE =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-lg border px-4 py-2 text-sm font-semibold no-underline disabled:cursor-not-allowed disabled:opacity-60';

/** A button. `isBusy` disables it and says so to assistive technology. */
export function Button({
  look = 'secondary',
  isBusy = false,
  children,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { look?: Look; isBusy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      disabled={isBusy || rest.disabled}
      aria-busy={isBusy}
      className={`${SHAPE} ${LOOKS[look]}`}
    >
      {children}
    </button>
  );
}

/** A link to a page of the site that looks like a button. */
export const ButtonLink = ({ to, look = 'secondary', children }: { to: string; look?: Look; children: ReactNode }) => (
  <Link to={to} className={`${SHAPE} ${LOOKS[look]}`}>
    {children}
  </Link>
);
