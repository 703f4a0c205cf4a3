import { z } from 'zod';

/** A service's activities as its workflows call them. */
export type ActivitiesOf<A> = { readonly [Name in keyof A]: (...args: never[]) => Promise<unknown> };

type ArgumentsOf<F> = F extends (...args: infer Arguments) => unknown ? Arguments : never;

/** One argument schema for each activity. A missing schema does not compile. */
export type ActivityInputs<A> = { readonly [Name in keyof A]: z.ZodType<ArgumentsOf<A[Name]>> };

/** Removes `readonly`, which a schema does not infer, and merges intersections into one object. */
type Plain<T> = T extends string | number | boolean | null | undefined
  ? T
  : { -readonly [Key in keyof T]: Plain<T[Key]> };
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/**
 * `never` if the schema accepts other arguments than the activity: a member more or less, or a wider or narrower type.
 */
type Exactly<F, Schema> =
  IsSame<Plain<z.output<Schema>>, Plain<ArgumentsOf<F>>> extends true
    ? unknown
    : { readonly 'takes other arguments': F };

/**
 * Returns the schemas of a service's activities; the compiler checks them against the activity types.
 * Each schema covers all arguments of a call, because it must also parse the call of an older workflow.
 */
export const inputsOf =
  <A extends ActivitiesOf<A>>() =>
  <const Schemas extends { readonly [Name in keyof A]: z.ZodType }>(
    schemas: Schemas & { readonly [Name in keyof A]: Exactly<A[Name], Schemas[Name]> },
  ): ActivityInputs<A> =>
    schemas as unknown as ActivityInputs<A>;

/** Returns the largest number of arguments that a schema allows, optional ones included. */
export const placesOf = (schema: z.ZodType): number => (schema instanceof z.ZodTuple ? schema.def.items.length : 0);
