import { describe, expect, it } from '@jest/globals';
import type { ObservedStage } from '@launch/contracts/orchestration';
import { isTerminal } from '../observe-once.js';
import { isRevertHinted, isHintable, objection } from './fixtures/judge.js';
import { ROUTER_V1_LAUNCHES, type RouterV1Launch } from './fixtures/launch.fixture.js';
import { SimulatedRun } from './fixtures/simulated-run.js';

/**
 * Two modelled chains advance while the rule polls them through two observers each. At most one observer per chain is
 * faulty at a time. The chains judge each claim at the time it is made, and judge whether every launch reaches its end
 * once all faults are over. A failing run names its seed; FINALITY_SEED=<seed> runs that seed alone, FINALITY_RUNS=<n>
 * runs that many from it (or from 1) on.
 */
const FIRST_SEED = Number(process.env['FINALITY_SEED'] ?? 1);
const RUNS = Number(process.env['FINALITY_RUNS'] ?? (process.env['FINALITY_SEED'] === undefined ? 200 : 1));
const POLLS = 60;
/** Polls after the last fault within which the stage must be the truth again. */
const RECOVERY_POLLS = 2;
/** Events between two polls of settling chains, and polls within which every launch has its end. */
const SETTLING_EVENTS = 5;
const SETTLING_POLLS = 60;

const seeds = Array.from({ length: RUNS }, (_, index) => FIRST_SEED + index);

/** Polls once and compares the observation with the chains. @throws Error naming the seed */
async function judged(run: SimulatedRun, chainsMove: boolean): Promise<void> {
  const before = run.memory;
  if (before !== null && isTerminal(before.stage)) return;
  const { observation, during } = await run.poll(chainsMove);
  const against = objection(run, observation, before, during);
  if (against !== null)
    throw new Error(
      `seed ${run.seed} (FINALITY_SEED=${run.seed}), poll ${observation.memory.polls}: ${against}; ${String(observation.reason)}`,
    );
  run.memory = observation.memory;
}

/** @throws Error if the stage is not the truth and the truth can be known. */
function mustKnow(run: SimulatedRun, when: string): void {
  const { truth, world, hints, memory, target } = run;
  // A transaction without a hint that left no stamp cannot be found, but its expiry can.
  const isHinted = isHintable(target) && world.now.sent.some((hash) => hints.includes(hash));
  const isUnseen =
    (truth === 'submitted' && !isHinted) ||
    (truth === 'reverted_finalized' && memory?.stage === 'expired' && !isRevertHinted(world.now, target, hints));
  if (!isUnseen && memory?.stage !== truth)
    throw new Error(
      `seed ${run.seed} (FINALITY_SEED=${run.seed}): ${when} the stage is ${String(memory?.stage)}, the truth is ${truth}`,
    );
}

/**
 * The rule is the same; only the proof of a launch differs. Custom launches have their full number of runs in the
 * gateway's `custom-launch-observation.simulation.spec.ts`, which runs the same simulation.
 */
const runsOf = (through: RouterV1Launch): readonly number[] =>
  through === 'custom launch' ? seeds.slice(0, Math.ceil(RUNS / 16)) : seeds;

async function simulate(seed: number, through?: RouterV1Launch): Promise<ObservedStage> {
  const run = new SimulatedRun(seed, through);
  for (let poll = 0; poll < POLLS; poll++) {
    if (run.random.chance(0.15)) run.breakSomething();
    if (run.random.chance(0.1)) run.heal();
    for (let events = run.random.below(4); events > 0; events--) run.move();
    await judged(run, true);
  }
  run.heal();
  for (let poll = 0; poll < RECOVERY_POLLS; poll++) await judged(run, false);
  mustKnow(run, `${RECOVERY_POLLS} polls after the last fault`);

  for (let poll = 0; poll < SETTLING_POLLS && (run.memory === null || !isTerminal(run.memory.stage)); poll++) {
    for (let events = 0; events < SETTLING_EVENTS; events++) run.settle();
    await judged(run, false);
  }
  mustKnow(run, 'on chains that settled');
  const { stage } = run.memory ?? { stage: 'pending' };
  if (!isTerminal(stage)) throw new Error(`seed ${seed} (FINALITY_SEED=${seed}): ${stage} has no end`);
  return stage;
}

describe('the finality rule over two modelled chains', () => {
  it(`claims no stage the chains do not have, falls for no observer, and brings every launch to its end (${RUNS} runs from seed ${FIRST_SEED})`, async () => {
    const ends: Record<string, number> = {};
    for (const seed of seeds) {
      const end = await simulate(seed);
      ends[end] = (ends[end] ?? 0) + 1;
    }
    // The runs must reach every end; otherwise they prove nothing about it.
    if (RUNS >= 200)
      expect(Object.keys(ends)).toEqual(expect.arrayContaining(['finalized', 'reverted_finalized', 'expired']));
  });

  it.each(ROUTER_V1_LAUNCHES)('holds for router V1: %s', async (through) => {
    const ends = new Set<ObservedStage>();
    for (const seed of runsOf(through)) ends.add(await simulate(seed, through));
    if (RUNS >= 200) expect([...ends]).toContain('finalized');
  });

  it('is checked by an effective judge: observers that collude on a fork deceive the rule but not the chains', async () => {
    const run = new SimulatedRun(1);
    for (let events = 0; events < 5; events++) run.settle();
    run.send();
    expect(run.truth).toBe('submitted');
    run.collude();
    await expect(judged(run, false)).rejects.toThrow(
      /finalized is permanent: pending became finalized, the truth was submitted/,
    );
  });
});
