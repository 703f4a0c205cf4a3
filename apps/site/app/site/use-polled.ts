import { useEffect, useEffectEvent, useState } from 'react';
import { ownerFailureOf } from './owner-read.js';
import { nextReadAfter, UNREAD, type Polled } from './polling.js';

/**
 * Reads in the browser, again and again while the page is visible, and keeps the last value through failures.
 * @param subject a change of it forgets the value and reads anew
 * @param pauseOf milliseconds after a value; null ends the reading
 */
export function usePolled<Value>(
  subject: string,
  read: () => Promise<Value>,
  pauseOf: (value: Value) => number | null,
): Polled<Value> & { readonly readNow: () => void } {
  const [polled, setPolled] = useState<Polled<Value>>(UNREAD);
  const [round, setRound] = useState(0);
  const readOnce = useEffectEvent(read);
  const pauseAfter = useEffectEvent(pauseOf);

  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last: Polled<Value> = UNREAD;
    setPolled((held) => (round === 0 ? UNREAD : held));

    const again = (): void => {
      const pause = nextReadAfter(last, last.value === null ? null : pauseAfter(last.value));
      if (pause !== null && !isOver) timer = setTimeout(attempt, pause);
    };
    const attempt = (): void => {
      clearTimeout(timer);
      if (document.hidden) return;
      void readOnce()
        .then((value): Polled<Value> => ({ value, readAt: Date.now(), failure: null, failures: 0 }))
        .catch((error: unknown) => ({ ...last, failure: ownerFailureOf(error), failures: last.failures + 1 }))
        .then((next) => {
          if (isOver) return;
          last = next;
          setPolled((held) =>
            next.value === null ? { ...held, failure: next.failure, failures: next.failures } : next,
          );
          again();
        })
        // A fault of the site itself belongs to the error page.
        .catch((error: unknown) =>
          setPolled(() => {
            throw error;
          }),
        );
    };
    const onVisibility = (): void => {
      if (document.hidden) clearTimeout(timer);
      else if (last === UNREAD || nextReadAfter(last, last.value === null ? null : pauseAfter(last.value)) !== null)
        attempt();
    };
    document.addEventListener('visibilitychange', onVisibility);
    attempt();
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [subject, round]);

  return { ...polled, readNow: () => setRound((count) => count + 1) };
}
