import type { JudgedRequest } from '@launch/contracts/launch';
import { recogniseEconomics, type EconomicsVerdict } from '@launch/evm';
import type { RuleGroup } from '../judge.js';

/** A request's economics, worked out at the first question and only then. */
export interface EconomicsFact {
  readonly economics: () => EconomicsVerdict;
}

export function economicsOf(request: JudgedRequest): EconomicsFact['economics'] {
  let verdict: EconomicsVerdict | undefined;
  return () => (verdict ??= recogniseEconomics(request));
}

/** The economics are those of a reviewed recipe, as declared, funded and pinned. */
export const ECONOMICS: RuleGroup<EconomicsFact> = {
  name: 'economics',
  find({ economics }) {
    const verdict = economics();
    return verdict.kind === 'recognised' ? [] : verdict.findings;
  },
};

/** Known contracts carry what is declared. Unrecognised economics are missing coverage and no fault of the request. */
export const ECONOMIC_BINDINGS: RuleGroup<EconomicsFact> = {
  name: 'economic-bindings',
  find({ economics }) {
    const verdict = economics();
    return verdict.kind === 'bindings' ? verdict.findings : [];
  },
};

/** The code is a reviewed recipe's. */
export const ECONOMIC_COVERAGE: RuleGroup<EconomicsFact> = {
  name: 'economic-coverage',
  find({ economics }) {
    const verdict = economics();
    return verdict.kind === 'unrecognised' ? verdict.findings : [];
  },
};
