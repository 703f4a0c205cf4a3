import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OBSERVED_STAGES } from '@launch/contracts/orchestration';
import {
  nextCustomLaunchStatus,
  CUSTOM_LAUNCH_STATUSES,
  nextReviewState,
  REVIEW_STATES,
  LAUNCH_STATUSES,
  statusesBefore,
  nextStepStatus,
  STEP_STATUSES,
  type CustomLaunchStatus,
  type CustomLaunchTrigger,
  type ReviewState,
  type ReviewTrigger,
  type LaunchStatus,
  type StepStatus,
  type StepTrigger,
} from '@launch/contracts/states';

const text = readFileSync(path.resolve(import.meta.dirname, '../../docs/architecture.md'), 'utf8');

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly triggers: readonly string[];
}
/** Arrows of the state diagram below a heading, without those from the start. */
function arrowsBelow(heading: string): readonly Arrow[] {
  const section = text.slice(text.indexOf(`### ${heading}`));
  const [, diagram] = /```mermaid\nstateDiagram-v2\n([^`]+)```/.exec(section) ?? [];
  return [...(diagram ?? '').matchAll(/^\s*(\w+) --> (\w+)(?:: (.+))?$/gm)].map(([, from, to, label]) => ({
    from: from!,
    to: to!,
    triggers: (label ?? '').split(' or '),
  }));
}
const namesIn = (arrows: readonly Arrow[]): readonly string[] =>
  [...new Set(arrows.flatMap(({ from, to }) => [from, to]))].sort();

describe('the state diagrams of docs/architecture.md', () => {
  it('show moves of a multi-role launch that its table has', () => {
    const arrows = arrowsBelow('Multi-role launch');
    expect(namesIn(arrows)).toEqual([...LAUNCH_STATUSES].sort());
    for (const { from, to } of arrows)
      expect([from, to, statusesBefore(to as LaunchStatus)]).toEqual([from, to, expect.arrayContaining([from])]);
  });

  const tables = [
    [
      'Custom launch',
      CUSTOM_LAUNCH_STATUSES,
      (from, trigger) => nextCustomLaunchStatus(from as CustomLaunchStatus, trigger as CustomLaunchTrigger),
    ],
    ['Plan and step', STEP_STATUSES, (from, trigger) => nextStepStatus(from as StepStatus, trigger as StepTrigger)],
    [
      'Module submission',
      REVIEW_STATES,
      (from, trigger) => nextReviewState(from as ReviewState, trigger as ReviewTrigger),
    ],
  ] as const satisfies readonly (readonly [
    string,
    readonly string[],
    (from: string, trigger: string) => string | null,
  ])[];
  it.each(tables)('show where triggers take a %s', (heading, statuses, next) => {
    const arrows = arrowsBelow(heading);
    expect(namesIn(arrows)).toEqual([...statuses].sort());
    for (const { from, to, triggers } of arrows)
      for (const trigger of triggers) expect([from, trigger, next(from, trigger)]).toEqual([from, trigger, to]);
  });

  it('show every stage that an observation has', () => {
    expect(namesIn(arrowsBelow('Finality'))).toEqual([...OBSERVED_STAGES].sort());
  });
});
