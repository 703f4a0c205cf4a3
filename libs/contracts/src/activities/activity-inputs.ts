import { z } from 'zod';

/** A service's activities as its workflows call them. */
export type ActivitiesOf<A> = { readonly [Name in keyof A]: (...args: never[]) => Promise<unknown> };

type ArgumentsOf<F> = F extends (...args: infer Arguments) => unknown ? Arguments : never;

/** A schema of the arguments of each activity; one without its schema does not compile. */
export type ActivityInputs<A> = { readonly [Name in keyof A]: z.ZodType<ArgumentsOf<A[Name]>> };

/** Without `readonly`, which a schema does not infer, and with intersections made one object. */
type Plain<T> = T extends string | number | boolean | null | undefined
  ? T
  : { -readonly [Key in keyof T]: Plain<T[Key]> };
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** `never` for a schema that takes something else than the activity: a member more, a member less, a wider or narrower one. */
type Exactly<F, Schema> =
  IsSame<Plain<z.output<Schema>>, Plain<ArgumentsOf<F>>> extends true
    ? unknown
    : { readonly 'takes other arguments': F };

/**
 * The schemas of a service's activities, held by the compiler to what its workflows send.
 * A schema is of all arguments of a call: an older workflow's call must parse, too.
 */
export const inputsOf =
  <A extends ActivitiesOf<A>>() =>
  <const Schemas extends { readonly [Name in keyof A]: z.ZodType }>(
    schemas: Schemas & { readonly [Name in keyof A]: Exactly<A[Name], Schemas[Name]> },
  ): ActivityInputs<A> =>
    schemas as unknown as ActivityInputs<A>;

/** How many arguments a call may have by its schema, those that it may leave out among them. */
export const placesOf = (schema: z.ZodType): number => (schema instanceof z.ZodTuple ? schema.def.items.length : 0);
