import type { JudgedCustomLaunch } from '@launch/evm';
import {
  customLaunchFindingOf,
  type CustomLaunchCode,
  type CustomLaunchFinding,
  type Finding,
} from '@launch/contracts/errors';
import { canonicalSha256, keccak256Hex, type Hex } from '@launch/contracts/primitives';
import { hexToBytes } from 'viem/utils';
import type { RuleGroup } from '../judge.js';

export interface CustomLaunchRequestFact {
  readonly request: JudgedCustomLaunch;
}

/** A rule group for custom launches and plans. */
export type CustomLaunchGroup<Facts> = RuleGroup<Facts, CustomLaunchFinding>;

/**
 * Adapts a shared group to custom launches and plans: with their codes and paths, and with the full details of a
 * finding.
 * @param after dependencies in these families beyond the shared ones.
 */
export const forCustomLaunch = <Facts>(
  group: RuleGroup<Facts, Finding>,
  after: readonly string[] = [],
): CustomLaunchGroup<Facts> => ({
  name: group.name,
  after: [...(group.after ?? []), ...after],
  find: (facts) => customLaunchFindings(group.find(facts), facts),
});

/** The expected values of findings whose shared rule leaves them to the code. */
const EXPECTED: Partial<Record<CustomLaunchCode, string>> = {
  COMPILER_ERROR: 'sources that compile',
  CONTEXT_NOT_CURRENT: 'an instruction policy of this build, unchanged',
  CUSTOM_LAUNCH_EVIDENCE_REQUIRED: 'code of a reviewed recipe that the context publishes',
  GRAPH_ADDRESS_OCCUPIED: 'an account without code',
  GRAPH_RUNTIME_NOT_MATERIALIZED: 'creation code that the router can execute',
  PERMIT_EXPIRED: 'a deadline that has not passed',
  RUNTIME_EMPTY: 'a runtime',
};

/**
 * Converts findings of shared rules to the codes and paths of these families; missing details follow from code and
 * request.
 */
export const customLaunchFindings = (found: readonly Finding[], facts: unknown): CustomLaunchFinding[] =>
  found.map((one) => {
    const own = customLaunchFindingOf(one);
    const { request } = facts as { readonly request?: unknown };
    return {
      ...own,
      expected: own.expected ?? EXPECTED[own.code] ?? null,
      actual: own.actual ?? shownAt(request, own.path),
    };
  });

const SHOWN_CHARACTERS = 128;

/** Returns a request's value at a pointer, or its hash if it is long, or null if there is none. */
function shownAt(request: unknown, pointer: string): string | null {
  let value = request;
  for (const name of pointer.split('/').slice(1))
    value = typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : null;
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return `${value.length} entries hashing to ${canonicalSha256(value)}`;
  if (typeof value !== 'string') return typeof value === 'object' ? 'an object' : String(value);
  if (value.length <= SHOWN_CHARACTERS) return value;
  return /^0x([0-9a-f]{2})*$/.test(value) ? `code hashing to ${keccak256Hex(hexToBytes(value as Hex))}` : null;
}
