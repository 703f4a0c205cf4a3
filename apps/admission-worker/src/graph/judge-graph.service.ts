import {
  getCodeAgreed,
  materializeRuntimes,
  readPinnedContracts,
  type Materialization,
  type ObserverPair,
} from '@launch/chain';
import type { AnyFinding } from '@launch/contracts/errors';
import type { JudgedRequest } from '@launch/contracts/launch';
import type { GraphVerdict } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import { launchCallOf, routerOf } from '@launch/evm';
import { AdmissionError } from '../admission.error.js';
import type { CompiledLaunch } from '../compilation/compiled-launch.schema.js';
import type { JudgedLaunch } from '../families/judged-launch.js';

/** Reads the code of each external contract. @throws AdmissionError while the observers do not agree. */
export async function externalCodesOf(request: JudgedRequest, l2: ObserverPair): Promise<Hex[]> {
  const codes: Hex[] = [];
  for (const { account } of request.externalContracts) {
    const code = await getCodeAgreed(l2, account);
    if (code.kind === 'indeterminate') throw new AdmissionError('PROVIDERS_UNDECIDED', code.reason);
    codes.push(code.value);
  }
  return codes;
}

/** @throws AdmissionError while the chain is not the request's context's, or the observers do not agree. */
export async function requireChainOf({ context }: JudgedRequest, l2: ObserverPair): Promise<void> {
  const against = await readPinnedContracts(l2, context);
  if (against.length > 0)
    throw new AdmissionError('PROVIDERS_UNDECIDED', `the chain is not the context's: ${against.join(', ')}`);
}

/**
 * Returns the runtimes that the router deploys from the creation codes. @throws AdmissionError while the observers do
 * not agree.
 */
export async function materializedOf(
  request: JudgedRequest,
  l2: ObserverPair,
): Promise<Exclude<Materialization, { readonly kind: 'indeterminate' }>> {
  const call = launchCallOf(request);
  const materialized = await materializeRuntimes(
    l2,
    routerOf(request.context).router,
    call.components.map((component) => component.salt),
    call.components.map((component) => component.initCode),
    call.children.map((child) => child.account),
  );
  if (materialized.kind === 'indeterminate') throw new AdmissionError('PROVIDERS_UNDECIDED', materialized.reason);
  return materialized;
}

/** Judges graph, pool, funding, hook permissions, externals, and the deployed runtimes. */
export async function judgeGraph(
  launch: JudgedLaunch,
  compiled: CompiledLaunch,
  l2: ObserverPair,
  now: Date,
): Promise<GraphVerdict> {
  const { request } = launch;
  const refuse = (findings: readonly AnyFinding[]): GraphVerdict => ({ findings, materialized: [] });
  const clocks = [Math.floor(now.getTime() / 1_000)];
  const declared = launch.graph({ compiled, clocks });
  if (declared.length > 0) return refuse(declared);
  // Checks the router of its own context, in any release. Another program at that address is not a fault of the launch.
  await requireChainOf(request, l2);
  const externals = launch.externals(await externalCodesOf(request, l2));
  if (externals.length > 0) return refuse(externals);

  const materialized = await materializedOf(request, l2);
  const findings = launch.deployment(materialized);
  if (findings.length > 0 || materialized.kind === 'refused') return refuse(findings);
  return {
    findings: [],
    materialized: [...materialized.components, ...materialized.children].map(({ account, runtimeCodeHash }) => ({
      account,
      runtimeCodeHash,
    })),
  };
}
