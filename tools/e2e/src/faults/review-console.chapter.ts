import { describe, expect, it } from '@jest/globals';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import type { E2eStack } from '../stacks/own-stack.js';

const TAKES_MS = 240_000;
/** The longest wait for an answer that costs little. */
const PATIENCE_MS = 1_000;
const READS = ['/healthz', `${MULTI_ROLE_BASE_PATH}/capabilities`, `${MULTI_ROLE_BASE_PATH}/finalized`];

const queueOf = ({ stack }: E2eStack, signal = AbortSignal.timeout(PATIENCE_MS)): Promise<Response> =>
  fetch(`${stack.reviewer}/v1/reviewer/queue`, { signal });

/** @returns the longest wait for a public read, in ms. */
async function longestPublicRead({ gateway }: E2eStack): Promise<number> {
  let longest = 0;
  for (const target of READS) {
    const asked = performance.now();
    const { status } = await fetch(`${gateway}${target}`);
    longest = Math.max(longest, performance.now() - asked);
    expect([target, status]).toEqual([target, 200]);
  }
  return longest;
}

/** Proves that the public gateway keeps answering while the review console is blocked or gone. */
export function reviewConsoleAway(stackOf: () => E2eStack): void {
  describe('while the review console is away', () => {
    it(
      'the gateway answers in its usual time beside a blocked console, and the supervisor starts a killed one again',
      async () => {
        const stack = stackOf();
        const { services } = stack;
        const gateway = services.pid('api-gateway');
        const blocked = services.pid('review-console') as number;
        expect((await queueOf(stack)).status).toBe(401);
        process.kill(blocked, 'SIGSTOP');
        try {
          await expect(queueOf(stack)).rejects.toMatchObject({ name: 'TimeoutError' });
          // Other suites may take the cores once; a gateway that waits for the console waits each time.
          let longest = Number.POSITIVE_INFINITY;
          for (let attempt = 0; attempt < 3 && longest >= PATIENCE_MS; attempt += 1)
            longest = await longestPublicRead(stack);
          expect(longest).toBeLessThan(PATIENCE_MS);
        } finally {
          // A stopped process takes no other signal than this.
          await services.kill('review-console', 'SIGKILL');
        }
        await services.up('review-console');
        expect(services.pid('review-console')).not.toBe(blocked);
        expect((await queueOf(stack, AbortSignal.timeout(TAKES_MS))).status).toBe(401);
        expect(services.pid('api-gateway')).toBe(gateway);
      },
      TAKES_MS,
    );
  });
}
