import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { uuidSchema } from '../primitives/scalars.schema.js';
import { inputsOf } from './activity-inputs.js';

interface Probed {
  one(input: { readonly launchId: string; readonly by?: 'admission' }): Promise<void>;
  none(): Promise<void>;
}
const one = z.tuple([z.strictObject({ launchId: uuidSchema, by: z.literal('admission').optional() })]);
const none = z.tuple([]);
const withoutMember = z.tuple([z.strictObject({ launchId: uuidSchema })]);
const withMember = z.tuple([
  z.strictObject({ launchId: uuidSchema, by: z.literal('admission').optional(), at: uuidSchema.optional() }),
]);
const wider = z.tuple([z.strictObject({ launchId: uuidSchema, by: z.string().optional() })]);
const withArgument = z.tuple([uuidSchema]);

// The type check of the tests fails if one of these calls compiles.
describe('the schemas of a service', () => {
  const schemasOf = inputsOf<Probed>();

  it('are those of its activities', () => {
    expect(schemasOf({ one, none })).toEqual({ one, none });
  });

  it('do not compile without one of them', () => {
    // @ts-expect-error: `one` has no schema.
    schemasOf({ none });
  });

  it('do not compile if one accepts another type than its activity', () => {
    // @ts-expect-error: the schema refuses a member that the workflow sends.
    schemasOf({ one: withoutMember, none });
    // @ts-expect-error: the schema takes a member that the activity does not know.
    schemasOf({ one: withMember, none });
    // @ts-expect-error: the schema takes more than the activity.
    schemasOf({ one: wider, none });
    // @ts-expect-error: the schema takes an argument more.
    schemasOf({ one, none: withArgument });
  });
});
