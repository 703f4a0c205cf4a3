/**
 * `context.providerProfile.finalityPolicyId` of the first published version of the finality rule. It requires posting
 * in a batch, an Ethereum finalized checkpoint, and two observers of each chain that agree on all of it.
 */
export const ETHEREUM_FINALITY_V1 = 'service.ethereum-finality.v1';
