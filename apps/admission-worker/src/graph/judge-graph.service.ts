import { getCodeAgreed, materializeRuntimes, readPinnedContracts, type ObserverPair } from '@launch/chain';
import type { CreateRequest, Finding, Hex } from '@launch/contracts';
import type { GraphVerdict } from '@launch/contracts/orchestration';
import { launchCallOf, routerOf } from '@launch/evm';
import { judge, MULTI_ROLE_DEPLOYMENT, MULTI_ROLE_EXTERNALS, MULTI_ROLE_GRAPH } from '@launch/launch-rules';
import { AdmissionError } from '../admission.error.js';
import type { CompiledLaunch } from '../compilation/compiled-launch.schema.js';

/** The code of each external contract. @throws AdmissionError while the observers do not agree. */
async function externalCodesOf(request: CreateRequest, l2: ObserverPair): Promise<Hex[]> {
  const codes: Hex[] = [];
  for (const { account } of request.externalContracts) {
    const code = await getCodeAgreed(l2, account);
    if (code.kind === 'indeterminate') throw new AdmissionError('PROVIDERS_UNDECIDED', code.reason);
    codes.push(code.value);
  }
  return codes;
}

/** A multi-role launch's: `findings` are in its own codes. */
export type MultiRoleGraphVerdict = GraphVerdict & { readonly findings: readonly Finding[] };

/** Graph, pool, funding, hook permissions, externals, and the runtimes that really deploy. */
export async function judgeGraph(
  request: CreateRequest,
  compiled: CompiledLaunch,
  l2: ObserverPair,
  now: Date,
): Promise<MultiRoleGraphVerdict> {
  const refuse = (findings: Finding[]): MultiRoleGraphVerdict => ({ findings, materialized: [] });
  const clocks = [Math.floor(now.getTime() / 1_000)];
  const declared = judge(MULTI_ROLE_GRAPH, { request, compiled, clocks });
  if (declared.length > 0) return refuse(declared);
  // Its own context's router, whichever release works on it; another program at that address is no fault of the launch.
  const against = await readPinnedContracts(l2, request.context);
  if (against.length > 0)
    throw new AdmissionError('PROVIDERS_UNDECIDED', `the chain is not the context's: ${against.join(', ')}`);
  const externals = judge(MULTI_ROLE_EXTERNALS, { request, externalCodes: await externalCodesOf(request, l2) });
  if (externals.length > 0) return refuse(externals);

  const call = launchCallOf(request);
  const materialized = await materializeRuntimes(
    l2,
    routerOf(request.context).router,
    call.components.map((component) => component.salt),
    call.components.map((component) => component.initCode),
    call.children.map((child) => child.account),
  );
  if (materialized.kind === 'indeterminate') throw new AdmissionError('PROVIDERS_UNDECIDED', materialized.reason);
  const findings = judge(MULTI_ROLE_DEPLOYMENT, { request, materialized });
  if (findings.length > 0 || materialized.kind === 'refused') return refuse(findings);
  return {
    findings: [],
    materialized: [...materialized.components, ...materialized.children].map(({ account, runtimeCodeHash }) => ({
      account,
      runtimeCodeHash,
    })),
  };
}
