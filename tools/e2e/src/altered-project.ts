import { createObserverPair, materializeRuntimes, parseObserverUrls, type ObserverPair } from '@launch/chain';
import { createCompiler, type CompiledContract, type Compiler } from '@launch/compiler';
import { canonicalizeJson } from '@launch/contracts/json';
import type { CreateRequest } from '@launch/contracts/multi-role';
import { keccak256Bytes } from '@launch/contracts/primitives';
import {
  childAddress,
  HOOK_FLAG_MASK,
  initCodeOf,
  NATIVE_FEE_HOOK_FLAGS,
  predictedAddress,
  routerOf,
  type Hex,
} from '@launch/evm';
import { concat, hexToBytes, keccak256, numberToHex } from 'viem';
import { editStandardJson, hookOf, relocate, type MutableRequest, type Standard } from './request-mutation.js';

/** The compiler of the reference. */
const ALTERED_WITH = '0.8.26';

/** Opens both L2 observers of a stack, for facts that only the chain has. */
export const observersOf = (urls: readonly [string, string]): ObserverPair =>
  createObserverPair(parseObserverUrls('RPC_4663_URLS', `a=${urls[0]},b=${urls[1]}`), 4663);

let compiler: Compiler | undefined;

/** Ends the compiler that alterations share. Every test file with alterations calls it at its end. */
export async function endAlterations(): Promise<void> {
  await compiler?.close();
  compiler = undefined;
}

async function compileContract(
  version: string,
  input: unknown,
  path: string,
  contract: string,
): Promise<CompiledContract> {
  compiler ??= createCompiler({ versions: [ALTERED_WITH], sharesProcesses: true });
  const verdict = await compiler.compile({
    version,
    standardJsonInput: canonicalizeJson(input),
    targets: [{ path, contract }],
  });
  if (verdict.verdict === 'failed')
    throw new Error(
      `the altered source does not compile: ${verdict.findings.map((finding) => finding.actual).join('; ')}`,
    );
  const compiled = verdict.output.contracts.find((entry) => entry.path === path && entry.contract === contract);
  if (compiled === undefined) throw new Error(`no ${contract} in ${path}`);
  return compiled;
}

const saltOf = (controller: string, counter: number): Hex =>
  `${controller as Hex}${numberToHex(counter, { size: 12 }).slice(2)}`;

function mineHookSalt(request: CreateRequest, initCode: Hex, owner: string): Hex {
  const preimage = hexToBytes(
    concat(['0xff', routerOf(request.context).router, owner as Hex, `0x${'00'.repeat(12)}`, keccak256(initCode)]),
  );
  const counterAt = new DataView(preimage.buffer, 1 + 20 + 28, 4);
  for (let counter = 0; counter < 1 << 18; counter += 1) {
    counterAt.setUint32(0, counter);
    const address = keccak256Bytes(preimage);
    if ((((address[30]! << 8) | address[31]!) & HOOK_FLAG_MASK) === NATIVE_FEE_HOOK_FLAGS)
      return saltOf(owner, counter);
  }
  throw new Error('no salt was found');
}

/**
 * Finds an address with the hook's permissions for the current code and arguments, and updates everything that names it.
 * @param owner the wallet whose salts are tried; defaults to the launch wallet.
 */
export function mineAgain(request: MutableRequest, owner: string = request.launchWallet): void {
  const component = hookOf(request);
  component.salt = mineHookSalt(request, initCodeOf(component.creationBytecode, component.constructorArgs), owner);
  relocate(request, (account) => childAddress(account, 1n));
}

/**
 * Follows a changed hook through as an honest builder would: mines a new salt, and declares the runtimes that actually deploy.
 */
export async function declareAgain(request: MutableRequest, l2: ObserverPair): Promise<void> {
  mineAgain(request);
  const { components, children } = request.graphBundle;
  const initCodes = components.map(({ creationBytecode, constructorArgs }) =>
    initCodeOf(creationBytecode as Hex, constructorArgs as Hex),
  );
  const salts = components.map(({ salt }) => salt as Hex);
  const made = await materializeRuntimes(
    l2,
    routerOf(request.context).router,
    salts,
    initCodes,
    children.map(({ account }) => account as Hex),
  );
  if (made.kind !== 'materialized') throw new Error(`the altered project does not deploy: ${JSON.stringify(made)}`);
  made.components.forEach(({ runtimeCode }, index) => (components[index]!.expectedRuntimeCode = runtimeCode));
  made.children.forEach(({ runtimeCodeHash }, index) => (children[index]!.runtimeCodeHash = runtimeCodeHash));
}

/** Changes the hook's sources, compiles them and follows the change through. */
export async function alterProject(
  request: MutableRequest,
  l2: ObserverPair,
  edit: (input: Standard) => void,
): Promise<void> {
  editStandardJson(request, edit);
  const unit = request.compilerVerification.compilationUnits[0]!;
  const hook = hookOf(request);
  const { target } = request.compilerVerification.components.find(
    ({ componentId }) => componentId === hook.componentId,
  )!;
  const input = JSON.parse(Buffer.from(unit.standardJsonInputBase64, 'base64').toString('utf8')) as unknown;
  hook.creationBytecode = (
    await compileContract(unit.compilerVersion, input, target.path, target.contract)
  ).creation.object;
  await declareAgain(request, l2);
}

export interface Auxiliary {
  readonly source: string;
  readonly contract: string;
  /** Compiler settings besides the reference's, such as enabled metadata. */
  readonly settings?: Record<string, unknown>;
}

/** Adds a component without a role, compiled from its own source, and declares the compiled runtime. */
export async function addAuxiliary(request: MutableRequest, auxiliary: Auxiliary): Promise<void> {
  const path = `auxiliary/${auxiliary.contract}.sol`;
  const settings = {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: 'cancun',
    metadata: { appendCBOR: false, bytecodeHash: 'none' },
    ...auxiliary.settings,
  };
  const input = { language: 'Solidity', sources: { [path]: { content: auxiliary.source } }, settings };
  const compiled = await compileContract(ALTERED_WITH, input, path, auxiliary.contract);
  const componentId = `auxiliary-${auxiliary.contract}`;
  const salt = saltOf(request.launchWallet, 1);
  const { router } = routerOf(request.context);
  request.compilerVerification.compilationUnits.push({
    compilationUnitId: componentId,
    compilerVersion: ALTERED_WITH,
    standardJsonInputSha256: `sha256:${'0'.repeat(64)}`,
    standardJsonInputBase64: Buffer.from(canonicalizeJson(input)).toString('base64'),
  });
  request.compilerVerification.components.push({
    componentId,
    target: { compilationUnitId: componentId, path, contract: auxiliary.contract },
    constructor: { encoding: 'abi', argumentsHash: `0x${'0'.repeat(64)}` },
    runtimeMaterialization: { method: 'create2-from-router', libraries: [] },
  });
  request.graphBundle.components.push({
    componentId,
    roleMask: 0,
    salt,
    creationBytecode: compiled.creation.object,
    constructorArgs: '0x',
    predictedAddress: predictedAddress({ deployer: router, salt, initCode: compiled.creation.object }),
    expectedRuntimeCode: compiled.runtime.object,
    expectedRuntimeCodeHash: `0x${'0'.repeat(64)}`,
  });
}
