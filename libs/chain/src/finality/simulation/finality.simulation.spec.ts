import { describe, expect, it } from '@jest/globals';
import type { ObservationMemory, ObservedStage } from '@launch/contracts/orchestration';
import { isTerminal, observeOnce, type Observation } from '../observe-once.js';
import type { L1FinalityObserver, L2FinalityObserver, Look } from '../ports.types.js';
import { FAULTS, faultyL1, faultyL2, moving, type Fault } from './faults.js';
import { launchFixture, word } from './launch.fixture.js';
import { seededRandom, type Random } from './random.js';
import { FOREIGN_TRANSACTION, honestL1, honestL2 } from './views.js';
import { l2Head, truthOf, World, type Snapshot } from './world.js';

/**
 * Two modelled chains move by themselves while the rule looks at them through two
 * observers each, at most one of a chain being bad. The chains themselves are the judge.
 * A failing run names its seed; FINALITY_SEED=<seed> runs that one alone, FINALITY_RUNS=<n> as many from it (or from 1) on.
 */
const FIRST_SEED = Number(process.env['FINALITY_SEED'] ?? 1);
const RUNS = Number(process.env['FINALITY_RUNS'] ?? (process.env['FINALITY_SEED'] === undefined ? 200 : 1));
const POLLS = 60;
/** Polls after the last fault within which the stage must be the truth again. */
const RECOVERY_POLLS = 2;
const START = 1_700_000_000n;

const seeds = Array.from({ length: RUNS }, (_, index) => FIRST_SEED + index);

const RANK: Readonly<Record<ObservedStage, number>> = { pending: 0, submitted: 1, expired: 1, reverted_finalized: 1, included: 2, posted: 3, finalized: 4 };

class Run {
  readonly random: Random;
  readonly target;
  readonly world: World;
  readonly hints: string[] = [];
  memory: ObservationMemory | null = null;
  private bad: { l2: Fault | null; l1: Fault | null; lag: number } = { l2: null, l1: null, lag: 0 };

  constructor(seed: number) {
    this.random = seededRandom(seed);
    this.target = launchFixture({ validAfter: START, deadline: START + BigInt(200 + this.random.below(1_500)) });
    this.world = new World(this.target, START, 3 + this.random.below(5));
    if (this.random.chance(0.5)) this.hints.push(FOREIGN_TRANSACTION);
    if (this.random.chance(0.5)) this.hints.push(word('a hash that is no transaction'));
  }

  /** One event of the chains. */
  move(): void {
    const { random, world } = this;
    const event = random.next();
    if (event < 0.4) world.mineL2(BigInt(5 + random.below(25)), random.chance(0.6) ? random.pick(['success', 'success', 'success', 'reverted']) : null);
    else if (event < 0.75) world.mineL1(12n, random.chance(0.6));
    else if (event < 0.85) this.send();
    else if (event < 0.92) world.reorgL1(1 + random.below(4));
    else world.reorgL2(1 + random.below(4), random.pick(['drop', 'keep', 'revert']));
  }

  private send(): void {
    const { sent } = this.world.now;
    if (sent.length === 2) return;
    const hash = this.world.send();
    if (this.random.chance(0.6)) this.hints.push(hash);
  }

  breakSomething(): void {
    const { random } = this;
    this.bad = { l2: random.chance(0.5) ? random.pick(FAULTS) : null, l1: random.chance(0.5) ? random.pick(FAULTS) : null, lag: 1 + random.below(12) };
  }

  heal(): void {
    this.bad = { l2: null, l1: null, lag: 0 };
  }

  async poll(chainsMove: boolean): Promise<{ observation: Observation; during: readonly Snapshot[] }> {
    const from = this.world.history.length - 1;
    const look = this.look(chainsMove);
    const observation = await observeOnce(look, this.memory, this.hints);
    return { observation, during: this.world.history.slice(from) };
  }

  private look(chainsMove: boolean): Look {
    const { random, target, world, bad } = this;
    const now = (): Snapshot => world.now;
    const behind = (): Snapshot => world.history[Math.max(0, world.history.length - 1 - bad.lag)] ?? world.now;
    const maybeMove = (): void => {
      if (chainsMove && random.chance(0.03)) this.move();
    };
    const l2: [L2FinalityObserver, L2FinalityObserver] = [
      honestL2('l2-a', target, now),
      bad.l2 === null ? honestL2('l2-b', target, now) : faultyL2('l2-b', bad.l2, target, random, now, behind),
    ];
    const l1: [L1FinalityObserver, L1FinalityObserver] = [
      bad.l1 === null ? honestL1('l1-a', now) : faultyL1('l1-a', bad.l1, target, random, now, behind),
      honestL1('l1-b', now),
    ];
    return {
      l2: [moving(l2[0], maybeMove), moving(l2[1], maybeMove)],
      l1: [moving(l1[0], maybeMove), moving(l1[1], maybeMove)],
      target,
      now: () => Number(l2Head(world.now).timestamp) * 1_000,
    };
  }

  /** A revert leaves no stamp to be found by: without a hint its permit merely runs out. */
  private knowsRevert(): boolean {
    const { deadline } = this.target.window;
    return this.world.now.l2.some(({ timestamp, launches }) => timestamp <= deadline && launches.some(({ hash }) => this.hints.includes(hash)));
  }

  /** What the chains say against an observation, or null. */
  objection(observation: Observation, before: ObservationMemory | null, during: readonly Snapshot[]): string | null {
    const truths = during.map((at) => truthOf(at, this.target));
    const highest = Math.max(...truths.map((truth) => RANK[truth]));
    const { stage, inclusion } = observation.memory;
    const was = before?.stage ?? 'pending';
    if (stage === 'submitted' && observation.memory.transactionHash !== null) {
      return this.world.now.sent.includes(observation.memory.transactionHash as `0x${string}`) ? null : 'submitted, but nobody sent it';
    }
    if (stage === 'expired' && truths.at(-1) === 'reverted_finalized' && !this.knowsRevert()) return null;
    if (isTerminal(stage)) return truths.at(-1) === stage ? null : `${stage} is for ever, but the truth is ${String(truths.at(-1))}`;
    const rose = RANK[stage] > RANK[was];
    if ((rose || observation.status === 'agreed') && RANK[stage] > highest) return `${stage} claimed, the truth never was above ${truths.join(', ')}`;
    const fresh = inclusion !== null && inclusion.blockHash !== before?.inclusion?.blockHash;
    if (fresh && !during.some(({ l2 }) => l2.some(({ hash }) => hash === inclusion.blockHash))) return 'included in a block that was in no chain';
    return null;
  }
}

async function simulate(seed: number): Promise<ObservedStage> {
  const run = new Run(seed);
  for (let poll = 0; poll < POLLS; poll++) {
    if (run.random.chance(0.15)) run.breakSomething();
    if (run.random.chance(0.1)) run.heal();
    for (let events = run.random.below(4); events > 0; events--) run.move();
    await judged(run, seed, true);
  }
  run.heal();
  for (let poll = 0; poll < RECOVERY_POLLS; poll++) await judged(run, seed, false);
  const truth = truthOf(run.world.now, run.target);
  // What was sent without a hint, and left no stamp, cannot be found; that it expires can.
  const hinted = run.world.now.sent.some((hash) => run.hints.includes(hash));
  const unseen = (truth === 'submitted' && !hinted) || (truth === 'reverted_finalized' && run.memory?.stage === 'expired');
  if (!unseen && run.memory?.stage !== truth) {
    throw new Error(`seed ${seed}: ${RECOVERY_POLLS} polls after the last fault the stage is ${String(run.memory?.stage)}, the truth ${truth}`);
  }
  return run.memory?.stage ?? 'pending';
}

async function judged(run: Run, seed: number, chainsMove: boolean): Promise<void> {
  const before = run.memory;
  if (before !== null && isTerminal(before.stage)) return;
  const { observation, during } = await run.poll(chainsMove);
  const objection = run.objection(observation, before, during);
  if (objection !== null) throw new Error(`seed ${seed} (FINALITY_SEED=${seed}), poll ${observation.memory.polls}: ${objection}; ${String(observation.reason)}`);
  run.memory = observation.memory;
}

describe('the finality rule over two modelled chains', () => {
  it(`claims no stage the chains do not have, and recovers (${seeds.length} runs from seed ${FIRST_SEED})`, async () => {
    const ends: Record<string, number> = {};
    for (const seed of seeds) {
      const end = await simulate(seed);
      ends[end] = (ends[end] ?? 0) + 1;
    }
    // The runs must reach every end, or they prove nothing about it.
    if (seeds.length > 1) expect(Object.keys(ends)).toEqual(expect.arrayContaining(['finalized', 'reverted_finalized', 'expired']));
  });

  it('catches a rule that trusts one observer', async () => {
    // The judge itself must be able to object: a stage that only one observer could have shown.
    const run = new Run(1);
    const { observation, during } = await run.poll(false);
    const forged: Observation = { ...observation, memory: { ...observation.memory, stage: 'finalized' } };
    expect(run.objection(forged, null, during)).toMatch(/for ever/);
    expect(run.objection({ ...forged, memory: { ...forged.memory, stage: 'included' } }, null, during)).toMatch(/claimed/);
  });
});
