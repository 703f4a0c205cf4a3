import { createObserverPair, materializeRuntimes, parseObserverUrls, type ObserverPair } from '@launch/chain';
import { createCompiler, type CompiledContract } from '@launch/compiler';
import { keccak256Hex, type CreateRequest } from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';
import { childAddress, hookFlagsOf, initCodeOf, NATIVE_FEE_HOOK_FLAGS, predictedAddress, routerOf, type Hex } from '@launch/evm';
import { hexToBytes, numberToHex } from 'viem';
import { editStandardJson, relocate, type MutableRequest, type Standard } from './request-mutation.js';

/** Both L2 observers of a stack, for what only the chain can say. */
export const observersOf = (urls: readonly [string, string]): ObserverPair =>
  createObserverPair(parseObserverUrls('RPC_4663_URLS', `a=${urls[0]},b=${urls[1]}`), 4663);

async function compileContract(version: string, input: unknown, path: string, contract: string): Promise<CompiledContract> {
  const compiler = createCompiler({ versions: [version] });
  try {
    const verdict = await compiler.compile({ version, standardJsonInput: canonicalizeJson(input), targets: [{ path, contract }] });
    if (verdict.verdict === 'failed') throw new Error(`the altered source does not compile: ${verdict.findings.map((finding) => finding.actual).join('; ')}`);
    const compiled = verdict.output.contracts.find((entry) => entry.path === path && entry.contract === contract);
    if (compiled === undefined) throw new Error(`no ${contract} in ${path}`);
    return compiled;
  } finally {
    await compiler.close();
  }
}

const saltOf = (controller: string, counter: number): Hex => `${controller as Hex}${numberToHex(counter, { size: 12 }).slice(2)}`;

function mineHookSalt(request: CreateRequest, initCode: Hex): Hex {
  const { router } = routerOf(request.context);
  const initCodeHash = keccak256Hex(hexToBytes(initCode)) as Hex;
  for (let counter = 0; counter < 1 << 18; counter += 1) {
    const salt = saltOf(request.launchWallet, counter);
    if (hookFlagsOf(predictedAddress({ deployer: router, salt, initCodeHash })) === NATIVE_FEE_HOOK_FLAGS) return salt;
  }
  throw new Error('no salt was found');
}

/** Finds the hook's permissions again after its code or arguments changed, and moves everything that names it. */
export function mineAgain(request: MutableRequest): void {
  const component = request.graphBundle.components[0]!;
  component.salt = mineHookSalt(request, initCodeOf(component.creationBytecode as Hex, component.constructorArgs as Hex));
  relocate(request, (account) => childAddress(account, 1n));
}

/**
 * Changes the project's sources and follows through as an honest builder would: compiles,
 * mines a new salt, and declares the runtimes that really deploy.
 */
export async function alterProject(request: MutableRequest, l2: ObserverPair, edit: (input: Standard) => void): Promise<void> {
  editStandardJson(request, edit);
  const unit = request.compilerVerification.compilationUnits[0]!;
  const { target } = request.compilerVerification.components[0]!;
  const input = JSON.parse(Buffer.from(unit.standardJsonInputBase64, 'base64').toString('utf8')) as unknown;
  const compiled = await compileContract(unit.compilerVersion, input, target.path, target.contract);
  const component = request.graphBundle.components[0]!;
  component.creationBytecode = compiled.creation.object;
  mineAgain(request);
  const initCode = initCodeOf(component.creationBytecode as Hex, component.constructorArgs as Hex);
  const child = request.graphBundle.children[0]!;
  const made = await materializeRuntimes(l2, routerOf(request.context).router, [component.salt as Hex], [initCode], [child.account]);
  if (made.kind !== 'materialized') throw new Error(`the altered project does not deploy: ${JSON.stringify(made)}`);
  component.expectedRuntimeCode = made.components[0]!.runtimeCode;
  child.runtimeCodeHash = made.children[0]!.runtimeCodeHash;
}

export interface Auxiliary {
  readonly source: string;
  readonly contract: string;
  /** Compiler settings beside the reference's; e.g. metadata left on. */
  readonly settings?: Record<string, unknown>;
}

/** Adds a component without a role, compiled from a source of its own, declaring the runtime the compiler gave. */
export async function addAuxiliary(request: MutableRequest, auxiliary: Auxiliary): Promise<void> {
  const path = `auxiliary/${auxiliary.contract}.sol`;
  const settings = { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun', metadata: { appendCBOR: false, bytecodeHash: 'none' }, ...auxiliary.settings };
  const input = { language: 'Solidity', sources: { [path]: { content: auxiliary.source } }, settings };
  const compiled = await compileContract('0.8.26', input, path, auxiliary.contract);
  const componentId = `auxiliary-${auxiliary.contract}`;
  const salt = saltOf(request.launchWallet, 1);
  const { router } = routerOf(request.context);
  request.compilerVerification.compilationUnits.push({
    compilationUnitId: componentId,
    compilerVersion: '0.8.26',
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
