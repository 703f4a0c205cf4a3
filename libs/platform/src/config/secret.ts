import { inspect } from 'node:util';

const HIDDEN = '[secret]';

/** A value that hides itself: printing, logging or serializing it yields `[secret]`. */
export class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** Returns the value itself. Call it at the place of use, and keep the result local. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}
