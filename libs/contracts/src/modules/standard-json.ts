import { canonicalizeJson } from '../json/canonical-json.js';
import type { BuildPlan } from './build-plan.schema.js';
import { BUILD_OUTPUTS } from './build-profile.js';

/** The part of a plan that the compiler reads. */
export type CompilerPlan = Pick<BuildPlan, 'remappings' | 'settings' | 'targets'>;

/**
 * Returns the Standard JSON of a plan over the texts of its sources, as canonical JSON. Equal plans and files give
 * equal bytes, so a plan's `standardJsonInputSha256` binds both. It requests only the plan's targets and fetches
 * nothing.
 */
export function standardJsonOf(plan: CompilerPlan, texts: ReadonlyMap<string, string>): Uint8Array {
  const outputSelection: Record<string, Record<string, readonly string[]>> = Object.create(null);
  for (const { path, contract } of plan.targets) {
    outputSelection[path] ??= Object.create(null) as Record<string, readonly string[]>;
    outputSelection[path]![contract] = BUILD_OUTPUTS;
  }
  const sources: Record<string, { content: string }> = Object.create(null);
  for (const [path, content] of texts) sources[path] = { content };
  return canonicalizeJson({
    language: 'Solidity',
    sources,
    settings: { ...plan.settings, remappings: plan.remappings, outputSelection },
  });
}
