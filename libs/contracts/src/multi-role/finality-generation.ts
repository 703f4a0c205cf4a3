/** `context.profile.derivedContractFinality` of launches whose derived contracts are proven one by one; matched exactly. */
export const DERIVED_CONTRACT_FINALITY_V3 = 'service.derived-contract-finality.v3';

/**
 * The finality generation of a launch. `malformed`: the marker or its parent has the wrong type. `unknown`: the text
 * names no policy. Neither ever counts as V2.
 */
export type FinalityGeneration = 'v2' | 'v3' | { readonly invalid: 'malformed' | 'unknown' };

const MARKER = 'derivedContractFinality';

/**
 * Selects the generation by the context of the *original* response, never a newer one. A missing marker is V2; a
 * present one must be the policy of V3 (docs/reference/finality.md#generations). Accepts any JSON, so that a context
 * can be judged before, and independently of, its schema.
 */
export function finalityGeneration(context: unknown): FinalityGeneration {
  const profile = isRecord(context) && Object.hasOwn(context, 'profile') ? context['profile'] : undefined;
  if (!isRecord(profile)) return { invalid: 'malformed' };
  if (!Object.hasOwn(profile, MARKER)) return 'v2';
  const marker = profile[MARKER];
  if (marker === DERIVED_CONTRACT_FINALITY_V3) return 'v3';
  return { invalid: typeof marker === 'string' ? 'unknown' : 'malformed' };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
