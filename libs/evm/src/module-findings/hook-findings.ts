import type { ArtifactTarget, BuildFindingCode } from '@launch/contracts/modules';
import { hexToBytes } from 'viem/utils';
import { hookCallbackSelectors } from '../create2/hook-callbacks.js';
import { compareHookPermissions, DELTA_OF, HOOK_FLAGS, type HookFlag } from '../create2/hook-flags.js';
import { callerCheck, WalkBudget, type CallerCheck } from './caller-check.js';

/** A finding without its location. */
export interface HookFinding {
  readonly code: BuildFindingCode;
  readonly flag: HookFlag;
  readonly target: ArtifactTarget | null;
}

interface Callback {
  readonly flag: HookFlag;
  readonly target: ArtifactTarget;
  readonly check: CallerCheck;
}

/**
 * Returns the callbacks of every target. A callback that can only revert, as in a base contract, is not implemented.
 */
function callbacksOf(targets: readonly ArtifactTarget[]): Callback[] {
  const budget = new WalkBudget();
  return targets.flatMap((target) => {
    const runtime = hexToBytes(target.runtime.object);
    return hookCallbackSelectors(target.abi)
      .map(({ flag, selector }) => ({ flag, target, check: callerCheck(runtime, selector, budget) }))
      .filter(({ check }) => check !== 'reverts');
  });
}

/**
 * Compares the permissions that a descriptor names with the callbacks that the compiled targets implement, and checks
 * whether each callback verifies its caller. A return-delta permission is judged by its callback alone: code does not
 * show whether a delta is intended.
 */
export function hookFindings(permissions: readonly string[], targets: readonly ArtifactTarget[]): HookFinding[] {
  const callbacks = callbacksOf(targets);
  const flags = (Object.keys(HOOK_FLAGS) as HookFlag[]).filter((flag) => permissions.includes(flag));
  const bits = flags.reduce((sum, flag) => sum | HOOK_FLAGS[flag], 0);
  const implemented = callbacks.map(({ flag }) => flag);
  const deltas = DELTA_OF.filter(([delta, of]) => flags.includes(delta) && implemented.includes(of)).map(
    ([delta]) => delta,
  );
  return [
    ...compareHookPermissions(bits, [...new Set([...implemented, ...deltas])]).map(({ code, flag }) => ({
      code,
      flag,
      target: callbacks.find((callback) => callback.flag === flag)?.target ?? null,
    })),
    ...callbacks.flatMap(({ flag, target, check }): HookFinding[] =>
      check === 'guarded'
        ? []
        : [{ code: check === 'open' ? 'HOOK_CALLER_UNCHECKED' : 'HOOK_CALLER_UNDETERMINED', flag, target }],
    ),
  ];
}
