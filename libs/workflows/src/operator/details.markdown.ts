import type { AnyFinding } from '@launch/contracts/errors';
import type { TimelineStep } from '@launch/contracts/orchestration';
import { stepSummary } from './step-summaries.js';

/** An action that an operator can take now, with its effect. */
export interface OperatorAction {
  readonly update: string;
  readonly effect: string;
}

export interface WorkflowDetails {
  readonly stage: string;
  readonly openSteps: readonly TimelineStep[];
  /** The condition that the workflow waits for outside a step, or null. */
  readonly waitsFor: string | null;
  readonly trouble: string | null;
  readonly findings: readonly AnyFinding[];
  readonly actions: readonly OperatorAction[];
}

const MAX_FINDINGS_SHOWN = 20;
const MAX_PATH_SHOWN = 120;
const MAX_STEPS_SHOWN = 8;

/** Formats a text of a request as inline code that it cannot leave, without line breaks and of bounded length. */
export const asCode = (text: string): string => {
  const plain = text.replaceAll(/[`\p{C}]/gu, '·');
  return `\`${plain.length <= MAX_PATH_SHOWN ? plain : `${plain.slice(0, MAX_PATH_SHOWN)}…`}\``;
};

/**
 * Returns the current details of a workflow for the Temporal UI. Findings appear with code, place and the catalogue's
 * remediation. Other members can contain text of the request and are only in the query `findings`.
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
