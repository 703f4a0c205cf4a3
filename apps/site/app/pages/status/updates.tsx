import { useEffect, useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { Button } from '../../ui/button.js';
import { Moment } from '../../ui/values.js';

const INTERVAL_MS = 20_000;

/**
 * Says when the page was read and, with scripts, reads it again while it is visible. The visitor can pause that. Without scripts the
 * link reads it again.
 */
export function Updates({ readAt }: { readAt: string }) {
  const { revalidate, state } = useRevalidator();
  const [mode, setMode] = useState<'without scripts' | 'updating' | 'paused'>('without scripts');
  useEffect(() => setMode('updating'), []);
  useEffect(() => {
    if (mode !== 'updating') return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, INTERVAL_MS);
    return () => clearInterval(timer);
  }, [mode, revalidate]);
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm text-muted">
      <span>
        Updated <Moment at={readAt} />
        {mode === 'updating' && `, again every ${INTERVAL_MS / 1_000} seconds`}
      </span>
      {mode === 'without scripts' ? (
        <Link to="/status" reloadDocument className="inline-flex min-h-6 items-center underline">
          Read again
        </Link>
      ) : (
        <Button isBusy={state === 'loading'} onClick={() => setMode(mode === 'paused' ? 'updating' : 'paused')}>
          {mode === 'paused' ? 'Resume updates' : 'Pause updates'}
        </Button>
      )}
    </div>
  );
}
