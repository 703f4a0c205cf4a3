import { buildDiagnosticSchema, storageLayoutSchema, type BuildDiagnostic } from '@launch/contracts/modules';
import { namedRecord } from '@launch/contracts/primitives';
import { z } from 'zod';

/** Positions in a bytecode, in bytes, as solc writes them. */
const positions = z.array(
  z.strictObject({ start: z.number().int().nonnegative(), length: z.number().int().positive() }),
);
const linkReferences = namedRecord(z.string(), namedRecord(z.string(), positions));

// solc writes hex without 0x. An unlinked library leaves `__$<34 hex>$__`, 20 bytes wide; it becomes zeros, and
// linkReferences says where. A result that was already transformed (a remembered one) passes unchanged.
const object = z
  .string()
  .regex(/^(?:0x)?(?:[0-9a-f]|__\$[0-9a-f]{34}\$__)*$/)
  .transform((hex): `0x${string}` => `0x${hex.replace(/^0x/, '').replaceAll(/__\$[0-9a-f]{34}\$__/g, '0'.repeat(40))}`);

// An AST id, or a name of solc's own; the code that matches bytecode knows these names.
const immutableKey = z.string().regex(/^\w{1,64}$/);

const compiledContract = z.strictObject({
  path: z.string(),
  contract: z.string(),
  abi: z.array(z.unknown()),
  creation: z.strictObject({ object, linkReferences }),
  runtime: z.strictObject({ object, linkReferences, immutableReferences: namedRecord(immutableKey, positions) }),
});

const builtContract = compiledContract.extend({ storageLayout: storageLayoutSchema, metadata: z.string() });

const immutable = z.strictObject({
  astId: z.number().int(),
  name: z.string(),
  path: z.string(),
  /** The contracts whose constructor sets the immutable to this unchanged argument only. */
  arguments: z.array(z.strictObject({ path: z.string(), contract: z.string(), index: z.number().int() })),
});

const sourceLocation = z.strictObject({ file: z.string(), start: z.number().int(), end: z.number().int() });
const compileError = z.strictObject({
  type: z.string().max(64),
  errorCode: z.string().max(16).nullable(),
  sourceLocation: sourceLocation.nullable(),
});

/**
 * One contract of a compilation. `object` is lowercase `0x` hex with unlinked libraries as zeros. `linkReferences` is
 * `{[path]: {[library]: {start, length}[]}}` and `immutableReferences` `{[astId]: {start, length}[]}`, in bytes of that
 * object. Values that solc itself keeps there have a name in place of the id.
 */
export type CompiledContract = z.output<typeof compiledContract>;

/** One contract of a build: the result of a compilation, its storage layout, and the metadata that its hash covers. */
export type BuiltContract = z.output<typeof builtContract>;

/** The result of a build, with the diagnostics of the compiler. */
export type BuildOutput = {
  /** The version that the compiler reports. */
  readonly compiler: string;
  readonly contracts: readonly BuiltContract[];
  readonly diagnostics: readonly BuildDiagnostic[];
};

/** The result of a compilation. */
export type CompilerOutput = {
  /** The version that the compiler reports, for example `0.8.26+commit.8a97fa7a.Emscripten.clang`. */
  readonly compiler: string;
  readonly contracts: readonly CompiledContract[];
};

/** A variable that immutableReferences may name by its AST id, and the file that declares it. */
export type ImmutableName = z.output<typeof immutable>;

/** An error in a source: solc's error type and code and the place, never source text. */
export type CompileErrorPlace = z.output<typeof compileError>;

/** The bound that a compilation hit. */
export type CompileLimit = 'time' | 'memory' | 'stack' | 'output';

/** Whether the process may run another job, and the processor time of this one. */
const job = { reusable: z.boolean(), cpuMs: z.number().int().nonnegative() };

/**
 * Every valid answer of the compiler's process. `unreadable`: the compiler's own output is not JSON. Any other answer
 * is a defect.
 */
export const childAnswerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready'), version: z.string().max(128) }),
  z.strictObject({ kind: z.literal('compiled'), contracts: z.array(compiledContract), ...job }),
  z.strictObject({
    kind: z.literal('built'),
    contracts: z.array(builtContract),
    diagnostics: z.array(buildDiagnosticSchema),
    ...job,
  }),
  z.strictObject({ kind: z.literal('named'), immutables: z.array(immutable), ...job }),
  z.strictObject({ kind: z.literal('errors'), errors: z.array(compileError), ...job }),
  z.strictObject({ kind: z.literal('limit'), limit: z.enum(['memory', 'stack']), ...job }),
  z.strictObject({ kind: z.literal('unreadable'), ...job }),
]);
export type ChildAnswer = z.output<typeof childAnswerSchema>;

const { cpuMs } = job;
/** A remembered outcome with its processor time. For a job that ran out of time, `cpuMs` is the insufficient time. */
export const rememberedOutcomeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('compiled'), contracts: z.array(compiledContract), cpuMs }),
  z.strictObject({ kind: z.literal('named'), immutables: z.array(immutable), cpuMs }),
  z.strictObject({ kind: z.literal('errors'), errors: z.array(compileError), cpuMs }),
  z.strictObject({ kind: z.literal('limit'), limit: z.enum(['time', 'memory', 'stack', 'output']), cpuMs }),
]);
export type RememberedOutcome = z.output<typeof rememberedOutcomeSchema>;
