export interface GatheringOptions {
  /** Questions of one batch at most; default 100. */
  readonly atMost?: number;
  /**
   * How long a batch waits for more questions in a crowd, unless as many as the last one had are there; default 5.
   * Somebody alone is never kept waiting.
   */
  readonly lingerMs?: number;
}

/** So many questions within so long are a crowd. */
const CROWD = 3;
const CROWD_MS = 20;

interface Asked<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Answers many questions in one go. While one batch is under way, the next questions gather, so that a crowd costs one
 * round trip and somebody alone waits for nobody. A question is answered by a batch that begins after it was asked:
 * what was true before it is in the answer.
 */
export class Gathering<Question, Answer> {
  private waiting: Asked<Question, Answer>[] = [];
  private working = false;
  private readonly atMost: number;
  private readonly lingerMs: number;
  /** How many questions the last batch had: once as many wait, a crowd is complete. */
  private lastSize = CROWD;
  private lingering: NodeJS.Timeout | undefined;
  /** When the last questions of a crowd's number were asked, the oldest first. */
  private readonly askedAt: number[] = [];

  /** @param answer gives one answer a question, in their order. Each of them is told its error. */
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

  /** Questions of the same turn go along. */
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
