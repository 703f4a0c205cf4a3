import type { CreateRequest } from '@launch/contracts';
import type { EconomicsVerdict } from '@launch/contracts/orchestration';
import { economicsOf, judge, MULTI_ROLE_ECONOMICS } from '@launch/launch-rules';

/** Economics by reviewed templates alone; unknown is `evidence_required`, not unsafe. */
export function judgeEconomics(request: CreateRequest): EconomicsVerdict {
  const economics = economicsOf(request);
  const findings = judge(MULTI_ROLE_ECONOMICS, { economics });
  const verdict = economics();
  return findings.length === 0 && verdict.kind === 'recognised'
    ? { findings: [], economicsHash: verdict.economicsHash, recipe: verdict.recipe }
    : { findings, economicsHash: null, recipe: null };
}
