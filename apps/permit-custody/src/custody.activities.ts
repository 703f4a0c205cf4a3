import { addressSchema, bytes32Schema, LIMITS, sha256DigestSchema, uint256Schema, uuidSchema } from '@launch/contracts';
import type { CustodyActivities, RefuseLaunchInput, SignPermitInput } from '@launch/contracts/orchestration';
import { isOutage } from '@launch/platform';
import { activityFailure } from '@launch/worker';
import { z } from 'zod';
import { CustodyError } from './custody.error.js';

// Inputs come from a workflow of another service: they are outside data like any other.
const signPermitInput: z.ZodType<SignPermitInput> = z.strictObject({
  launchId: uuidSchema,
  requestSha256: sha256DigestSchema,
  receiptSha256: sha256DigestSchema,
});
const refuseLaunchInput: z.ZodType<RefuseLaunchInput> = z.union([
  z.strictObject({
    launchId: uuidSchema,
    requestSha256: sha256DigestSchema,
    refusalSha256: sha256DigestSchema.nullable(),
  }),
  z.strictObject({
    launchId: uuidSchema,
    requestSha256: sha256DigestSchema,
    requestHash: bytes32Schema,
    controller: addressSchema,
    nonce: uint256Schema,
    router: addressSchema,
    reasonCodes: z.array(z.string().max(128)).max(LIMITS.findings),
  }),
]);

export interface CustodyServices {
  readonly signPermit: CustodyActivities['signPermit'];
  readonly refuseLaunch: CustodyActivities['refuseLaunch'];
  /** Told how each call ended: the kind of its result, or `failed`. */
  readonly onOutcome: (activity: keyof CustodyActivities, outcome: string) => void;
  /** Told of every failure by names alone: messages and causes may speak of a row, a host or a request. */
  readonly onFault: (fault: {
    readonly activity: keyof CustodyActivities;
    readonly error: string;
    readonly code: string | null;
  }) => void;
}

/** The two activities of `launch-custody`: inputs checked, errors as failures whose type is their code. */
export function createCustodyActivities({
  signPermit,
  refuseLaunch,
  onOutcome,
  onFault,
}: CustodyServices): CustodyActivities {
  const guarded =
    <Input, Result extends { readonly kind: string }>(
      name: keyof CustodyActivities,
      schema: z.ZodType<Input>,
      work: (input: Input) => Promise<Result>,
    ) =>
    async (input: Input): Promise<Result> => {
      try {
        const checked = schema.safeParse(input);
        if (!checked.success) throw new CustodyError('INPUT_INVALID');
        const result = await work(checked.data);
        onOutcome(name, result.kind);
        return result;
      } catch (error) {
        onOutcome(name, 'failed');
        onFault({ activity: name, ...namesOf(error) });
        const outage = isOutage(error);
        throw activityFailure(error, { isOutage: outage, unknown: outage ? 'CUSTODY_UNAVAILABLE' : 'CUSTODY_FAULT' });
      }
    };
  return {
    signPermit: guarded('signPermit', signPermitInput, signPermit),
    refuseLaunch: guarded('refuseLaunch', refuseLaunchInput, refuseLaunch),
  };
}

function namesOf(error: unknown): { error: string; code: string | null } {
  const { name, code } = error as { name?: unknown; code?: unknown };
  return { error: typeof name === 'string' ? name : typeof error, code: typeof code === 'string' ? code : null };
}
