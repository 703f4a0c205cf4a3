import type { ServedCode } from '@launch/contracts/errors';

/** A segment of a path that names something. */
export interface PathParameter {
  /**
   * What it looks like, as a regular expression of the whole segment; unless `refusal` says otherwise, a segment of another
   * form names no route. Absent where the route itself judges the segment.
   */
  readonly form?: string;
  /** What a segment of another form is refused with, where it names a route all the same. */
  readonly refusal?: ServedCode;
  readonly description: string;
  /** As OpenAPI says it; the form as a pattern where it says nothing. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

export type PathParameters = Readonly<Record<string, PathParameter>>;

/** The names in a path such as `/launches/{launchId}`, in order. */
export const parameterNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

/** A path as the router takes it: `/launches/:launchId`. A colon of the path itself is written twice there. */
export const routerPath = (path: string): string => path.replaceAll(':', '::').replaceAll(/\{(\w+)\}/g, ':$1');

const patterns = new WeakMap<PathParameter, RegExp>();

/** Whether a segment has a parameter's form; anything has the form of a parameter of which none is told. */
export function matchesForm(parameter: PathParameter | undefined, segment: string): boolean {
  if (parameter?.form === undefined) return true;
  let pattern = patterns.get(parameter);
  if (pattern === undefined) patterns.set(parameter, (pattern = new RegExp(`^${parameter.form}$`)));
  return pattern.test(segment);
}
