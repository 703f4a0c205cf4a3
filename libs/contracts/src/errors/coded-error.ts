/** An error that a code names; `retryable` says whether the same call may succeed later without a change. */
export interface CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly retryable: boolean;
}

type CodedErrorClass<Code extends string> = abstract new (
  code: Code,
  message?: string,
  options?: ErrorOptions,
) => CodedError<Code>;

/**
 * The one way to an error class of our own: a library or service extends what this makes of its codes.
 * @param name the class's name, as logs show it.
 * @param retryable each code, and whether the same call may succeed later. Outages and faults are told apart by it.
 */
export function codedErrors<const Codes extends Readonly<Record<string, boolean>>>(
  name: string,
  retryable: Codes,
): CodedErrorClass<keyof Codes & string> {
  return class extends Error {
    override readonly name = name;
    readonly retryable: boolean;

    /** @param message the code alone where it is left out; never a value that somebody sent. */
    constructor(
      readonly code: keyof Codes & string,
      message: string = code,
      options?: ErrorOptions,
    ) {
      super(message, options);
      this.retryable = retryable[code] ?? false;
    }
  };
}
