import type { z } from 'zod';
import { fieldOf } from '../errors/make-finding.js';

/**
 * Sentences about faults of a schema, in the service's own words: an API explains its faults without the texts of the
 * library that finds them.
 */

type RawIssue = z.core.$ZodRawIssue;

/** The kinds of a value, as a form that a client sends. */
const FORMS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  null: 'null',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
  undefined: 'no such member',
  never: 'no such member',
  nonoptional: 'a value',
};
/** Allowed values that a finding lists; a client finds longer lists in the API's description. */
const LISTED = 12;

/**
 * Returns the expected form of a value whose schema has no words of its own. Pass it to a parse as `error`: words of the
 * schema take precedence.
 */
export function expectedForm(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return FORMS[issue.expected] ?? 'a value of another kind';
    case 'invalid_value':
      return oneOf(issue.values);
    case 'too_small':
      return bound(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return bound(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'invalid_format':
      return issue.pattern === undefined ? 'text of the described format' : `text that matches ${issue.pattern}`;
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return issue.discriminator === undefined ? 'one of the described forms' : oneOf(optionsOf(issue));
    case 'unrecognized_keys':
      return 'no such member';
    case 'invalid_key':
      return 'member names of the described form';
    case 'invalid_element':
    case 'custom':
      return 'the described form';
  }
}

const optionsOf = (issue: object): readonly unknown[] =>
  'options' in issue && Array.isArray(issue.options) ? issue.options : [];

function oneOf(values: readonly unknown[]): string {
  if (values.length === 0 || values.length > LISTED) return 'one of the described values';
  const texts = values.map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value)));
  return texts.length === 1 ? (texts[0] ?? '') : `one of ${texts.join(', ')}`;
}

const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'elements', set: 'elements' };

function bound(
  { origin, exact }: { origin: string; exact?: boolean | undefined },
  limit: number | bigint,
  words: string,
): string {
  const amount = exact === true ? `exactly ${limit}` : `${words} ${limit}`;
  const unit = UNITS[origin];
  return unit === undefined
    ? `a number of ${amount}`
    : `${amount} ${limit === 1 || limit === 1n ? unit.slice(0, -1) : unit}`;
}

/** Fault and remedy that a rule of a schema states in its `params`. */
export interface StatedFault {
  readonly fault?: string;
  readonly remedy?: string;
}

/** Explains the fault of a field in one sentence, which names the field and never repeats its value. */
export function faultOf(issue: z.core.$ZodIssue, pointer: string): string {
  const at = fieldOf(pointer);
  if (issue.code !== 'custom' && issue.input === undefined) return `${at} is missing.`;
  switch (issue.code) {
    case 'invalid_type':
      return `${at} is ${kindOf(issue.input)}.`;
    case 'invalid_value':
      return `${at} is none of the allowed values.`;
    case 'too_small':
      return `${at} is ${issue.origin in UNITS ? 'too short' : 'too small'}.`;
    case 'too_big':
      return `${at} is ${issue.origin in UNITS ? 'too long' : 'too large'}.`;
    case 'invalid_union':
      return `${at} has none of the allowed forms.`;
    default:
      return `${at} does not have its required form.`;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a number with a fraction';
  if (typeof value === 'boolean') return 'a boolean';
  return FORMS[typeof value] ?? 'a value of another kind';
}
