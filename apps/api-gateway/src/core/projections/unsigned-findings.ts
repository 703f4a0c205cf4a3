import { anyFinding, type AnyFinding } from '@launch/contracts/errors';

const MAX_LENGTH = 128;
/** A JSON pointer to a field. */
const POINTER = /^(?:\/\w+)*$/u;
/** A word, a number, a code, or the name of a step with its code. */
const VALUE = /^(?:0x[0-9a-f]+|[0-9]+|(?:[A-Za-z]+: )?[A-Z][A-Z0-9_]*)$/u;

const fits = (text: string | null, form: RegExp): text is string =>
  text !== null && text.length <= MAX_LENGTH && form.test(text);

/**
 * Makes findings again from their codes and from members that can contain no sentence. Findings without a signature are
 * shown to the owner of a launch in the name of the service, so their texts must be those of the catalogue.
 */
export const unsignedFindings = (findings: readonly AnyFinding[]): AnyFinding[] =>
  findings.map(({ code, path, severity, expected, actual }) =>
    anyFinding(code, fits(path, POINTER) ? path : '', {
      severity,
      ...(fits(expected, VALUE) ? { expected } : {}),
      ...(fits(actual, VALUE) ? { actual } : {}),
    }),
  );
