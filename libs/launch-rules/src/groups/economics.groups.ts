import type { JudgedRequest } from '@launch/contracts/launch';
import { recogniseEconomics, type EconomicsVerdict } from '@launch/evm';
import type { RuleGroup } from '../judge.js';

/** A request's economics, computed on first use. */
export interface EconomicsFact {
  readonly economics: () => EconomicsVerdict;
}

export function economicsOf(request: JudgedRequest): EconomicsFact['economics'] {
  let verdict: EconomicsVerdict | undefined;
  return () => (verdict ??= recogniseEconomics(request));
}

/** Requires the economics of a reviewed recipe, as declared, funded and pinned. */
export const ECONOMICS: RuleGroup<EconomicsFact> = {
  name: 'economics',
  find({ economics }) {
    const verdict = economics();
    return verdict.kind === 'recognised' ? [] : verdict.findings;
  },
};

/**
 * Requires that recognised contracts carry the declared values. Unrecognised economics are missing coverage, not a
 * fault of the request.
 */
export const ECONOMIC_BINDINGS: RuleGroup<EconomicsFact> = {
  name: 'economic-bindings',
  find({ economics }) {
    const verdict = economics();
    return verdict.kind === 'bindings' ? verdict.findings : [];
  },
};

/** Requires the code of a reviewed recipe. */
export const ECONOMIC_COVERAGE: RuleGroup<EconomicsFact> = {
  name: 'economic-coverage',
  find({ economics }) {
    const verdict = economics();
    return verdict.kind === 'unrecognised' ? verdict.findings : [];
  },
};
