import { z } from 'zod';
import { MODULE_LIMITS } from './module-limits.js';

const bits = (prefix: 'uint' | 'int'): string[] =>
  Array.from({ length: 32 }, (_, index) => `${prefix}${8 * (index + 1)}`);

/** Types whose values are decimal strings, by the ABI type that each encodes as. */
export const NUMBER_TYPES: ReadonlyMap<string, string> = new Map([
  ...[...bits('uint'), ...bits('int')].map((type): [string, string] => [type, type]),
  ['bps', 'uint16'],
  ['wei', 'uint256'],
  ['tokenAmount', 'uint256'],
  ['percentPpm', 'uint32'],
  ['seconds', 'uint64'],
  ['timestamp', 'uint64'],
  ['tick', 'int24'],
  ['sqrtPriceX96', 'uint160'],
]);
const LEAF_TYPES = [...NUMBER_TYPES.keys(), 'bool', 'address', 'bytes32', 'bytes', 'string', 'enum'] as const;

export const FIELD_TYPES = [...LEAF_TYPES, 'array', 'tuple'] as const;
export const FIELD_UNITS = ['none', 'bps', 'ppm', 'wei', 'token', 'seconds', 'blocks', 'usd-e8'] as const;

/** The value of a default or of a condition: numbers are decimal strings, bytes hex, an option its own value. */
export type FieldValue = string | boolean | readonly FieldValue[] | { readonly [key: string]: FieldValue };

/** One typed value of a module's configuration. The order of the fields is their order in the ABI. */
export interface ConfigurationField {
  key: string;
  label: string;
  type: string;
  unit: (typeof FIELD_UNITS)[number];
  required: boolean;
  immutable: boolean;
  default?: FieldValue | undefined;
  min?: string | undefined;
  max?: string | undefined;
  step?: string | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: string | undefined;
  options?: { value: string; label: string }[] | undefined;
  items?: ConfigurationField | undefined;
  fields?: ConfigurationField[] | undefined;
  visibleIf?: { key: string; equals: string | boolean } | undefined;
}

export const fieldKeySchema = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]{0,31}$/, 'a letter a-z, then at most 31 letters or digits');
const labelSchema = z.string().min(1).max(128);
const integerSchema = z.string().regex(/^(0|-?[1-9][0-9]{0,77})$/, 'a canonical decimal integer string');
const lengthSchema = z.number().int().min(0).max(MODULE_LIMITS.encodedConfigurationBytes);
const scalarSchema = z.union([z.string().max(4096), z.boolean()]);

const valueSchema = (depth: number): z.ZodType<FieldValue> =>
  depth === 0
    ? scalarSchema
    : z.union([
        scalarSchema,
        z.array(valueSchema(depth - 1)).max(256),
        z.record(fieldKeySchema, valueSchema(depth - 1)),
      ]);

/** Arrays of tuples of values; a person could not fill in a form for a deeper configuration. */
const NESTING = 2;

/** Members of fields of every type; a default may be as deep as its field. */
const membersOf = (depth: number) => ({
  key: fieldKeySchema,
  label: labelSchema,
  unit: z.enum(FIELD_UNITS),
  required: z.boolean(),
  immutable: z.boolean(),
  default: valueSchema(depth).optional(),
  min: integerSchema.optional(),
  max: integerSchema.optional(),
  step: integerSchema.optional(),
  minLength: lengthSchema.optional(),
  maxLength: lengthSchema.optional(),
  pattern: z.string().min(1).max(256).optional(),
  options: z
    .array(z.strictObject({ value: z.string().min(1).max(64), label: labelSchema }))
    .min(1)
    .max(256)
    .optional(),
  visibleIf: z.strictObject({ key: fieldKeySchema, equals: scalarSchema }).optional(),
});

function ofDepth(depth: number): z.ZodType<ConfigurationField> {
  if (depth === 0) return z.strictObject({ ...membersOf(0), type: z.enum(LEAF_TYPES) });
  const inner = ofDepth(depth - 1);
  return z.strictObject({
    ...membersOf(depth),
    type: z.enum(FIELD_TYPES),
    items: inner.optional(),
    fields: z.array(inner).min(1).max(64).optional(),
  });
}

export const configurationFieldSchema = ofDepth(NESTING);

/** The typed fields of a module, in ABI order (docs/reference/modules.md#configuration). */
export const configurationSchema = z.strictObject({
  encoding: z.literal('abi'),
  /** Upper bound, in bytes, of every encoding of this configuration. */
  maxEncodedBytes: z.number().int().min(0).max(MODULE_LIMITS.encodedConfigurationBytes),
  fields: z.array(configurationFieldSchema).max(64),
  constraints: z
    .array(
      z.strictObject({
        kind: z.enum(['sumLte', 'lessThan', 'requires', 'oneOf']),
        keys: z.array(fieldKeySchema).min(1).max(64),
        value: z.string().max(128).nullable(),
      }),
    )
    .max(64),
});
export type ModuleConfiguration = z.infer<typeof configurationSchema>;
