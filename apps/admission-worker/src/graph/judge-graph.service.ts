import { hexToBytes } from 'viem';
import {
  getCodeAgreed,
  materializeRuntimes,
  readPinnedContracts,
  type Materialization,
  type ObserverPair,
} from '@launch/chain';
import { finding, keccak256Hex, type CreateRequest, type Finding } from '@launch/contracts';
import type { GraphVerdict } from '@launch/contracts/orchestration';
import {
  compareHookFlags,
  fundingFindings,
  graphFindings,
  HOOK_FLAGS,
  hookFlagsOf,
  launchCallOf,
  routerOf,
  runtimePolicyFindings,
  type HookFlag,
  type RuntimeToScan,
} from '@launch/evm';
import { AdmissionError } from '../admission.error.js';
import type { CompiledLaunch } from '../compilation/compiled-launch.schema.js';

const HOOK_ROLE = 2;

/** A return-delta flag has no callback of its own: it is implemented where its callback is. */
const DELTA_CALLBACKS: Readonly<Partial<Record<HookFlag, HookFlag>>> = {
  beforeSwapReturnDelta: 'beforeSwap',
  afterSwapReturnDelta: 'afterSwap',
  afterAddLiquidityReturnDelta: 'afterAddLiquidity',
  afterRemoveLiquidityReturnDelta: 'afterRemoveLiquidity',
};

/** The hook's address must announce exactly the callbacks that its compiled code implements. */
export function hookFindings(request: CreateRequest, compiled: CompiledLaunch): Finding[] {
  const index = request.graphBundle.components.findIndex((component) => (component.roleMask & HOOK_ROLE) !== 0);
  const component = request.graphBundle.components[index];
  if (component === undefined) return [];
  const hook = component.predictedAddress;
  const callbacks =
    compiled.components.find((entry) => entry.componentId === component.componentId)?.hookCallbacks ?? [];
  const announced = hookFlagsOf(hook);
  const deltas = (Object.keys(DELTA_CALLBACKS) as HookFlag[]).filter((flag) => {
    const callback = DELTA_CALLBACKS[flag];
    return (announced & HOOK_FLAGS[flag]) !== 0 && callback !== undefined && callbacks.includes(callback);
  });
  return compareHookFlags(hook, [...callbacks, ...deltas]).map((deviation) =>
    finding('GRAPH_HOOK_PERMISSIONS_INVALID', `/graphBundle/components/${index}/predictedAddress`, {
      expected: 'address flags equal to the implemented callbacks',
      actual: `${deviation.code}: ${deviation.flag}`,
    }),
  );
}

async function externalFindings(request: CreateRequest, l2: ObserverPair): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [index, external] of request.externalContracts.entries()) {
    const code = await getCodeAgreed(l2, external.account);
    if (code.kind === 'indeterminate') throw new AdmissionError('PROVIDERS_UNDECIDED', code.reason);
    const actual = keccak256Hex(hexToBytes(code.value));
    if (code.value === '0x' || actual !== external.runtimeCodeHash) {
      findings.push(
        finding('GRAPH_EXTERNAL_INVALID', `/externalContracts/${index}/runtimeCodeHash`, {
          expected: code.value === '0x' ? 'an account with code' : actual,
          actual: external.runtimeCodeHash,
        }),
      );
    }
  }
  return findings;
}

function refusedFinding(refused: Extract<Materialization, { kind: 'refused' }>): Finding {
  const list =
    refused.error === 'ChildAlreadyExists' || refused.error === 'ChildWithoutCode' ? 'children' : 'components';
  const path = refused.index === null ? '/graphBundle' : `/graphBundle/${list}/${refused.index}`;
  if (refused.error === 'ChildAlreadyExists') return finding('GRAPH_ADDRESS_OCCUPIED', path);
  if (refused.error === 'ChildWithoutCode')
    return finding('GRAPH_CHILD_INVALID', path, { expected: 'a contract made by its parent’s constructor' });
  return finding('GRAPH_RUNTIME_NOT_MATERIALIZED', path, { actual: refused.error });
}

/** Compares the code that deploys with the declared code, and scans the code that deploys. */
function materializedFindings(
  request: CreateRequest,
  result: Extract<Materialization, { kind: 'materialized' }>,
): Finding[] {
  const findings: Finding[] = [];
  const scans: RuntimeToScan[] = [];
  result.components.forEach((made, index) => {
    const declared = request.graphBundle.components[index];
    const path = `/graphBundle/components/${index}/expectedRuntimeCode`;
    scans.push({ path, runtime: hexToBytes(made.runtimeCode) });
    if (
      declared === undefined ||
      made.account !== declared.predictedAddress ||
      made.runtimeCode !== declared.expectedRuntimeCode
    ) {
      findings.push(
        finding('GRAPH_RUNTIME_NOT_MATERIALIZED', path, {
          expected: `runtime hashing to ${made.runtimeCodeHash}`,
          actual: declared?.expectedRuntimeCodeHash ?? null,
        }),
      );
    }
  });
  result.children.forEach((made, index) => {
    const declared = request.graphBundle.children[index];
    const path = `/graphBundle/children/${index}/runtimeCodeHash`;
    scans.push({ path, runtime: hexToBytes(made.runtimeCode) });
    if (declared === undefined || made.runtimeCodeHash !== declared.runtimeCodeHash) {
      findings.push(
        finding('GRAPH_RUNTIME_NOT_MATERIALIZED', path, {
          expected: made.runtimeCodeHash,
          actual: declared?.runtimeCodeHash ?? null,
        }),
      );
    }
  });
  return [...findings, ...runtimePolicyFindings(request.context.profile.instructionPolicy.id, scans)];
}

/** Graph, pool, funding, hook permissions, externals, and the runtimes that really deploy. */
export async function judgeGraph(
  request: CreateRequest,
  compiled: CompiledLaunch,
  l2: ObserverPair,
  now: Date,
): Promise<GraphVerdict> {
  const refuse = (findings: Finding[]): GraphVerdict => ({ findings, materialized: [] });
  const pure = [...graphFindings(request), ...fundingFindings(request), ...hookFindings(request, compiled)];
  if (BigInt(Math.floor(now.getTime() / 1000)) > BigInt(request.permitWindow.deadline))
    pure.push(finding('PERMIT_EXPIRED', '/permitWindow/deadline'));
  if (pure.length > 0) return refuse(pure);
  // Its own context's router, whichever release works on it; another program at that address is no fault of the launch.
  const against = await readPinnedContracts(l2, request.context);
  if (against.length > 0)
    throw new AdmissionError('PROVIDERS_UNDECIDED', `the chain is not the context's: ${against.join(', ')}`);
  const externals = await externalFindings(request, l2);
  if (externals.length > 0) return refuse(externals);

  const call = launchCallOf(request);
  const result = await materializeRuntimes(
    l2,
    routerOf(request.context).router,
    call.components.map((component) => component.salt),
    call.components.map((component) => component.initCode),
    call.children.map((child) => child.account),
  );
  if (result.kind === 'indeterminate') throw new AdmissionError('PROVIDERS_UNDECIDED', result.reason);
  if (result.kind === 'refused') return refuse([refusedFinding(result)]);
  const findings = materializedFindings(request, result);
  if (findings.length > 0) return refuse(findings);
  return {
    findings: [],
    materialized: [...result.components, ...result.children].map(({ account, runtimeCodeHash }) => ({
      account,
      runtimeCodeHash,
    })),
  };
}
