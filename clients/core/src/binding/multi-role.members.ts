import type {
  FinalityEvidence,
  LaunchListItem,
  LaunchResource,
  PreflightResult,
  TransactionHintReceipt,
  TransactionHintReceiptV3,
  WalletHandoff,
} from '@launch/contracts/multi-role';
import { canonicalKeccak, canonicalSha256 } from '@launch/contracts/primitives';
import { equal, holds, within, withinEvery, type BoundMember } from './bound-member.js';
import { MULTI_ROLE_FINALITY_MEMBERS } from './multi-role-finality.members.js';
import type { MultiRoleSubject, SentMultiRole } from './multi-role.subject.js';
import { ownerPageMembers, type PageSubject } from './page.members.js';
import { sitePageMembers } from './site-pages.members.js';
import type { Wire } from './wire.types.js';

const LAUNCHES = '/v4/chains/4663/multi-role-custom-launches';

/** The members of a wallet hand-off that its launch determines, and the request where the program has it. */
const WALLET_MEMBERS: readonly BoundMember<
  Wire<WalletHandoff>,
  { readonly launch: Wire<LaunchResource>; readonly sent: SentMultiRole | undefined }
>[] = [
  ...(['requestSha256', 'requestHash', 'contextHash', 'artifactHash'] as const).map((name) =>
    equal<Wire<WalletHandoff>, { readonly launch: Wire<LaunchResource> }>(
      `/${name}`,
      `${name} of the launch`,
      (wallet) => wallet[name],
      ({ launch }) => launch[name],
    ),
  ),
  ...(['validAfter', 'deadline'] as const).map((name) =>
    equal<Wire<WalletHandoff>, { readonly launch: Wire<LaunchResource> }>(
      `/${name}`,
      `permitWindow.${name} of the launch`,
      (wallet) => wallet[name],
      ({ launch }) => launch.permitWindow[name],
    ),
  ),
  equal(
    '/walletTransaction/from',
    'launchWallet of the launch',
    ({ walletTransaction }) => walletTransaction.from,
    ({ launch }) => launch.launchWallet,
  ),
  equal(
    '/walletTransaction/to',
    'the router of the context',
    ({ walletTransaction }) => walletTransaction.to,
    ({ launch }) => launch.context.chainBindings.router,
  ),
  equal(
    '/walletTransaction/value',
    'funding.totalValueWei of the request',
    ({ walletTransaction }) => walletTransaction.value,
    ({ sent }) => sent?.request?.funding.totalValueWei,
  ),
];

/** The members that a multi-role launch has in its own read and in a list. */
type ListedLaunch = Omit<Wire<LaunchListItem>, 'schemaVersion' | 'handoffUrl'>;
const LISTED_MEMBERS: readonly BoundMember<ListedLaunch, MultiRoleSubject>[] = [
  equal(
    '/launchId',
    'the requested id',
    ({ launchId }) => launchId,
    ({ launchId }) => launchId,
  ),
  equal(
    '/requestSha256',
    'SHA-256 of the request',
    ({ requestSha256 }) => requestSha256,
    ({ sent }) => sent?.requestSha256,
  ),
  equal(
    '/requestHash',
    'keccak-256 of the request',
    ({ requestHash }) => requestHash,
    ({ sent }) => sent?.requestHash,
  ),
  equal(
    '/idempotencyKey',
    'the key that was sent',
    ({ idempotencyKey }) => idempotencyKey,
    ({ idempotencyKey }) => idempotencyKey,
  ),
  equal(
    '/launchWallet',
    'launchWallet of the request',
    ({ launchWallet }) => launchWallet,
    ({ sent }) => sent?.request?.launchWallet,
  ),
  equal(
    '/nonce',
    'nonce of the request',
    ({ nonce }) => nonce,
    ({ sent }) => sent?.request?.nonce,
  ),
  holds(
    '/permitWindow/validAfter',
    'the start of the window in the request; before the deadline',
    ({ permitWindow: { validAfter, deadline } }, { sent }) =>
      BigInt(validAfter) < BigInt(deadline) &&
      (sent?.request === undefined || validAfter === sent.request.permitWindow.validAfter),
  ),
  equal(
    '/permitWindow/deadline',
    'the end of the window in the request',
    ({ permitWindow }) => permitWindow.deadline,
    ({ sent }) => sent?.request?.permitWindow.deadline,
  ),
  equal(
    '/onchainLaunchId',
    'onchainLaunchId of the kept response',
    ({ onchainLaunchId }) => onchainLaunchId,
    ({ onchainLaunchId }) => onchainLaunchId,
  ),
  holds(
    '/contextHash',
    'the hash of the context; contextHash of the request or the kept response',
    ({ contextHash, context }, { contextHash: kept, sent }) =>
      contextHash === canonicalKeccak(context) &&
      (kept === undefined || contextHash === kept) &&
      (sent?.request === undefined || contextHash === sent.request.contextCommitments.contextHash),
  ),
  ...within(
    '/finality',
    ({ finality }: ListedLaunch) => finality,
    (_subject: MultiRoleSubject, { launchId, onchainLaunchId, contextHash }): MultiRoleSubject => ({
      launchId,
      onchainLaunchId,
      contextHash,
    }),
    MULTI_ROLE_FINALITY_MEMBERS,
  ),
  holds(
    '/status',
    'finalized only in the state ethereum_finalized',
    ({ status, finality }) => status !== 'finalized' || finality.state === 'ethereum_finalized',
  ),
  equal(
    '/statusUrl',
    'the route of the launch',
    ({ statusUrl }) => statusUrl,
    (_subject, { launchId }) => `${LAUNCHES}/${launchId}`,
  ),
  ...sitePageMembers<ListedLaunch, MultiRoleSubject>('launches', ({ launchId }) => launchId),
];

/** The members of a multi-role launch that its request determines. */
export const MULTI_ROLE_LAUNCH_MEMBERS: readonly BoundMember<Wire<LaunchResource>, MultiRoleSubject>[] = [
  ...LISTED_MEMBERS,
  ...within(
    '/wallet',
    ({ wallet }: Wire<LaunchResource>) => wallet,
    ({ sent }: MultiRoleSubject, launch) => ({ launch, sent }),
    WALLET_MEMBERS,
  ),
];

/** The members of a multi-role launch in a list. */
const MULTI_ROLE_ITEM_MEMBERS: readonly BoundMember<Wire<LaunchListItem>, MultiRoleSubject>[] = [
  ...LISTED_MEMBERS,
  holds(
    '/handoffUrl',
    'null, or the route of the launch',
    ({ handoffUrl, launchId }) => handoffUrl === null || handoffUrl === `${LAUNCHES}/${launchId}`,
  ),
];

interface MultiRolePage {
  readonly items: readonly Wire<LaunchListItem>[];
  readonly nextCursor: string | null;
}

/** The members of a page of multi-role launches that its request determines. */
export const MULTI_ROLE_LIST_MEMBERS: readonly BoundMember<MultiRolePage, PageSubject>[] = [
  ...ownerPageMembers<'launchId', MultiRolePage>('launchId'),
  ...withinEvery(
    '/items',
    ({ items }: MultiRolePage) => items,
    (): MultiRoleSubject => ({}),
    MULTI_ROLE_ITEM_MEMBERS,
  ),
];

/** The members of a preflight that its request determines. */
export const MULTI_ROLE_PREFLIGHT_MEMBERS: readonly BoundMember<Wire<PreflightResult>, SentMultiRole>[] = [
  equal(
    '/requestSha256',
    'SHA-256 of the request',
    ({ requestSha256 }) => requestSha256,
    ({ requestSha256 }) => requestSha256,
  ),
  equal(
    '/requestHash',
    'keccak-256 of the request',
    ({ requestHash }) => requestHash,
    ({ requestHash }) => requestHash,
  ),
  equal(
    '/source/receipt/requestHash',
    'keccak-256 of the request',
    ({ source }) => source.receipt.requestHash,
    ({ requestHash }) => requestHash,
  ),
  equal(
    '/source/receipt/contextHash',
    'contextCommitments.contextHash of the request',
    ({ source }) => source.receipt.contextHash,
    ({ request }) => request?.contextCommitments.contextHash,
  ),
];

/** The launch and the transaction that a hint names. */
export interface HintSubject {
  readonly launchId: string;
  readonly transactionHash: string;
  readonly contextHash?: string | undefined;
}

/** The members of a hint's receipt that its request determines. */
export const HINT_RECEIPT_MEMBERS: readonly BoundMember<
  Wire<TransactionHintReceipt> | Wire<TransactionHintReceiptV3>,
  HintSubject
>[] = [
  equal(
    '/launchId',
    'the requested id',
    ({ launchId }) => launchId,
    ({ launchId }) => launchId,
  ),
  equal(
    '/transactionHash',
    'the hash that was sent',
    ({ transactionHash }) => transactionHash,
    ({ transactionHash }) => transactionHash,
  ),
  equal(
    '/statusUrl',
    'the route of finality in the generation of the hint',
    ({ statusUrl }) => statusUrl,
    (_subject, { launchId, ...receipt }) =>
      `${LAUNCHES}/${launchId}/${'contextHash' in receipt ? 'finality-v3' : 'finality'}`,
  ),
  holds(
    '/contextHash',
    'of a V3 hint: contextHash of the kept response',
    (receipt, { contextHash }) =>
      contextHash === undefined || !('contextHash' in receipt) || receipt.contextHash === contextHash,
  ),
];

/** The members of an evidence bundle that its launch determines. `launch-verify evidence` checks all of it. */
export const EVIDENCE_MEMBERS: readonly BoundMember<Wire<FinalityEvidence>, MultiRoleSubject>[] = [
  equal(
    '/launch/launchId',
    'the requested id',
    ({ launch }) => launch.launchId,
    ({ launchId }) => launchId,
  ),
  equal(
    '/launch/onchainLaunchId',
    'onchainLaunchId of the kept response',
    ({ launch }) => launch.onchainLaunchId,
    ({ onchainLaunchId }) => onchainLaunchId,
  ),
  equal(
    '/launch/contextHash',
    'the hash of the context',
    ({ launch }) => launch.contextHash,
    (_subject, { context }) => canonicalKeccak(context),
  ),
  equal(
    '/launch/handoffSha256',
    'SHA-256 of the canonical hand-off',
    ({ launch }) => launch.handoffSha256,
    (_subject, { handoff }) => canonicalSha256(handoff),
  ),
  equal(
    '/finalityPolicyId',
    'the finality policy of the context',
    ({ finalityPolicyId }) => finalityPolicyId,
    (_subject, { context }) => context.providerProfile.finalityPolicyId,
  ),
  ...(['requestSha256', 'requestHash', 'artifactHash', 'permitDigest'] as const).map((name) =>
    equal<Wire<FinalityEvidence>, MultiRoleSubject>(
      `/launch/${name}`,
      `${name} of the hand-off`,
      ({ launch }) => launch[name],
      (_subject, { handoff }) => handoff[name],
    ),
  ),
];
