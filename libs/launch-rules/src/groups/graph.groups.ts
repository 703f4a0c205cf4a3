import { finding, type Finding } from '@launch/contracts/errors';
import type { JudgedRequest } from '@launch/contracts/launch';
import type { CreateRequest } from '@launch/contracts/multi-role';
import { compareHookFlags, HOOK_FLAGS, hookFlagsOf, LAUNCH_ROLES, type HookFlag } from '@launch/evm';
import type { RuleGroup } from '../judge.js';
import { graphFindings } from './request-graph.findings.js';

/** Judges roles, addresses, accounts and pool, as far as the request alone shows them. */
export const GRAPH: RuleGroup<{ readonly request: CreateRequest }> = {
  name: 'graph',
  find: ({ request }) => graphFindings(request),
};

/** A return-delta flag has no callback of its own: the callback that returns the delta implements it. */
const DELTA_CALLBACKS: Readonly<Partial<Record<HookFlag, HookFlag>>> = {
  beforeSwapReturnDelta: 'beforeSwap',
  afterSwapReturnDelta: 'afterSwap',
  afterAddLiquidityReturnDelta: 'afterAddLiquidity',
  afterRemoveLiquidityReturnDelta: 'afterRemoveLiquidity',
};

/** The callbacks of `IHooks` that each compiled component implements. */
export interface CompiledFact {
  readonly compiled: {
    readonly components: readonly { readonly componentId: string; readonly hookCallbacks: readonly HookFlag[] }[];
  };
}

/** Requires that the hook's address announces exactly the callbacks of its compiled code. */
export const HOOK_PERMISSIONS: RuleGroup<CompiledFact & { readonly request: Pick<JudgedRequest, 'graphBundle'> }> = {
  name: 'hook-permissions',
  find({ request, compiled }): Finding[] {
    const { components } = request.graphBundle;
    const index = components.findIndex(({ roleMask }) => (roleMask & LAUNCH_ROLES.hook) !== 0);
    const component = components[index];
    if (component === undefined) return [];
    const hook = component.predictedAddress;
    const callbacks =
      compiled.components.find(({ componentId }) => componentId === component.componentId)?.hookCallbacks ?? [];
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
  },
};
