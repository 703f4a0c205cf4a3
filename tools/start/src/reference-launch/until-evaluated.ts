import { setTimeout as sleep } from 'node:timers/promises';

/** The pause that the answer itself advises (`retryAfterSeconds`). */
const PAUSE_MS = 5_000;
const PATIENCE_MS = 300_000;

/**
 * Asks until the service can answer. On a machine that does other things as well a compile may take longer than the
 * service lets a preflight wait.
 * @param pends Whether an answer says to ask again, such as `PREFLIGHT_PENDING`.
 * @returns The first other answer, or after five minutes the last.
 */
export async function untilEvaluated<Answer>(
  ask: () => Promise<Answer>,
  pends: (answer: Answer) => boolean,
): Promise<Answer> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (!pends(answer) || Date.now() > deadline) return answer;
    await sleep(PAUSE_MS);
  }
}
