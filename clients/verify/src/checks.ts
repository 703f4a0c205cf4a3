/** One recomputed value compared with the file. Texts are clipped and never contain a key. */
export interface Check {
  readonly check: string;
  readonly verdict: 'pass' | 'fail';
  readonly expected: string | null;
  readonly actual: string | null;
}

const MAX_TEXT = 256;
const clip = (text: string): string => (text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`);

/** Collects checks in order. Every check runs, so that one run reports everything. */
export class Checks {
  readonly #made: Check[] = [];

  get all(): readonly Check[] {
    return this.#made;
  }

  get failed(): readonly Check[] {
    return this.#made.filter(({ verdict }) => verdict === 'fail');
  }

  /** Compares texts byte for byte. For long texts the report names the first difference. */
  equal(check: string, expected: string, actual: string): boolean {
    const same = expected === actual;
    const long = Math.max(expected.length, actual.length) > MAX_TEXT;
    const tell = (text: string, other: string): string =>
      long ? `${text.length} characters${same ? '' : `, differs at ${firstDifference(text, other)}`}` : text;
    return this.#make(check, same, tell(expected, actual), tell(actual, expected));
  }

  /** Checks a condition; `problem` describes a failure. */
  holds(check: string, expected: string, problem: string | null): boolean {
    return this.#make(check, problem === null, expected, problem ?? expected);
  }

  /** Runs `work`. Its error is the check's failure, reported by its code if it has one. */
  attempt<T>(check: string, expected: string, work: () => T): T | null {
    try {
      const value = work();
      this.#make(check, true, expected, expected);
      return value;
    } catch (error) {
      this.#make(check, false, expected, reasonOf(error));
      return null;
    }
  }

  /** Adds the checks of another command under this name. */
  adopt(name: string, made: readonly Check[]): void {
    this.#made.push(...made.map((one) => ({ ...one, check: `${name}.${one.check}` })));
  }

  #make(check: string, passes: boolean, expected: string, actual: string): boolean {
    this.#made.push({ check, verdict: passes ? 'pass' : 'fail', expected: clip(expected), actual: clip(actual) });
    return passes;
  }
}

/** Programming errors are not a file's fault. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof ReferenceError) throw error;
  return 'code' in error
    ? `${String(error.code)}${'field' in error && typeof error.field === 'string' ? ` ${error.field}` : ''}`
    : error.name;
}

function firstDifference(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return at;
}
