import {
  MAX_LAUNCH_MODULES,
  type IndexSource,
  type SourceLog,
  type SourceRead,
  type SourceVersion,
} from '@launch/contracts/index';
import type { Abi } from 'viem';
import type { Hex } from '../../encoding/hex.js';
import { eventCodec, type DecodedEvent, type EventCodec } from '../../events/event-codec.js';
import { candidatesByFirstTopic } from '../correlate.js';
import { fail, fault, firstFault, recordPlace } from '../judging.js';
import type { Answers, Candidate, Fault, SourceAdapter, SourceReceipt, Verdict } from '../source-adapter.js';
import { callRead, codeHashOf, codeRead, returnedBy, unanswered, type Asked } from '../source-reads.js';
import {
  DISPLAY_LIMITS,
  displayReads,
  displayText,
  metadataBytes,
  tokenIdentity,
  tokenMetadata,
} from '../token-display.js';
import {
  configurationHash,
  decodeRecipe,
  instanceHash,
  launchKey,
  metadataHash,
  nativeLaunchId,
  programHash,
  recipeHash,
  type NativeRecipe,
  type RecipeModule,
} from './commitments.js';
import { ENGINE_V1_NAMES, NATIVE_V1_NAMES, NATIVE_V2_NAMES, nativeAbi, type NativeNames } from './module-native.abi.js';

interface Launched {
  readonly launchId: Hex;
  readonly token: Hex;
  readonly launchWallet: Hex;
  readonly poolManager: Hex;
  readonly poolId: Hex;
  readonly hook: Hex;
  readonly recipeHash: Hex;
  readonly launchKey: Hex;
  /** Present in V2 only. */
  readonly protocolFeeBps?: number;
}
interface ProgramBound {
  readonly launchId: Hex;
  readonly token: Hex;
  readonly runtime: Hex;
  readonly programHash: Hex;
  readonly packageIds: readonly Hex[];
  readonly familyIds: readonly Hex[];
  readonly instances: readonly Hex[];
  readonly instanceHashes: readonly Hex[];
}
interface ConfigurationBound {
  readonly launchId: Hex;
  readonly token: Hex;
  readonly metadataHash: Hex;
  readonly configurationHash: Hex;
  readonly recipe: Hex;
}
interface TokenIdentityBound {
  readonly launchId: Hex;
  readonly token: Hex;
  readonly tokenCodeHash: Hex;
  readonly name: Hex;
  readonly symbol: Hex;
  readonly decimals: number;
  readonly totalSupply: bigint;
}

/** The four events of a launch, and the recipe in one of them. */
interface NativeLaunch {
  readonly launched: Launched;
  readonly program: ProgramBound;
  readonly configuration: ConfigurationBound;
  readonly identity: TokenIdentityBound;
  readonly recipe: NativeRecipe;
  /** The recipe's modules with the instances that the program bound. */
  readonly modules: readonly RecipeModule[];
}

/** The differences between the native source versions. */
interface NativeVersion {
  readonly sourceVersion: Extract<SourceVersion, 'module-native-v1' | 'module-native-v2' | 'module-engine-v1'>;
  readonly names: NativeNames;
  readonly abi: Abi;
  /** The answer of `launchIdentityVersion()`. */
  readonly identityVersion: bigint;
}

/**
 * Verifies launches of a native launcher or engine (docs/reference/index-sources.md#native-launches): both getters
 * agree with the launch event, the three bound events accompany it, and recipe, program, launch, instance and metadata
 * commitments are recomputed from the recipe in the log. The creator is `launchWallet`, even if a relayer sent the
 * transaction.
 */
function nativeAdapter(version: NativeVersion): SourceAdapter {
  const wanted: readonly string[] = Object.values(version.names);
  const events = eventCodec<DecodedEvent>(version.abi, (name) => wanted.includes(name));
  const anchor = events.topicOf(version.names.launched);
  const context = { version, events };
  return {
    sourceVersion: version.sourceVersion,
    abi: version.abi,
    anchorTopics: [anchor],
    candidates: (source, receipt) =>
      candidatesByFirstTopic({ source, receipt, anchor, isOurs: (log) => events.decode(log) !== null }),
    reads: (source, candidate, answers) => unanswered(readsOf(context, source, candidate), answers),
    judge: (source, receipt, candidate, answers) => judge({ ...context, source, receipt, candidate, answers }),
  };
}

export const MODULE_NATIVE_V1 = nativeAdapter({
  sourceVersion: 'module-native-v1',
  names: NATIVE_V1_NAMES,
  abi: nativeAbi(NATIVE_V1_NAMES),
  identityVersion: 1n,
});
export const MODULE_NATIVE_V2 = nativeAdapter({
  sourceVersion: 'module-native-v2',
  names: NATIVE_V2_NAMES,
  abi: nativeAbi(NATIVE_V2_NAMES, ', uint16 protocolFeeBps'),
  identityVersion: 2n,
});
export const MODULE_ENGINE_V1 = nativeAdapter({
  sourceVersion: 'module-engine-v1',
  names: ENGINE_V1_NAMES,
  abi: nativeAbi(ENGINE_V1_NAMES),
  identityVersion: 1n,
});

interface Context {
  readonly version: NativeVersion;
  readonly events: EventCodec<DecodedEvent>;
}
interface Case extends Context {
  readonly source: IndexSource;
  readonly receipt: SourceReceipt;
  readonly candidate: Candidate;
  readonly answers: Answers;
}

const launcherOf = ({ abi }: NativeVersion, source: IndexSource): Asked => ({
  name: 'launcher',
  address: source.address,
  abi,
});

function readsOf(context: Context, source: IndexSource, candidate: Candidate): readonly SourceRead[] {
  const launch = launchOf(context, candidate.logs);
  if ('reason' in launch) return [];
  const launcher = launcherOf(context.version, source);
  const { token } = launch.launched;
  const instances = [...new Set(launch.modules.map(({ instance }) => instance))];
  return [
    codeRead('launcher', source.address),
    callRead(launcher, 'launchIdentityVersion'),
    callRead(launcher, 'getLaunch', [token]),
    callRead(launcher, 'getLaunchIdentity', [token]),
    codeRead('token', token),
    ...instances.map((instance) => codeRead(instance, instance)),
    ...displayReads(token, new Map()),
  ];
}

/** Returns the four events, each once and of one token, or their fault. */
function launchOf({ version: { names }, events }: Context, logs: readonly SourceLog[]): NativeLaunch | Fault {
  const decoded = logs.map((log) => events.decode(log));
  if (decoded.includes(null)) return fault('EVENT_UNDECODABLE', 'an event of the launch');
  const found: Partial<Record<keyof NativeNames, DecodedEvent['args']>> = {};
  for (const [part, name] of Object.entries(names) as [keyof NativeNames, string][]) {
    const [event, another] = decoded.filter((one) => one?.event === name);
    if (event == null) return fault('EVENT_MISSING', name);
    if (another !== undefined) return fault('EVENT_DUPLICATED', name);
    found[part] = event.args;
  }
  const launched = found.launched as unknown as Launched;
  const program = found.programBound as unknown as ProgramBound;
  const configuration = found.configurationBound as unknown as ConfigurationBound;
  const identity = found.tokenIdentityBound as unknown as TokenIdentityBound;
  const recipe = decodeRecipe(configuration.recipe);
  if (recipe === null) return fault('RECIPE_MISMATCH', 'the recipe does not decode');
  const count = recipe.modules.length;
  const { packageIds, familyIds, instances, instanceHashes } = program;
  if (
    count > MAX_LAUNCH_MODULES ||
    [packageIds, familyIds, instances, instanceHashes].some((all) => all.length !== count)
  )
    return fault('PROGRAM_MISMATCH', `${count} modules in the recipe`);
  return { launched, program, configuration, identity, recipe, modules: recipe.modules };
}

function judge(one: Case): Verdict {
  const { source, receipt, candidate, answers } = one;
  if (receipt.status !== 'success') return fail(fault('RECEIPT_NOT_SUCCESSFUL', receipt.transactionHash));
  const launch = launchOf(one, candidate.logs);
  if ('reason' in launch) return fail(launch);
  const found = firstFault([
    () => eventFault(one, launch),
    () => sourceFault(one),
    () => getterFault(one, launch),
    () => commitmentFault(one, launch),
    () => programFault(one, launch),
    () => tokenFault(one, launch),
  ]);
  if (found !== null) return fail(found);
  const { launched, program, identity } = launch;
  return {
    kind: 'pass',
    launch: {
      record: {
        ...recordPlace(one.version.sourceVersion, source, receipt, candidate),
        launchId: launched.launchId,
        launchKind: null,
        tokenAddress: launched.token,
        creator: launched.launchWallet,
        poolManager: launched.poolManager,
        poolId: launched.poolId,
        hookAddress: launched.hook,
        recipeHash: launched.recipeHash,
        runtime: program.runtime,
        launchKey: launched.launchKey,
        modulePackageIds: [...program.packageIds],
        moduleFamilyIds: [...program.familyIds],
        name: displayText(identity.name, DISPLAY_LIMITS.nameBytes),
        symbol: displayText(identity.symbol, DISPLAY_LIMITS.nameBytes),
        decimals: identity.decimals,
        routerAddress: null,
        stampHash: null,
      },
      metadata: tokenMetadata(launched.token, answers),
    },
  };
}

function eventFault(
  { source }: Case,
  { launched, program, configuration, identity, recipe }: NativeLaunch,
): Fault | null {
  for (const [name, { token }] of Object.entries({ program, configuration, identity }))
    if (token !== launched.token) return fault('EVENT_MISMATCH', `${name}: of another token`);
  const { poolManager } = source.contracts;
  if (poolManager !== undefined && poolManager.address !== launched.poolManager)
    return fault('EVENT_MISMATCH', 'poolManager: not the bound one');
  const same =
    identity.name === recipe.name && identity.symbol === recipe.symbol && identity.totalSupply === recipe.totalSupply;
  return same ? null : fault('EVENT_MISMATCH', 'token identity: not the one of the recipe');
}

function sourceFault(one: Case): Fault | null {
  const { version, source, answers } = one;
  if (codeHashOf('launcher', answers) !== source.runtimeCodeHash)
    return fault('SOURCE_RUNTIME_MISMATCH', source.address);
  const identity = returnedBy(launcherOf(version, source), 'launchIdentityVersion', answers);
  if (identity === null) return fault('GETTER_REVERTED', 'launchIdentityVersion');
  return identity[0] === version.identityVersion ? null : fault('IDENTITY_VERSION_UNSUPPORTED', String(identity[0]));
}

function getterFault(one: Case, { launched, program, configuration }: NativeLaunch): Fault | null {
  const { launchId, launchWallet, hook, poolManager, poolId } = launched;
  return (
    getterEquals(one, 'getLaunch', [launchId, launchWallet, hook, poolManager, poolId, launched.recipeHash]) ??
    getterEquals(one, 'getLaunchIdentity', [
      launchId,
      launched.launchKey,
      program.programHash,
      configuration.configurationHash,
      configuration.metadataHash,
      program.runtime,
    ])
  );
}

/** Recomputes recipe, launch key and launch id from the recipe and the wallet alone. */
function commitmentFault({ version, source }: Case, { launched, configuration, recipe }: NativeLaunch): Fault | null {
  if (recipeHash(configuration.recipe) !== launched.recipeHash) return fault('RECIPE_MISMATCH', 'recipeHash');
  const key = launchKey(launched.launchWallet, recipe.salt);
  if (key !== launched.launchKey) return fault('LAUNCH_COMMITMENT_MISMATCH', 'launchKey');
  const id = nativeLaunchId({
    domain: version.sourceVersion,
    chainId: BigInt(source.chainId),
    launcher: source.address,
    launchKey: key,
    recipeHash: launched.recipeHash,
  });
  return id === launched.launchId ? null : fault('LAUNCH_COMMITMENT_MISMATCH', 'launchId');
}

/** Checks each instance by its own code at the block, and the program over all of them in recorded order. */
function programFault({ answers }: Case, { launched, program, configuration, modules }: NativeLaunch): Fault | null {
  for (const [index, module] of modules.entries()) {
    const bound = { packageId: program.packageIds[index], familyId: program.familyIds[index] };
    if (bound.packageId !== module.packageId || bound.familyId !== module.familyId)
      return fault('PROGRAM_MISMATCH', `module ${index}: not the one of the recipe`);
    if (program.instances[index] !== module.instance) return fault('PROGRAM_MISMATCH', `module ${index}: instance`);
    const codeHash = codeHashOf(module.instance, answers);
    if (codeHash === null) return fault('INSTANCE_COMMITMENT_MISMATCH', `module ${index}: no code`);
    if (instanceHash(launched.launchId, index, module, codeHash) !== program.instanceHashes[index])
      return fault('INSTANCE_COMMITMENT_MISMATCH', `module ${index}`);
  }
  if (programHash(modules, program.instanceHashes) !== program.programHash)
    return fault('PROGRAM_MISMATCH', 'programHash');
  return configurationHash(modules) === configuration.configurationHash
    ? null
    : fault('PROGRAM_MISMATCH', 'configurationHash');
}

/** Checks the token's code and metadata: its answers, where it answers, must equal the values that the launch bound. */
function tokenFault({ answers }: Case, { launched, configuration, identity, recipe }: NativeLaunch): Fault | null {
  if (codeHashOf('token', answers) !== identity.tokenCodeHash) return fault('TOKEN_CODE_MISMATCH', launched.token);
  if (metadataHash(recipe.name, recipe.symbol, recipe.metadata) !== configuration.metadataHash)
    return fault('METADATA_COMMITMENT_MISMATCH', 'the recipe');
  // No commitment covers the decimals of the event, so they are compared with the token's own answer, if there is one.
  const { decimals } = tokenIdentity(launched.token, answers);
  if (decimals !== null && decimals !== identity.decimals) return fault('EVENT_MISMATCH', "decimals: not the token's");
  if (tokenMetadata(launched.token, answers).status !== 'ok') return null;
  const said = metadataBytes(launched.token, answers)!;
  return metadataHash(identity.name, identity.symbol, said) === configuration.metadataHash
    ? null
    : fault('METADATA_COMMITMENT_MISMATCH', 'metadata()');
}

function getterEquals({ version, source, answers }: Case, name: string, wanted: readonly unknown[]): Fault | null {
  const values = returnedBy(launcherOf(version, source), name, answers);
  if (values === null) return fault('GETTER_REVERTED', name);
  const differs = values.findIndex((value, index) => value !== wanted[index]);
  return differs < 0 ? null : fault('GETTER_MISMATCH', `${name}: value ${differs}`);
}
