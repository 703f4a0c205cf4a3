import { useEffect, useState } from 'react';
import { NavLink, useNavigation } from 'react-router';
import { chooseTheme, THEME_KEY, THEMES, type Theme } from './theme.js';

const PAGES = [
  ['/', 'Explore'],
  ['/modules', 'Modules'],
  ['/launches', 'My launches'],
  ['/author', 'My modules'],
  ['/docs', 'Developers'],
  ['/status', 'Status'],
] as const;

/** The name of the site and its main pages. */
export function SiteHeader() {
  const isLoading = useNavigation().state === 'loading';
  return (
    <header className="z-40 border-b border-line bg-surface sm:sticky sm:top-0">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-1 px-4 py-1.5 sm:px-6 sm:py-2">
        <NavLink to="/" className="py-2 text-lg font-bold text-ink no-underline">
          Custom Launch
        </NavLink>
        <nav aria-label="Main" className="-mx-2 flex flex-wrap">
          {PAGES.map(([to, name]) => (
            <NavLink
              key={to}
              to={to}
              end={to === '/'}
              className={({ isActive }) =>
                `rounded-md px-2 py-2 text-sm no-underline ${isActive ? 'font-semibold text-accent' : 'text-ink hover:bg-sunken'}`
              }
            >
              {name}
            </NavLink>
          ))}
        </nav>
        <span role="status" className="ml-auto text-xs text-muted">
          {isLoading ? 'Loading…' : ''}
        </span>
      </div>
    </header>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useState<Theme | null>(null);
  useEffect(() => {
    const kept = localStorage.getItem(THEME_KEY);
    setTheme(THEMES.find((one) => one === kept) ?? 'system');
  }, []);
  if (theme === null) return null;
  return (
    <label className="flex items-center gap-2">
      Theme
      <select
        value={theme}
        onChange={(event) => {
          const chosen = THEMES.find((one) => one === event.target.value) ?? 'system';
          chooseTheme(chosen);
          setTheme(chosen);
        }}
        className="min-h-9 rounded-md border border-line-strong bg-surface px-2 text-ink"
      >
        <option value="system">as the device</option>
        <option value="light">light</option>
        <option value="dark">dark</option>
      </select>
    </label>
  );
}

/** A reminder for buyers, and the theme. */
export function SiteFooter() {
  return (
    <footer className="mt-12 border-t border-line">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-4 px-4 py-6 text-sm text-muted sm:px-6">
        <p className="max-w-[60ch]">
          This site shows facts that the service recorded and how to check them. It recommends no coin. Names, images
          and links are the launcher&rsquo;s own words.
        </p>
        <ThemeChoice />
      </div>
    </footer>
  );
}
