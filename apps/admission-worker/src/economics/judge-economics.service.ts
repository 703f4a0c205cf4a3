import type { CreateRequest } from '@launch/contracts';
import type { EconomicsVerdict } from '@launch/contracts/orchestration';
import { recogniseEconomics } from '@launch/evm';

/** Economics by reviewed templates alone; unknown is `evidence_required`, not unsafe. */
export function judgeEconomics(request: CreateRequest): EconomicsVerdict {
  const verdict = recogniseEconomics(request);
  return verdict.kind === 'recognised'
    ? { findings: [], economicsHash: verdict.economicsHash, recipe: verdict.recipe }
    : { findings: verdict.findings, economicsHash: null, recipe: null };
}
