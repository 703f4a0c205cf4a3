import type { EconomicsVerdict } from '@launch/contracts/orchestration';
import type { JudgedLaunch } from '../families/judged-launch.js';

/** Judges economics by reviewed templates only. Unknown economics are `evidence_required`, not unsafe. */
export function judgeEconomics(launch: JudgedLaunch): EconomicsVerdict {
  const { findings, verdict } = launch.economics();
  return findings.length === 0 && verdict.kind === 'recognised'
    ? { findings: [], economicsHash: verdict.economicsHash, recipe: verdict.recipe }
    : { findings, economicsHash: null, recipe: null };
}
