import { shellWord } from '@launch/client-core/command';
import type { Options } from './command.js';
import type { Refusal } from './launch.error.js';

/** Whether the service may have a request that creates something, and the command that sends exactly that request again. */
export class Submission {
  #mayExist = false;
  /** Whether an earlier attempt may have left the request. */
  #before = false;

  /** @param repeat the command line, with the same file and the same key */
  constructor(readonly repeat: string) {}

  /** Whether a part of the request was sent, and no answer says that nothing came of it. */
  get mayExist(): boolean {
    return this.#mayExist;
  }

  /** Makes one attempt. From its first byte on the service may have the request, also if the attempt is interrupted. */
  async attempt<T>(send: () => Promise<T>): Promise<T> {
    this.#before = this.#mayExist;
    this.#mayExist = true;
    return send();
  }

  /** Takes a refusal of the last attempt. One that is definite leaves what earlier attempts left. */
  refused(httpStatus: number, refusal: Refusal | null): void {
    if (isDefinite(httpStatus, refusal)) this.#mayExist = this.#before;
  }
}

/** Refusals with a 503 that the service makes before it keeps anything. */
const BEFORE_ALL: readonly string[] = ['LAUNCH_GATES_CLOSED', 'RATE_LIMITED'];

const isDefinite = (httpStatus: number, refusal: Refusal | null): boolean =>
  refusal !== null && ((httpStatus < 500 && httpStatus !== 408) || BEFORE_ALL.includes(refusal.code));

/** Returns the command that sends a file again under a key. @param command such as `plan submit` */
export function repeatOf(command: string, { file, config, context }: Options, idempotencyKey: string): string {
  const named = { config, context, 'idempotency-key': idempotencyKey };
  const options = Object.entries(named).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, shellWord(value)],
  );
  return ['launch', command, shellWord(file ?? ''), ...options].join(' ');
}
