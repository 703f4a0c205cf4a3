export interface GatheringOptions {
  /** The most questions in one batch; default 100. */
  readonly atMost?: number;
  /**
   * Milliseconds for which a batch waits in a crowd for more questions, unless it is already as large as the last one;
   * default 5. A single caller never waits.
   */
  readonly lingerMs?: number;
}

/** This many questions within the interval are a crowd. */
const CROWD = 3;
const CROWD_MS = 20;

interface Asked<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Answers many questions together. While one batch is in flight, later questions gather for the next, so a crowd costs
 * one round trip and a single caller does not wait. The batch that answers a question always starts after it, so the
 * answer reflects everything that was true before the question.
 */
export class Gathering<Question, Answer> {
  private waiting: Asked<Question, Answer>[] = [];
  private working = false;
  private readonly atMost: number;
  private readonly lingerMs: number;
  /** The number of questions in the last batch: a crowd is complete once as many wait. */
  private lastSize = CROWD;
  private lingering: NodeJS.Timeout | undefined;
  /** The times of the last questions, as many as make a crowd, oldest first. */
  private readonly askedAt: number[] = [];

  /** @param answer returns one answer per question, in order. Its error rejects every question of the batch. */
  constructor(
    private readonly answer: (questions: readonly Question[]) => Promise<readonly Answer[]>,
    { atMost = 100, lingerMs = 5 }: GatheringOptions = {},
  ) {
    this.atMost = atMost;
    this.lingerMs = lingerMs;
  }

  ask(question: Question): Promise<Answer> {
    const now = performance.now();
    this.askedAt.push(now);
    if (this.askedAt.length > CROWD) this.askedAt.shift();
    return new Promise((resolve, reject) => {
      this.waiting.push({ question, resolve, reject });
      if (this.lingering !== undefined && this.waiting.length >= this.lastSize) return this.begin();
      if (this.working) return;
      this.working = true;
      if (this.isCrowd(now)) this.lingering = setTimeout(() => this.begin(), this.lingerMs);
      else this.begin();
    });
  }

  /** Includes later questions of the same turn. */
  private begin(): void {
    clearTimeout(this.lingering);
    this.lingering = undefined;
    setImmediate(() => void this.work());
  }

  private isCrowd(now: number): boolean {
    const [oldest] = this.askedAt;
    return oldest !== undefined && this.askedAt.length === CROWD && now - oldest <= CROWD_MS;
  }

  private async work(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, this.atMost);
      this.lastSize = Math.max(CROWD, batch.length);
      try {
        const answers = await this.answer(batch.map(({ question }) => question));
        if (answers.length !== batch.length)
          throw new TypeError(`${batch.length} questions were given ${answers.length} answers`);
        batch.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.working = false;
  }
}
