import type { ServedCode } from '@launch/contracts/errors';

/** A segment of a path that names a resource. */
export interface PathParameter {
  /**
   * A regular expression for the whole segment. A segment of another form matches no route, unless `refusal` is set.
   * Absent if the route itself judges the segment.
   */
  readonly form?: string;
  /** The code that refuses a segment of another form, if it still matches the route. */
  readonly refusal?: ServedCode;
  readonly description: string;
  /** The schema in the OpenAPI document; defaults to the form as a pattern. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

export type PathParameters = Readonly<Record<string, PathParameter>>;

/** Returns the names in a path such as `/launches/{launchId}`, in order. */
export const parameterNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

/** Converts a path to the router's notation: `/launches/:launchId`. Doubles a colon of the path itself. */
export const routerPath = (path: string): string => path.replaceAll(':', '::').replaceAll(/\{(\w+)\}/g, ':$1');

const patterns = new WeakMap<PathParameter, RegExp>();

/** Reports whether a segment has a parameter's form; a parameter without a form accepts any segment. */
export function matchesForm(parameter: PathParameter | undefined, segment: string): boolean {
  if (parameter?.form === undefined) return true;
  let pattern = patterns.get(parameter);
  if (pattern === undefined) patterns.set(parameter, (pattern = new RegExp(`^${parameter.form}$`)));
  return pattern.test(segment);
}
