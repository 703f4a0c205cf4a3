import { useEffect, useState } from 'react';
import { useRouteLoaderData } from 'react-router';
import type { loader } from '../root.js';
import type { PublicSettings } from './settings.js';

/** Returns the settings of the site. */
export function useSettings(): PublicSettings {
  const data = useRouteLoaderData<typeof loader>('root');
  if (data === undefined) throw new Error('the root has no data');
  return data.settings;
}

const TICK_MS = 15_000;

/**
 * Returns the time in milliseconds, kept current in the browser. It begins with the time at which the server rendered the page, so
 * that both renderings of a relative time agree.
 */
export function useNow(): number {
  const renderedAt = useRouteLoaderData<typeof loader>('root')?.renderedAt ?? 0;
  const [now, setNow] = useState(renderedAt);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
