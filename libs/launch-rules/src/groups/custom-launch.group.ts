import {
  customLaunchFindingOf,
  type CustomLaunchFinding,
  type Finding,
  type JudgedCustomLaunch,
} from '@launch/contracts';
import type { RuleGroup } from '../judge.js';

export interface CustomRequestFact {
  readonly request: JudgedCustomLaunch;
}

/** A group of V4 launches and plans. */
export type CustomGroup<Facts> = RuleGroup<Facts, CustomLaunchFinding>;

/**
 * A shared group as V4 launches and plans have it: in their codes and places.
 * @param after what it needs there beside what it needs everywhere.
 */
export const custom = <Facts>(group: RuleGroup<Facts, Finding>, after: readonly string[] = []): CustomGroup<Facts> => ({
  name: group.name,
  after: [...(group.after ?? []), ...after],
  find: (facts) => group.find(facts).map(customLaunchFindingOf),
});
