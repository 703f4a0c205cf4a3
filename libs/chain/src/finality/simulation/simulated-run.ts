import type { ObservationMemory, ObservedStage } from '@launch/contracts/orchestration';
import { ETHEREUM_FINALITY_RULE_V1 } from '../finality-rules.js';
import { observeOnce, type Observation } from '../observe-once.js';
import type { L1FinalityObserver, L2FinalityObserver, Look } from '../ports.types.js';
import { FAULTS, faultyL1, faultyL2, moving, type Fault, type Views } from './faults.js';
import { launchFixture, word } from './launch.fixture.js';
import { seededRandom, type Random } from './random.js';
import { FOREIGN_TRANSACTION, honestL1, honestL2 } from './views.js';
import { forkOf, l2Head, truthOf, World, type Snapshot } from './world.js';

const START = 1_700_000_000n;
const LONGEST_LAG = 12;

/** One observer of a chain that is bad, and which of the two it is. */
interface Bad {
  readonly fault: Fault;
  readonly side: 0 | 1;
}

/** One launch, the chains under it, and what is wrong with their observers; all of it from a seed. */
export class SimulatedRun {
  readonly random: Random;
  readonly target;
  readonly world: World;
  readonly hints: string[] = [];
  memory: ObservationMemory | null = null;
  private bad: {
    readonly l2: readonly Bad[];
    readonly l1: readonly Bad[];
    readonly lag: number;
    readonly fork: string;
  } = { l2: [], l1: [], lag: 0, fork: '' };
  private readonly forks = new WeakMap<Snapshot, Snapshot>();

  constructor(readonly seed: number) {
    this.random = seededRandom(seed);
    const { random } = this;
    this.target = launchFixture(
      { validAfter: START, deadline: START + BigInt(200 + random.below(1_500)) },
      0n,
      random.pick(['v2', 'v3']),
    );
    this.world = new World(this.target, START, 3 + random.below(5));
    if (random.chance(0.5)) this.hints.push(FOREIGN_TRANSACTION);
    if (random.chance(0.5)) this.hints.push(word('a hash that is no transaction'));
  }

  get truth(): ObservedStage {
    return truthOf(this.world.now, this.target);
  }

  /** One event of the chains. */
  move(): void {
    const { random, world } = this;
    const event = random.next();
    if (event < 0.4)
      world.mineL2(
        BigInt(5 + random.below(25)),
        random.chance(0.6) ? random.pick(['success', 'success', 'success', 'reverted']) : null,
      );
    else if (event < 0.75) world.mineL1(12n, random.chance(0.6));
    else if (event < 0.85) this.send();
    else if (event < 0.91) world.reorgL1(1 + random.below(4), random.pick(['drop', 'keep', 'move']));
    else if (event < 0.98) world.reorgL2(1 + random.below(4), random.pick(['drop', 'keep', 'revert']));
    else world.reorgPosted(random.pick(['drop', 'keep', 'revert']));
  }

  /** What chains do that nothing is wrong with: everything sent is mined, everything mined is posted. */
  settle(): void {
    this.world.mineL2(20n, 'success');
    this.world.mineL1(12n, true);
  }

  send(): void {
    const { sent } = this.world.now;
    if (sent.length === 2) return;
    const hash = this.world.send();
    if (this.random.chance(0.6)) this.hints.push(hash);
  }

  /** At most one observer of a chain goes bad; which of both may change while the other heals. */
  breakSomething(): void {
    const { random } = this;
    const one = (): Bad[] => (random.chance(0.5) ? [{ fault: random.pick(FAULTS), side: random.pick([0, 1]) }] : []);
    this.bad = { l2: one(), l1: one(), lag: 1 + random.below(LONGEST_LAG), fork: `fork ${random.below(1_000)}` };
  }

  /** Beyond what the rule withstands: all four observers tell of the same fork. */
  collude(): void {
    const both: Bad[] = [
      { fault: 'forked', side: 0 },
      { fault: 'forked', side: 1 },
    ];
    this.bad = { l2: both, l1: both, lag: 0, fork: 'a conspiracy' };
  }

  heal(): void {
    this.bad = { l2: [], l1: [], lag: 0, fork: '' };
  }

  /** One look. @returns what was seen, and every state of the chains from its beginning to its end. */
  async look(
    chainsMove: boolean,
  ): Promise<{ readonly observation: Observation; readonly during: readonly Snapshot[] }> {
    const from = this.world.history.length - 1;
    const observation = await observeOnce(this.eyes(chainsMove), this.memory, this.hints);
    return { observation, during: this.world.history.slice(from) };
  }

  private eyes(chainsMove: boolean): Look {
    const { random, target, world, bad } = this;
    const now = (): Snapshot => world.now;
    const views: Views = {
      now,
      lagging: () => world.history[Math.max(0, world.history.length - 1 - bad.lag)] ?? world.now,
      forked: () => this.forkNow(),
    };
    const faultOf = (chain: readonly Bad[], side: 0 | 1): Fault | undefined =>
      chain.find((one) => one.side === side)?.fault;
    const l2 = (side: 0 | 1, id: string): L2FinalityObserver => {
      const fault = faultOf(bad.l2, side);
      return fault === undefined ? honestL2(id, target, now) : faultyL2(id, fault, target, random, views);
    };
    const l1 = (side: 0 | 1, id: string): L1FinalityObserver => {
      const fault = faultOf(bad.l1, side);
      return fault === undefined ? honestL1(id, now) : faultyL1(id, fault, target, random, views);
    };
    const maybeMove = (): void => {
      if (chainsMove && random.chance(0.03)) this.move();
    };
    return {
      l2: [moving(l2(0, 'l2-a'), maybeMove), moving(l2(1, 'l2-b'), maybeMove)],
      l1: [moving(l1(0, 'l1-a'), maybeMove), moving(l1(1, 'l1-b'), maybeMove)],
      target,
      rule: ETHEREUM_FINALITY_RULE_V1,
      now: () => Number(l2Head(world.now).timestamp) * 1_000,
    };
  }

  private forkNow(): Snapshot {
    const { now } = this.world;
    const known = this.forks.get(now);
    if (known !== undefined) return known;
    const fork = forkOf(now, this.bad.fork);
    this.forks.set(now, fork);
    return fork;
  }
}
