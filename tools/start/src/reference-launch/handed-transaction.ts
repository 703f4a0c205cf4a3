import { customLaunchHandoffSchema } from '@launch/contracts/custom-launch';
import type { WalletTransaction } from '@launch/contracts/launch';
import { walletHandoffSchema } from '@launch/contracts/multi-role';
import { stepIdSchema, transactionAuthorizationSchema } from '@launch/contracts/plans';
import { z } from 'zod';

/** The file that `launch plan status --output` writes for a step that is one transaction. */
const keptStepSchema = z.strictObject({ stepId: stepIdSchema, authorization: transactionAuthorizationSchema });
const FORMS = {
  'the hand-off of a multi-role launch': walletHandoffSchema.transform(handedBy),
  'the hand-off of a custom launch': customLaunchHandoffSchema.transform(handedBy),
  'a step of a sequential plan': keptStepSchema.transform(({ authorization }) =>
    handedBy({ walletTransaction: authorization, deadline: authorization.deadline }),
  ),
};

/** A transaction, and the chain's time in seconds after which its permit is void. */
export interface HandedTransaction {
  readonly transaction: WalletTransaction;
  readonly deadline: string;
}

function handedBy(handoff: {
  readonly walletTransaction: WalletTransaction;
  readonly deadline: string;
}): HandedTransaction {
  return { transaction: handoff.walletTransaction, deadline: handoff.deadline };
}

/**
 * The one transaction that a kept file hands to its controller's wallet.
 * @throws TypeError naming the forms there are, of which the file is none. A batch is none: it is for a wallet that sends it whole.
 */
export function handedTransaction(file: unknown): HandedTransaction {
  for (const form of Object.values(FORMS)) {
    const read = form.safeParse(file);
    if (read.success) return read.data;
  }
  throw new TypeError(`the file is none of: ${Object.keys(FORMS).join(', ')}`);
}
