import { Inject, Injectable } from '@nestjs/common';
import { DISCOVERY_PATH, LAUNCH_GATES, type LaunchGate, type LaunchGates } from '@launch/contracts/reports';
import { refusal } from '@launch/http';
import { CLOCK, type Clock } from '../../platform/tokens.js';
import { LaunchGatesRepository } from './launch-gates.repository.js';
import { CUSTOM_LAUNCH_RELEASE, type ReleaseState, type CustomLaunchRelease } from './custom-launch-release.js';

/** Milliseconds between two reads of the gates. A change applies in every gateway after this and one query. */
const KEPT_MS = 1_000;

export interface GatesReading {
  readonly gates: LaunchGates;
  /** The release that `releaseReady` was judged by. */
  readonly release: ReleaseState;
  /** Reasons to refuse new preflights and creates; empty while the service accepts them. */
  readonly reasonCodes: readonly string[];
}

/** A query of the database. */
interface Asked {
  readonly askedAt: number;
  readonly open: Promise<ReadonlySet<LaunchGate>>;
}

const CLOSED: Readonly<Record<LaunchGate, string>> = {
  publicAuthorization: 'PUBLIC_AUTHORIZATION_CLOSED',
  publicWrites: 'PUBLIC_WRITES_CLOSED',
  releaseReady: 'RELEASE_NOT_DECLARED_READY',
};

/** The three gates of custom launches and plans. A change reaches every gateway within two seconds. */
@Injectable()
export class LaunchGatesService {
  private last: Asked | undefined;
  private made: { readonly of: ReadonlySet<LaunchGate>; readonly reading: GatesReading } | undefined;

  constructor(
    @Inject(LaunchGatesRepository) private readonly repository: Pick<LaunchGatesRepository, 'open'>,
    @Inject(CUSTOM_LAUNCH_RELEASE) private readonly release: CustomLaunchRelease,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Returns the gates as last read; the same object while nothing changes.
   * @throws the error of the database: gates that cannot be read are not open.
   */
  async read(): Promise<GatesReading> {
    return this.readingNow(await this.asked().open);
  }

  private readingNow(open: ReadonlySet<LaunchGate>): GatesReading {
    const release = this.release.state();
    if (this.made?.of !== open || this.made.reading.release !== release)
      this.made = { of: open, reading: readingOf(open, release) };
    return this.made.reading;
  }

  /** @throws ApiError `LAUNCH_GATES_CLOSED` while new preflights and creates are refused. */
  async ensureOpen(): Promise<void> {
    const { reasonCodes } = await this.read();
    if (reasonCodes.length === 0) return;
    const state = { expected: 'every gate open', actual: reasonCodes.join(', ') };
    throw refusal('LAUNCH_GATES_CLOSED', '', state, { statusUrl: DISCOVERY_PATH });
  }

  /** Queries the database at most once a second for all callers. The next call retries a query that failed. */
  private asked(): Asked {
    const now = this.clock.now();
    const { last } = this;
    if (last !== undefined && now >= last.askedAt && now - last.askedAt < KEPT_MS) return last;
    const asked: Asked = { askedAt: now, open: this.repository.open() };
    this.last = asked;
    asked.open.catch(() => {
      if (this.last === asked) this.last = undefined;
    });
    return asked;
  }
}

function readingOf(open: ReadonlySet<LaunchGate>, release: ReleaseState): GatesReading {
  const isReleased = release.bound !== null && release.reasonCodes.length === 0;
  const gates = {
    publicAuthorization: open.has('publicAuthorization'),
    publicWrites: open.has('publicWrites'),
    releaseReady: open.has('releaseReady') && isReleased,
  };
  const closed = LAUNCH_GATES.filter((one) => !open.has(one));
  return { gates, release, reasonCodes: [...release.reasonCodes, ...closed.map((gate) => CLOSED[gate])] };
}
