import { custodyInputs } from '@launch/contracts/activities';
import { CUSTODY_SERVICE, type CustodyOperations } from '@launch/contracts/orchestration';
import { Operations, type StepTrouble } from '@launch/worker';

export interface CustodyServices {
  /** The namespace whose workflows may call: that of launches. */
  readonly callers: string;
  readonly signPermit: CustodyOperations['signPermit'];
  readonly refuseLaunch: CustodyOperations['refuseLaunch'];
  /** Receives the outcome of each call: the kind of its result, or `failed`. */
  readonly onOutcome: (operation: string, outcome: string) => void;
  /** Counts every failed attempt. */
  readonly onTrouble: (trouble: Pick<StepTrouble, 'step' | 'code'>) => void;
  /** Receives every failure by names alone, because messages and causes may contain a row, a host or a request. */
  readonly onFault: (fault: {
    readonly operation: string;
    readonly error: string;
    readonly code: string | null;
  }) => void;
}

/** Creates the two operations of custody. Their inputs come from a workflow of another service, in another namespace. */
export function createCustodyOperations({
  callers,
  signPermit,
  refuseLaunch,
  onOutcome,
  onTrouble,
  onFault,
}: CustodyServices): Operations<CustodyOperations> {
  const counted =
    <Input, Result extends { readonly kind: string }>(
      operation: keyof CustodyOperations,
      work: (input: Input) => Promise<Result>,
    ) =>
    async (input: Input): Promise<Result> => {
      const result = await work(input);
      onOutcome(operation, result.kind);
      return result;
    };
  return new Operations<CustodyOperations>(
    CUSTODY_SERVICE,
    custodyInputs,
    { signPermit: counted('signPermit', signPermit), refuseLaunch: counted('refuseLaunch', refuseLaunch) },
    {
      callers,
      failures: { outage: 'CUSTODY_UNAVAILABLE', fault: 'CUSTODY_FAULT' },
      onTrouble: ({ step, code, err }) => {
        onOutcome(step, 'failed');
        onTrouble({ step, code });
        onFault({ operation: step, ...namesOf(err) });
      },
    },
  );
}

function namesOf(error: unknown): { error: string; code: string | null } {
  const { name, code } = error as { name?: unknown; code?: unknown };
  return { error: typeof name === 'string' ? name : typeof error, code: typeof code === 'string' ? code : null };
}
