import type {
  CustomLaunchHandoff,
  CustomLaunchList,
  CustomLaunchListItem,
  CustomLaunchPreflight,
  CustomLaunchResource,
} from '@launch/contracts/custom-launch';
import { equal, everyItem, holds, within, withinEvery, type BoundMember } from './bound-member.js';
import { ownerPageMembers, type PageSubject } from './page.members.js';
import { PREFLIGHT_PARTS } from './preflight.members.js';
import { sitePageMembers } from './site-pages.members.js';
import { STAGE_FINALITY_MEMBERS } from './stage-finality.members.js';
import { timestampOf, type LaunchSubject, type SentLaunch } from './subject.js';
import type { Wire } from './wire.types.js';

const LAUNCHES = '/v4/chains/4663/custom-launches';

type Handoff = Wire<CustomLaunchHandoff>;

/** The values that a hand-off repeats: of its launch, and of the request where the program has it. */
interface HandoffSubject {
  readonly launch: Pick<Wire<CustomLaunchResource>, 'requestSha256' | 'launchWallet' | 'expiresAt'>;
  readonly request: SentLaunch | undefined;
}
const ofRequest =
  (value: (request: SentLaunch) => unknown) =>
  ({ request }: HandoffSubject): unknown =>
    request === undefined ? undefined : value(request);

/** The members of a hand-off that its launch and its request determine. */
export const HANDOFF_MEMBERS: readonly BoundMember<Handoff, HandoffSubject>[] = [
  equal(
    '/requestSha256',
    'requestSha256 of the launch',
    ({ requestSha256 }) => requestSha256,
    ({ launch }) => launch.requestSha256,
  ),
  equal(
    '/requestHash',
    'keccak-256 of the request',
    ({ requestHash }) => requestHash,
    ofRequest(({ requestHash }) => requestHash),
  ),
  equal(
    '/contextHash',
    'contextHash of the request',
    ({ contextHash }) => contextHash,
    ofRequest(({ contextHash }) => contextHash),
  ),
  equal(
    '/artifactHash',
    'the artifact hash that the packer computes',
    ({ artifactHash }) => artifactHash,
    ofRequest(({ artifactHash }) => artifactHash),
  ),
  equal(
    '/metadata/name',
    'the name in the request',
    ({ metadata }) => metadata.name,
    ofRequest(({ metadata }) => metadata.name),
  ),
  equal(
    '/metadata/symbol',
    'the symbol in the request',
    ({ metadata }) => metadata.symbol,
    ofRequest(({ metadata }) => metadata.symbol),
  ),
  equal(
    '/metadata/imageSha256',
    'the digest of the image in the request',
    ({ metadata }) => metadata.imageSha256,
    ofRequest(({ metadata }) => metadata.imageSha256),
  ),
  holds(
    '/validAfter',
    'the start of the permit window in the request; before the deadline',
    ({ validAfter, deadline }, { request }) =>
      BigInt(validAfter) < BigInt(deadline) &&
      (request === undefined || validAfter === request.permitWindow.validAfter),
  ),
  holds(
    '/deadline',
    'the end of the permit window in the request; expiresAt of the launch',
    ({ deadline }, { launch, request }) =>
      timestampOf(deadline) === launch.expiresAt &&
      (request === undefined || deadline === request.permitWindow.deadline),
  ),
  equal(
    '/expiresAt',
    'expiresAt of the launch',
    ({ expiresAt }) => expiresAt,
    ({ launch }) => launch.expiresAt,
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
    ofRequest(({ router }) => router),
  ),
  equal(
    '/walletTransaction/value',
    'funding.totalValueWei of the request',
    ({ walletTransaction }) => walletTransaction.value,
    ofRequest(({ totalValueWei }) => totalValueWei),
  ),
];

type Launch = Wire<CustomLaunchResource>;
const ofSent =
  (value: (request: SentLaunch) => unknown) =>
  ({ request }: LaunchSubject): unknown =>
    request === undefined ? undefined : value(request);

/** The members that a custom launch has in its own read and in a list. */
type ListedLaunch = Omit<Wire<CustomLaunchListItem>, 'schemaVersion' | 'handoffUrl'>;
const LISTED_MEMBERS: readonly BoundMember<ListedLaunch, LaunchSubject>[] = [
  equal(
    '/launchId',
    'the requested id',
    ({ launchId }) => launchId,
    ({ id }) => id,
  ),
  equal(
    '/profile',
    'the profile of the request',
    ({ profile }) => profile,
    ofSent(({ profile }) => profile),
  ),
  equal(
    '/launchWallet',
    'launchWallet of the request',
    ({ launchWallet }) => launchWallet,
    ofSent(({ launchWallet }) => launchWallet),
  ),
  equal(
    '/requestSha256',
    'SHA-256 of the request',
    ({ requestSha256 }) => requestSha256,
    ofSent(({ requestSha256 }) => requestSha256),
  ),
  equal(
    '/onchainLaunchId',
    'the on-chain id that the packer computes',
    ({ onchainLaunchId }) => onchainLaunchId,
    ofSent(({ onchainLaunchId }) => onchainLaunchId),
  ),
  equal(
    '/expiresAt',
    'the end of the permit window in the request',
    ({ expiresAt }) => expiresAt,
    ofSent(({ permitWindow }) => timestampOf(permitWindow.deadline)),
  ),
  equal(
    '/budgets/maxLaunchValueWei',
    'the budget in the request',
    ({ budgets }) => budgets.maxLaunchValueWei,
    ofSent(({ budgets }) => budgets.maxLaunchValueWei),
  ),
  equal(
    '/budgets/maxGasCostWei',
    'the budget in the request',
    ({ budgets }) => budgets.maxGasCostWei,
    ofSent(({ budgets }) => budgets.maxGasCostWei),
  ),
  ...within(
    '/finality',
    (launch: ListedLaunch) => launch.finality,
    (subject: LaunchSubject) => subject,
    STAGE_FINALITY_MEMBERS,
  ),
  holds(
    '/status',
    'finalized only at the stage ethereum_finalized',
    ({ status, finality }) => status !== 'finalized' || finality.stage === 'ethereum_finalized',
  ),
  holds(
    '/finality/l2Inclusion/transactionHash',
    'a transaction of the launch',
    ({ finality, transactions }) =>
      finality.l2Inclusion === null ||
      transactions.some(({ transactionHash }) => transactionHash === finality.l2Inclusion?.transactionHash),
  ),
  ...(['componentId', 'account', 'runtimeCodeHash'] as const).map((name) =>
    everyItem<ListedLaunch, LaunchSubject, ListedLaunch['sourceVerification']['components'][number]>(
      `/sourceVerification/components/*/${name}`,
      'of the component at this place in the request',
      ({ sourceVerification }) => sourceVerification.components,
      (component, index, _launch, { request }) =>
        request === undefined || component[name] === request.components[index]?.[name],
    ),
  ),
  everyItem(
    '/sourceVerification/components/*/status',
    'sourceVerification.status',
    ({ sourceVerification }) => sourceVerification.components,
    ({ status }, _index, { sourceVerification }) => status === sourceVerification.status,
  ),
  ...(['self', 'statusUrl'] as const).map((name) =>
    equal<ListedLaunch, LaunchSubject>(
      `/links/${name}`,
      'the route of the launch',
      ({ links }) => links[name],
      (_subject, { launchId }) => `${LAUNCHES}/${launchId}`,
    ),
  ),
  ...sitePageMembers<ListedLaunch, LaunchSubject>('launches', ({ launchId }) => launchId),
];

/** The members of a custom launch that its request determines. */
export const CUSTOM_LAUNCH_MEMBERS: readonly BoundMember<Launch, LaunchSubject>[] = [
  ...LISTED_MEMBERS,
  ...within(
    '/handoff',
    (launch: Launch) => launch.handoff,
    ({ request }: LaunchSubject, launch) => ({ launch, request }),
    HANDOFF_MEMBERS,
  ),
];

/** The members of a custom launch in a list. */
const CUSTOM_LAUNCH_ITEM_MEMBERS: readonly BoundMember<Wire<CustomLaunchListItem>, LaunchSubject>[] = [
  ...LISTED_MEMBERS,
  holds(
    '/handoffUrl',
    'null, or the route of the launch',
    ({ handoffUrl, launchId }) => handoffUrl === null || handoffUrl === `${LAUNCHES}/${launchId}`,
  ),
];

/** The members of a page of custom launches that its request determines. */
export const CUSTOM_LAUNCH_LIST_MEMBERS: readonly BoundMember<Wire<CustomLaunchList>, PageSubject>[] = [
  ...ownerPageMembers<'launchId', Wire<CustomLaunchList>>('launchId'),
  ...withinEvery(
    '/items',
    ({ items }: Wire<CustomLaunchList>) => items,
    (): LaunchSubject => ({}),
    CUSTOM_LAUNCH_ITEM_MEMBERS,
  ),
];

/** The members of a preflight that its request determines. */
export const CUSTOM_LAUNCH_PREFLIGHT_MEMBERS: readonly BoundMember<Wire<CustomLaunchPreflight>, SentLaunch>[] = [
  ...PREFLIGHT_PARTS,
  equal(
    '/classification',
    'launchEligibility.disposition',
    ({ classification }) => classification,
    (_request, { launchEligibility }) => launchEligibility.disposition,
  ),
];
