import type { FinalityStage } from '@launch/contracts/index';
import { Badge, type Tone } from './status.js';

const STAGES: Readonly<Record<FinalityStage, { readonly name: string; readonly means: string; readonly tone: Tone }>> =
  {
    sequencer_soft_confirmed: {
      name: 'Provisional',
      means: 'The chain included the launch, but it can still be lost.',
      tone: 'caution',
    },
    ethereum_posted: {
      name: 'On Ethereum, not final',
      means: 'Ethereum has the data of the launch, but its block can still be replaced.',
      tone: 'neutral',
    },
    ethereum_finalized: {
      name: 'Final',
      means: 'Two independent providers report the block of the launch as final on Ethereum.',
      tone: 'good',
    },
  };

/** Says in one word how final a launch is; its title explains the word. */
export function Stage({ stage }: { stage: FinalityStage }) {
  const { name, means, tone } = STAGES[stage];
  return (
    <Badge tone={tone} title={means}>
      {name}
    </Badge>
  );
}

/** Explains the stages beside a list. */
export const StageLegend = () => (
  <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[max-content_1fr]">
    {Object.values(STAGES).map(({ name, means, tone }) => (
      <div key={name} className="contents">
        <dt>
          <Badge tone={tone}>{name}</Badge>
        </dt>
        <dd className="text-muted">{means}</dd>
      </div>
    ))}
  </dl>
);
