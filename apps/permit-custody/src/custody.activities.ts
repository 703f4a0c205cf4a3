import { custodyInputs } from '@launch/contracts/activities';
import type { CustodyActivities } from '@launch/contracts/orchestration';
import { Activities, type StepTrouble } from '@launch/worker';

export interface CustodyServices {
  readonly signPermit: CustodyActivities['signPermit'];
  readonly refuseLaunch: CustodyActivities['refuseLaunch'];
  /** Receives the outcome of each call: the kind of its result, or `failed`. */
  readonly onOutcome: (activity: string, outcome: string) => void;
  /** Counts every failed attempt. */
  readonly onTrouble: (trouble: Pick<StepTrouble, 'step' | 'code'>) => void;
  /** Receives every failure by names alone, because messages and causes may contain a row, a host or a request. */
  readonly onFault: (fault: {
    readonly activity: string;
    readonly error: string;
    readonly code: string | null;
  }) => void;
}

/** Creates the two activities of `launch-custody`. Their inputs come from a workflow of another service. */
export function createCustodyActivities({
  signPermit,
  refuseLaunch,
  onOutcome,
  onTrouble,
  onFault,
}: CustodyServices): Activities<CustodyActivities> {
  const counted =
    <Input, Result extends { readonly kind: string }>(
      activity: keyof CustodyActivities,
      work: (input: Input) => Promise<Result>,
    ) =>
    async (input: Input): Promise<Result> => {
      const result = await work(input);
      onOutcome(activity, result.kind);
      return result;
    };
  return new Activities<CustodyActivities>(
    custodyInputs,
    { signPermit: counted('signPermit', signPermit), refuseLaunch: counted('refuseLaunch', refuseLaunch) },
    {
      failures: { outage: 'CUSTODY_UNAVAILABLE', fault: 'CUSTODY_FAULT' },
      onTrouble: ({ step, code, err }) => {
        onOutcome(step, 'failed');
        onTrouble({ step, code });
        onFault({ activity: step, ...namesOf(err) });
      },
    },
  );
}

function namesOf(error: unknown): { error: string; code: string | null } {
  const { name, code } = error as { name?: unknown; code?: unknown };
  return { error: typeof name === 'string' ? name : typeof error, code: typeof code === 'string' ? code : null };
}
