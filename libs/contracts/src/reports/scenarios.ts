/** The profile that the assessments below apply to. */
export const SCENARIO_PROFILE = '4.1.0';

export const ASSESSMENTS = [
  'not-evaluated',
  'requires-exact-preflight',
  'platform-change-required',
  'server-evidence-required',
] as const;
export const BLOCKER_LAYERS = ['request', 'transport', 'policy', 'verifier', 'unclassified'] as const;
/** The public route for a request of a scenario. */
export const REQUEST_SURFACES = [
  'custom-launches',
  'multi-role-custom-launches',
  'none-versioned-transport-required',
  /** This deployment does not serve a route for it. */
  'not-provided',
] as const;
/** Proofs about the exact request that remove its findings. */
export const PROOF_OBLIGATIONS = [
  'token-side-liquidity',
  'initial-buy',
  'fee',
  'behaviour',
  'stateful-execution',
  'static-call-candidate',
  'cashflow',
  'solvency',
  'pricing-execution',
  'reserves',
  'classification',
] as const;

export interface ScenarioBoundary {
  readonly assessment: (typeof ASSESSMENTS)[number];
  readonly blockerLayer: (typeof BLOCKER_LAYERS)[number];
  readonly reason: string;
  readonly nextStep: string;
  readonly surface: (typeof REQUEST_SURFACES)[number];
  readonly obligations: readonly (typeof PROOF_OBLIGATIONS)[number][];
}

/** The boundary of each scenario under profile 4.1 (docs/reference/custom-launch.md#scenarios). */
export const SCENARIOS = {
  'reviewed-native20-seed': {
    assessment: 'requires-exact-preflight',
    blockerLayer: 'request',
    reason:
      'One pool of native currency and token with the reviewed kernel, token and initializer, no module, LP fee 0, tick spacing 60 and a fixed initial price is representable. Its liquidity and its atomic initial buy need exact server proof.',
    nextStep: 'Pack the exact request and send it to preflight.',
    surface: 'custom-launches',
    obligations: ['token-side-liquidity', 'initial-buy'],
  },
  'combined-token-hook': {
    assessment: 'platform-change-required',
    blockerLayer: 'transport',
    reason: 'This profile cannot represent a token and a hook at one address.',
    nextStep: 'Use the multi-role API.',
    surface: 'multi-role-custom-launches',
    obligations: [],
  },
  'hook-owned-pol-no-initial-buy': {
    assessment: 'platform-change-required',
    blockerLayer: 'policy',
    reason:
      'A funded launch needs an atomic native initial buy; liquidity that the hook owns without one has no policy.',
    nextStep: 'Add an atomic native initial buy, or wait for an extension of policy and verifier.',
    surface: 'custom-launches',
    obligations: ['initial-buy'],
  },
  'no-pool': {
    assessment: 'platform-change-required',
    blockerLayer: 'transport',
    reason: 'The transport requires exactly one official pool key.',
    nextStep: 'Declare one official pool.',
    surface: 'none-versioned-transport-required',
    obligations: [],
  },
  'multiple-pools': {
    assessment: 'platform-change-required',
    blockerLayer: 'transport',
    reason: 'The transport represents one official pool key only.',
    nextStep: 'Declare one official pool, or wait for a transport version that represents more.',
    surface: 'none-versioned-transport-required',
    obligations: [],
  },
  'non-native-pair': {
    assessment: 'platform-change-required',
    blockerLayer: 'transport',
    reason: 'The official pool pairs native currency with the designated token.',
    nextStep: 'Pair the token with native currency, or wait for a transport version that represents other pairs.',
    surface: 'none-versioned-transport-required',
    obligations: [],
  },
  'custom-token-or-initializer': {
    assessment: 'server-evidence-required',
    blockerLayer: 'verifier',
    reason: 'The graph is representable, but proof of its fee, initial buy or behaviour may be missing.',
    nextStep: 'Read findingObligations, and send the exact request to preflight.',
    surface: 'custom-launches',
    obligations: ['fee', 'initial-buy', 'behaviour'],
  },
  'stateful-module': {
    assessment: 'platform-change-required',
    blockerLayer: 'policy',
    reason: 'A candidate that is only called statically cannot prove stateful execution.',
    nextStep: 'Wait for a policy of stateful modules.',
    surface: 'none-versioned-transport-required',
    obligations: ['stateful-execution'],
  },
  'return-delta-settlement': {
    assessment: 'server-evidence-required',
    blockerLayer: 'verifier',
    reason: 'Declared callback permissions verify neither cashflows nor solvency.',
    nextStep: 'Wait for verifier evidence of the settlement.',
    surface: 'custom-launches',
    obligations: ['cashflow', 'solvency'],
  },
  'static-module': {
    assessment: 'platform-change-required',
    blockerLayer: 'transport',
    reason: 'Proof of a candidate may exist, but no public transport version carries it.',
    nextStep: 'Wait for a transport version that carries modules.',
    surface: 'none-versioned-transport-required',
    obligations: ['static-call-candidate'],
  },
  'custom-curve-or-auction': {
    assessment: 'server-evidence-required',
    blockerLayer: 'verifier',
    reason: 'Labels of a price prove neither its execution nor its reserves.',
    nextStep: 'Wait for verifier evidence of the pricing.',
    surface: 'custom-launches',
    obligations: ['pricing-execution', 'reserves'],
  },
  'unclassified-mechanism': {
    assessment: 'not-evaluated',
    blockerLayer: 'unclassified',
    reason: 'An unknown mechanism is neither approved nor found unsafe.',
    nextStep: 'Send the exact request to preflight, and read its findings.',
    surface: 'custom-launches',
    obligations: ['classification'],
  },
} as const satisfies Record<string, ScenarioBoundary>;

export type ScenarioId = keyof typeof SCENARIOS;
export const SCENARIO_IDS = Object.keys(SCENARIOS) as [ScenarioId, ...ScenarioId[]];

/** The assessment for any other profile, or none. */
const NOT_EVALUATED = {
  assessment: 'not-evaluated',
  blockerLayer: 'unclassified',
  reason: 'This deployment serves no profile that the scenarios were assessed for.',
  nextStep: 'Read readiness, and ask again when it names profile 4.1.0.',
} as const;

/**
 * Returns the scenarios as the guide shows them.
 * @param profile the served and ready profile, or null.
 */
export const assessedScenarios = (profile: string | null) =>
  SCENARIO_IDS.map((scenarioId) => {
    const { assessment, blockerLayer, reason, nextStep } =
      profile === SCENARIO_PROFILE ? SCENARIOS[scenarioId] : NOT_EVALUATED;
    return { scenarioId, assessment, blockerLayer, reason, nextStep, requestAuthorized: false as const };
  });
