import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CHAIN_BASE_PATH } from '@launch/contracts/primitives';
import { runFaultCommand } from '@launch/start';
import { customLaunchReleaseIsReady } from '../fixtures/custom-launch-release.fixture.js';
import { ChainFaults } from '../fixtures/chain-faults.fixture.js';
import { Launcher, PATIENCE_MS, type HandedOff } from '../fixtures/launcher.fixture.js';
import { withOwnController, type E2eStack } from '../stacks/own-stack.js';

const POLL_MS = 200;
const QUOTE = `${CHAIN_BASE_PATH}/initial-buy-quote`;
const READINESS = `${CHAIN_BASE_PATH}/readiness`;

/** The faults of `npm run dev:fault`, each with the effect that docs/guides/provoke-faults.md states. */
export function provokedFaults(open: () => E2eStack): void {
  describe('dev:fault', () => {
    let stack: E2eStack;
    let launcher: Launcher;
    const waiting: HandedOff[] = [];
    beforeAll(async () => {
      stack = await withOwnController(open());
      await customLaunchReleaseIsReady(stack);
      launcher = await Launcher.open(stack);
      const created: string[] = [];
      while (created.length < STAYING.length + 1) created.push(await launcher.create(await launcher.prepare()));
      for (const launchId of created) waiting.push(await launcher.handedOff(launchId));
    }, 2 * PATIENCE_MS);

    const fault = async (...args: string[]): Promise<void> => {
      const { exitCode, stderr } = await runFaultCommand(args, stack.dir);
      expect([exitCode, stderr]).toEqual([0, '']);
    };
    const finalityOf = async (launchId: string) => (await launcher.api.get(launchId)).finality;
    type Finality = Awaited<ReturnType<typeof finalityOf>>;
    async function finalityUntil(launchId: string, fits: (finality: Finality) => boolean): Promise<Finality> {
      for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(POLL_MS)) {
        const finality = await finalityOf(launchId);
        if (fits(finality)) return finality;
        if (Date.now() > deadline) throw new Error(`finality stays ${JSON.stringify(finality)}`);
      }
    }
    async function answerUntil(route: string, status: number, text: string): Promise<Response> {
      for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(POLL_MS)) {
        const answer = await fetch(`${stack.gateway}${route}`);
        const body = await answer.text();
        if (answer.status === status && body.includes(text)) return answer;
        if (Date.now() > deadline) throw new Error(`${route} answers ${answer.status} ${body}`);
      }
    }

    it.each([
      ['a stale price feed', ['price-feed']],
      ['a price far from the other chain’s', ['price-feed', '--usd', '100']],
      ['an outage of the chain’s providers', ['outage']],
    ])(
      'makes the quote 503 with Retry-After under %s, until the fault is cleared',
      async (_what, args) => {
        await answerUntil(QUOTE, 200, '"ethUsd"');
        await fault(...args);
        const answer = await answerUntil(QUOTE, 503, 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED');
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        await answerUntil(READINESS, 200, 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED');
        await fault('--clear');
        await answerUntil(QUOTE, 200, '"ethUsd"');
      },
      PATIENCE_MS,
    );

    it.each(STAYING)(
      'leaves a launch at its last agreed state under %s, until the fault is cleared',
      async (_what, args, { state, status }) => {
        const chains = new ChainFaults(stack);
        const launch = waiting.pop()!;
        await fault(...args);
        const hash = await launcher.send(launch);
        await chains.until(hash, (truth) => truth.state === 'finalized');
        const finality = await finalityUntil(
          launch.launchId,
          (one) => one.observation?.status === status && one.state === state,
        );
        expect(finality.finalizedAt).toBeNull();
        expect((await launcher.api.get(launch.launchId)).status).toBe('submitted');
        await fault('--clear');
        const after = await launcher.finalized(launch.launchId);
        expect(after.finality.observation?.status).toBe('agreed');
      },
      2 * PATIENCE_MS,
    );

    it(
      'takes the inclusion of a launch back under a reorganisation, until its transaction is sent again',
      async () => {
        const launch = waiting.pop()!;
        await fault('hold-finality');
        const hash = await launcher.send(launch);
        await finalityUntil(launch.launchId, ({ inclusion }) => inclusion !== null);
        await fault('reorg', '--transaction', hash);
        const { state } = await finalityUntil(launch.launchId, ({ inclusion }) => inclusion === null);
        expect(state).toBe('pending');
        await fault('--clear');
        await launcher.finalized(launch.launchId);
      },
      2 * PATIENCE_MS,
    );
  });
}

interface Staying {
  readonly state: string;
  readonly status: 'agreed' | 'indeterminate';
}
/** Faults with the state at which a launch stays that is sent under them. */
const STAYING: readonly (readonly [what: string, args: readonly string[], at: Staying])[] = [
  ['a lagging provider', ['lag'], { state: 'pending', status: 'indeterminate' }],
  ['a lying provider', ['lie'], { state: 'pending', status: 'indeterminate' }],
  ['an outage of one provider', ['outage', '--provider', 'second'], { state: 'pending', status: 'indeterminate' }],
  ['held finality', ['hold-finality'], { state: 'included', status: 'agreed' }],
];
