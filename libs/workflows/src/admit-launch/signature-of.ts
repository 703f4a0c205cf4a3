import type { StatementSignature } from '@launch/contracts/orchestration';

/** Returns the signature of a verdict as a member, or no member. */
export const signatureOf = ({
  signed,
}: {
  readonly signed?: StatementSignature | null | undefined;
}): { readonly signed?: StatementSignature } => (signed == null ? {} : { signed });
