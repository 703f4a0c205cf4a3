import { finding, type Finding } from '@launch/contracts/errors';
import { givenName, parseStrictJson, reservedMember, StrictJsonError, type JsonValue } from '@launch/contracts/json';
import { BUILD_OUTPUTS } from '@launch/contracts/modules';
import { LIMITS } from '@launch/contracts/primitives';
import { jsonPointer } from '@launch/contracts/validation';
import { z } from 'zod';

/** A contract and its file. */
export type CompileTarget = { readonly path: string; readonly contract: string };

const MAX_SOURCES = 1_024;
/** The most unaccepted fields that a finding names. */
const NAMED = 8;
const flag = z.boolean().optional();

// Accepts every setting that decides bytecode, and none that reads from outside, stops early or runs a solver.
const settings = z.strictObject({
  remappings: z.array(z.string().max(1_024)).max(256).optional(),
  optimizer: z
    .strictObject({
      enabled: flag,
      runs: z.number().int().min(0).max(0xffff_ffff).optional(),
      details: z
        .strictObject({
          peephole: flag,
          inliner: flag,
          jumpdestRemover: flag,
          orderLiterals: flag,
          deduplicate: flag,
          cse: flag,
          constantOptimizer: flag,
          simpleCounterForLoopUncheckedIncrement: flag,
          yul: flag,
          yulDetails: z
            .strictObject({ stackAllocation: flag, optimizerSteps: z.string().max(1_024).optional() })
            .optional(),
        })
        .optional(),
    })
    .optional(),
  evmVersion: z
    .string()
    .regex(/^[a-zA-Z]{1,32}$/)
    .optional(),
  viaIR: flag,
  metadata: z
    .strictObject({
      appendCBOR: flag,
      useLiteralContent: flag,
      bytecodeHash: z.enum(['none', 'ipfs', 'bzzr1']).optional(),
    })
    .optional(),
  libraries: z.record(z.string(), z.record(z.string(), z.string().regex(/^0x[0-9a-fA-F]{40}$/))).optional(),
  debug: z
    .strictObject({
      revertStrings: z.enum(['default', 'strip', 'debug', 'verboseDebug']).optional(),
      debugInfo: z.array(z.string().max(32)).max(8).optional(),
    })
    .optional(),
  outputSelection: z.unknown().optional(),
});

const standardJson = z.strictObject({
  language: z.literal('Solidity'),
  sources: z.record(
    z.string().min(1).max(512),
    z.strictObject({
      content: z.string(),
      keccak256: z
        .string()
        .regex(/^0x[0-9a-fA-F]{64}$/)
        .optional(),
    }),
  ),
  settings: settings.optional(),
});

const CONTRACT_OUTPUTS = [
  'abi',
  'evm.bytecode.object',
  'evm.bytecode.linkReferences',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.linkReferences',
  'evm.deployedBytecode.immutableReferences',
] as const;

type Selection = Record<string, Record<string, readonly string[]>>;

/** The purpose of a compiler run: contracts' code, a build, or the names of immutables. */
export type CompilePurpose =
  | { readonly kind: 'code'; readonly targets: readonly CompileTarget[] | undefined }
  | { readonly kind: 'build'; readonly targets: readonly CompileTarget[] }
  | { readonly kind: 'immutable-names' };

/**
 * Returns the output selection. For code: everything that admission matches, for the targets only. For a build: also
 * storage layout and metadata. For names: the AST of every file and nothing else. The two are never combined, because
 * solc generates all contracts of a file if its AST is requested with an output that needs code. With ASTs only it
 * stops after its analysis.
 */
export function outputSelectionFor(purpose: CompilePurpose): Selection {
  if (purpose.kind === 'immutable-names') return { '*': { '': ['ast'] } };
  const { targets } = purpose;
  const outputs = purpose.kind === 'build' ? BUILD_OUTPUTS : CONTRACT_OUTPUTS;
  if (targets === undefined) return { '*': { '*': outputs } };
  // Without a prototype, because paths and names come from the request and can be `__proto__`.
  const selection: Selection = Object.create(null);
  for (const { path, contract } of targets) {
    selection[path] ??= Object.create(null) as Selection[string];
    selection[path]![contract] = outputs;
  }
  return selection;
}

export type PreparedInput =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly findings: Finding[] };

/**
 * Checks a Standard JSON input against the closed set of accepted features, and writes it again with its own output
 * selection, so that solc reads exactly the checked values. Each of these is a `COMPILER_INPUT_INVALID` finding at
 * `path` that names the place inside the input: other languages, `urls`, `modelChecker`, `stopAfter`, unknown settings,
 * duplicate keys, more than 1,024 sources.
 */
export function prepareStandardJson(input: Uint8Array, purpose: CompilePurpose, path: string): PreparedInput {
  const refuse = (at: string, expected: string): Finding =>
    finding('COMPILER_INPUT_INVALID', path, {
      expected,
      actual: `standard JSON input, ${at === '' ? 'as a whole' : at}`,
    });
  let value: JsonValue;
  try {
    value = parseStrictJson(input, { maxDepth: LIMITS.jsonDepth });
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return { ok: false, findings: [refuse(error.path, `${error.code} at byte ${error.offset}`)] };
  }
  const reserved = reservedMember(value);
  if (reserved !== null) return { ok: false, findings: [refuse(jsonPointer(reserved), 'no member named __proto__')] };
  const checked = standardJson.safeParse(value);
  if (!checked.success) {
    const findings = checked.error.issues
      .slice(0, LIMITS.findings)
      .map((issue) =>
        issue.code === 'unrecognized_keys'
          ? refuse(
              jsonPointer([...issue.path, ...issue.keys.slice(0, 1)]),
              `none of: ${issue.keys.slice(0, NAMED).map(givenName).join(', ')}`,
            )
          : refuse(jsonPointer(issue.path), issue.message),
      );
    return { ok: false, findings };
  }
  const count = Object.keys(checked.data.sources).length;
  if (count === 0 || count > MAX_SOURCES) {
    return { ok: false, findings: [refuse('/sources', `1 to ${MAX_SOURCES} sources`)] };
  }
  const { language, sources, settings: accepted } = checked.data;
  const document = { language, sources, settings: { ...accepted, outputSelection: outputSelectionFor(purpose) } };
  return { ok: true, bytes: new TextEncoder().encode(JSON.stringify(document)) };
}
