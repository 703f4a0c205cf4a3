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
 * Returns the base class of the errors of one library or service.
 * @param name the class's name, as logs show it.
 * @param retryable each code, and whether the same call may succeed later. Callers use it to distinguish outages from
 * faults.
 */
export function codedErrors<const Codes extends Readonly<Record<string, boolean>>>(
  name: string,
  retryable: Codes,
): CodedErrorClass<keyof Codes & string> {
  return class extends Error {
    override readonly name = name;
    readonly retryable: boolean;

    /** @param message defaults to the code; must not contain a value from a request. */
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
