import { buildDiagnosticSchema, storageLayoutSchema, type BuildDiagnostic } from '@launch/contracts/modules';
import { namedRecord } from '@launch/contracts/primitives';
import { z } from 'zod';

/** Positions in a bytecode, in bytes, as solc writes them. */
const positions = z.array(
  z.strictObject({ start: z.number().int().nonnegative(), length: z.number().int().positive() }),
);
const linkReferences = namedRecord(z.string(), namedRecord(z.string(), positions));

// solc writes hex without 0x. An unlinked library leaves `__$<34 hex>$__`, 20 bytes wide; it becomes zeros, and
// linkReferences says where. A result that was transformed once (a remembered one) passes unchanged.
const object = z
  .string()
  .regex(/^(?:0x)?(?:[0-9a-f]|__\$[0-9a-f]{34}\$__)*$/)
  .transform((hex): `0x${string}` => `0x${hex.replace(/^0x/, '').replaceAll(/__\$[0-9a-f]{34}\$__/g, '0'.repeat(40))}`);

// An AST id, or a name of solc's own: whoever matches the code knows which of those there are.
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
  /** The contracts whose constructor sets it to this argument, as it came, and to nothing else. */
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

/** One contract of a build: what a compilation gives, where it keeps what, and the text that its metadata hash is of. */
export type BuiltContract = z.output<typeof builtContract>;

/** What a build gave, and what the compiler said beside it. */
export type BuildOutput = {
  /** What the compiler calls itself. */
  readonly compiler: string;
  readonly contracts: readonly BuiltContract[];
  readonly diagnostics: readonly BuildDiagnostic[];
};

/** What a compilation gave. */
export type CompilerOutput = {
  /** What the compiler calls itself, e.g. `0.8.26+commit.8a97fa7a.Emscripten.clang`. */
  readonly compiler: string;
  readonly contracts: readonly CompiledContract[];
};

/** A variable that immutableReferences may name by its AST id, and the file that declares it. */
export type ImmutableName = z.output<typeof immutable>;

/** Where a source is wrong: solc's error type and code and its place, never its text. */
export type CompileErrorPlace = z.output<typeof compileError>;

/** Which bound a compilation ran into. */
export type CompileLimit = 'time' | 'memory' | 'stack' | 'output';

/** Whether the process may have another job, and the processor time that this one took. */
const job = { reusable: z.boolean(), cpuMs: z.number().int().nonnegative() };

/**
 * Everything the compiler's process may say. `unreadable`: what the compiler itself wrote is no JSON. An output that
 * does not match is an answer that nobody foresaw.
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
/**
 * An outcome as it is remembered, with the processor time that it took. Of a job that ran out of time, `cpuMs` is the
 * time that was not enough.
 */
export const rememberedOutcomeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('compiled'), contracts: z.array(compiledContract), cpuMs }),
  z.strictObject({ kind: z.literal('named'), immutables: z.array(immutable), cpuMs }),
  z.strictObject({ kind: z.literal('errors'), errors: z.array(compileError), cpuMs }),
  z.strictObject({ kind: z.literal('limit'), limit: z.enum(['time', 'memory', 'stack', 'output']), cpuMs }),
]);
export type RememberedOutcome = z.output<typeof rememberedOutcomeSchema>;
