import { Card } from '../../ui/page.js';
import { Badge, type Tone } from '../../ui/status.js';
import type { Plan } from './wallet-source.js';

type Status = Plan['steps'][number]['status'];

const STATUSES: Readonly<Record<Status, readonly [words: string, tone: Tone]>> = {
  blocked: ['waits for an earlier step', 'neutral'],
  awaiting_signature: ['waits for your signature', 'accent'],
  proof_received: ['sent', 'caution'],
  included: ['in a block', 'good'],
  ethereum_posted: ['posted to Ethereum', 'good'],
  finalized: ['final', 'good'],
  reverted: ['failed', 'bad'],
  expired: ['expired', 'bad'],
};
const KINDS: Readonly<Record<string, string>> = {
  deploy_component: 'Deploy a contract',
  register: 'Create the pool and register the launch',
  atomic_launch: 'Do everything in one batch',
};

/** All steps of a plan with their state. */
export const PlanSteps = ({ plan }: { plan: Plan }) => (
  <Card>
    <h2 className="text-lg font-semibold">Steps of the plan</h2>
    <ol className="mt-3 grid gap-2">
      {plan.steps.map(({ stepId, ordinal, kind, status }) => {
        const [words, tone] = STATUSES[status];
        return (
          <li key={stepId} data-step={stepId} className="flex flex-wrap items-center justify-between gap-2">
            <span>
              {ordinal + 1}. {KINDS[kind] ?? kind} <code className="text-sm text-muted">{stepId}</code>
            </span>
            <Badge tone={tone}>{words}</Badge>
          </li>
        );
      })}
    </ol>
  </Card>
);
