import type { AnyFinding } from '@launch/contracts/errors';
import type { TimelineStep } from '@launch/contracts/orchestration';
import { stepSummary } from './step-summaries.js';

/** What an operator may do now, and what it does. */
export interface OperatorAction {
  readonly update: string;
  readonly effect: string;
}

export interface WorkflowDetails {
  readonly stage: string;
  readonly openSteps: readonly TimelineStep[];
  /** What is waited for outside a step; null for nothing. */
  readonly waitsFor: string | null;
  readonly trouble: string | null;
  readonly findings: readonly AnyFinding[];
  readonly actions: readonly OperatorAction[];
}

const MAX_FINDINGS_SHOWN = 20;
const MAX_PATH_SHOWN = 120;
const MAX_STEPS_SHOWN = 8;

/** A text of a request as inline code: it cannot end the code, begin a line or be long. */
export const asCode = (text: string): string => {
  const plain = text.replaceAll(/[`\p{C}]/gu, '·');
  return `\`${plain.length <= MAX_PATH_SHOWN ? plain : `${plain.slice(0, MAX_PATH_SHOWN)}…`}\``;
};

/**
 * The current details of a workflow, as the Temporal UI shows them. Of findings it has code, place and the catalogue's
 * remediation. What was found at that place can be the request's own text, and stays in the query `findings`.
 */
export function detailsMarkdown(details: WorkflowDetails): string {
  const { stage, openSteps, waitsFor, trouble, findings, actions } = details;
  const lines = [`**Stage** \`${stage}\``];
  for (const { step, startedAt } of openSteps.slice(0, MAX_STEPS_SHOWN))
    lines.push(`**Runs** ${stepSummary(step)} (\`${step}\`), since ${startedAt}`);
  if (waitsFor !== null) lines.push(`**Waits for** ${waitsFor}`);
  if (trouble !== null) lines.push(`**Trouble** ${asCode(trouble)}`);
  const shown = findings.slice(0, MAX_FINDINGS_SHOWN);
  const more = findings.length - shown.length;
  lines.push(
    shown.length === 0
      ? '**Findings** none'
      : [
          '**Findings**',
          '',
          ...shown.map(
            ({ code, path, severity, remediation: { action } }) =>
              `- \`${code}\` (${severity}, ${action}) at ${path === '' ? 'the whole request' : asCode(path)}`,
          ),
          ...(more > 0 ? [`- and ${more} more: query \`findings\``] : []),
        ].join('\n'),
  );
  lines.push(
    actions.length === 0
      ? '**An operator can** read `timeline` and `findings`'
      : ['**An operator can**', '', ...actions.map(({ update, effect }) => `- send \`${update}\`: ${effect}`)].join(
          '\n',
        ),
  );
  return lines.join('\n\n');
}
