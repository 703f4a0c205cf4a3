import { canonicalKeccak } from '@launch/contracts/primitives';
import type {
  CustomLaunchDiscovery,
  InitialBuyQuote,
  LaunchCapabilities,
  LaunchCoverage,
  LaunchReadiness,
} from '@launch/contracts/reports';
import type { CustomLaunchCredential } from '@launch/contracts/launch';
import { equal, everyItem, holds, type BoundMember } from './bound-member.js';
import type { Wire } from './wire.types.js';

const GATES = ['publicAuthorization', 'publicWrites', 'releaseReady'] as const;

/** The members of discovery that agree with each other. A program obeys every gate, wherever it is. */
export const DISCOVERY_MEMBERS: readonly BoundMember<Wire<CustomLaunchDiscovery>, unknown>[] = [
  ...GATES.map((gate) =>
    everyItem<Wire<CustomLaunchDiscovery>, unknown, Wire<CustomLaunchDiscovery>['customLaunchApi']['chains'][number]>(
      `/customLaunchApi/chains/*/${gate}`,
      'that of the same chain of V4',
      ({ customLaunchApi }) => customLaunchApi.chains,
      (chain, index, { customLaunchApi }) => chain[gate] === customLaunchApi.versions.v4.chains[index]?.[gate],
    ),
  ),
  holds(
    '/customLaunchApi/versions/v4/platformFeePolicy/ratePpm',
    'rateBps and ratePercent in parts per million',
    ({ customLaunchApi: { versions } }) => {
      const { rateBps, ratePpm, ratePercent } = versions.v4.platformFeePolicy;
      return rateBps * 100 === ratePpm && (rateBps / 100).toFixed(2) === ratePercent;
    },
  ),
  holds(
    '/customLaunchApi/versions/v4/openApiSha256',
    'null exactly without openApiUrl',
    ({ customLaunchApi: { versions } }) => (versions.v4.openApiUrl === null) === (versions.v4.openApiSha256 === null),
  ),
];

/** The members of the capabilities that agree with each other. */
export const LAUNCH_CAPABILITIES_MEMBERS: readonly BoundMember<Wire<LaunchCapabilities>, unknown>[] = [
  holds(
    '/context/contextHash',
    'the hash of the document',
    ({ context }) => context === null || context.contextHash === canonicalKeccak(context.document),
  ),
  holds(
    '/context/document/chainBindings/router',
    'the router of the chain deployment',
    ({ context }) =>
      context === null || context.document.chainBindings.router === context.document.chainDeployment.router.address,
  ),
];

/** The members of readiness that agree with each other. */
export const LAUNCH_READINESS_MEMBERS: readonly BoundMember<Wire<LaunchReadiness>, unknown>[] = [
  holds(
    '/status',
    'ready only with every gate open, a checkpoint, and no reason',
    ({ status, gates, checkpoint, reasonCodes }) =>
      status !== 'ready' || (GATES.every((gate) => gates[gate]) && checkpoint !== null && reasonCodes.length === 0),
  ),
  holds(
    '/openApiSha256',
    'null exactly without openApiUrl',
    ({ openApiUrl, openApiSha256 }) => (openApiUrl === null) === (openApiSha256 === null),
  ),
];

/** The members of the coverage report that agree with each other. */
export const LAUNCH_COVERAGE_MEMBERS: readonly BoundMember<Wire<LaunchCoverage>, unknown>[] = [
  holds(
    '/serviceReadiness/status',
    'ready exactly without a reason',
    ({ serviceReadiness: { status, reasonCodes } }) => (status === 'ready') === (reasonCodes.length === 0),
  ),
  holds(
    '/representableArchitecture',
    'null exactly without a profile',
    ({ profile, representableArchitecture }) => (profile === null) === (representableArchitecture === null),
  ),
];

/** The members of a quote that agree with each other and with the published context. */
export const INITIAL_BUY_QUOTE_MEMBERS: readonly BoundMember<
  Wire<InitialBuyQuote>,
  { readonly contextHash: string }
>[] = [
  equal(
    '/contextHash',
    'contextHash of the capabilities',
    ({ contextHash }) => contextHash,
    ({ contextHash }) => contextHash,
  ),
  equal(
    '/minimumInitialBuyWei',
    'oneUsdReferenceWei',
    ({ minimumInitialBuyWei }) => minimumInitialBuyWei,
    (_subject, { oneUsdReferenceWei }) => oneUsdReferenceWei,
  ),
  holds(
    '/recommendedInitialBuyWei',
    'the minimum plus five percent, rounded up',
    ({ minimumInitialBuyWei, recommendedInitialBuyWei }) =>
      BigInt(recommendedInitialBuyWei) === (BigInt(minimumInitialBuyWei) * 105n + 99n) / 100n,
  ),
];

/** The members of a credential that agree with each other. */
export const CREDENTIAL_MEMBERS: readonly BoundMember<Wire<CustomLaunchCredential>, unknown>[] = [
  holds(
    '/boundController',
    'the wallet of a wallet key; null for a partner key',
    ({ kind, boundController }) => (kind === 'wallet') === (boundController !== null),
  ),
  holds(
    '/generation',
    '1 exactly for a key that replaced none',
    ({ generation, rotatedFrom }) => (generation === 1) === (rotatedFrom === null),
  ),
];
