import { commitContext } from '@launch/contracts/launch';
import { canonicalJsonText } from '@launch/contracts/json';
import {
  FINALITY_ROUTES,
  type AnyFinalizedRecord,
  type Capabilities,
  type FinalityDiscovery,
} from '@launch/contracts/multi-role';
import { keccak256Hex } from '@launch/contracts/primitives';
import { equal, everyItem, holds, withinEvery, type BoundMember } from './bound-member.js';
import { createdAddress } from './created-address.js';
import type { MultiRoleSubject } from './multi-role.subject.js';
import { pageMembers, type PageSubject } from './page.members.js';
import type { Wire } from './wire.types.js';

const LAUNCHES = '/v4/chains/4663/multi-role-custom-launches';

/** Returns the route of a record's image; null for a record of a generation without one. */
function imagePathOf({ schemaVersion, onchainLaunchId, image }: Wire<AnyFinalizedRecord>): string | null {
  const routes = Object.values(FINALITY_ROUTES).find(({ feed }) => feed.recordSchemaVersion === schemaVersion);
  if (routes === undefined) return null;
  const digest = image.sha256.slice('sha256:'.length);
  return routes.feed.image.replace('{onchainLaunchId}', onchainLaunchId).replace('{sha256hex}', digest);
}

/** Returns keccak256(abi.encode(PoolKey)). A tick spacing is positive. */
function poolIdOf({ currency0, currency1, fee, tickSpacing, hooks }: Wire<AnyFinalizedRecord>['market']['poolKey']) {
  const words = [currency0, currency1, fee, tickSpacing, hooks].map((value) =>
    BigInt(value).toString(16).padStart(64, '0'),
  );
  return keccak256Hex(Uint8Array.from(words.join('').match(/../g)!, (byte) => Number.parseInt(byte, 16)));
}

/** A component; of generation V3 with its derivation. */
interface Component {
  readonly account: string;
  readonly derivation: {
    readonly parent: string;
    readonly creationNonce: number;
    readonly observedAt: { readonly number: string; readonly hash: string };
  } | null;
}
const componentsOf = ({ components }: Wire<AnyFinalizedRecord>): readonly Component[] =>
  components.map((one) => ({ account: one.account, derivation: 'derivation' in one ? one.derivation : null }));

/** The members of a public record that its request determines, and those that agree with each other. */
export const FINALIZED_RECORD_MEMBERS: readonly BoundMember<Wire<AnyFinalizedRecord>, MultiRoleSubject>[] = [
  equal(
    '/onchainLaunchId',
    'the requested on-chain id',
    ({ onchainLaunchId }) => onchainLaunchId,
    ({ onchainLaunchId }) => onchainLaunchId,
  ),
  equal(
    '/apiLaunchId',
    'launchId of the kept response',
    ({ apiLaunchId }) => apiLaunchId,
    ({ launchId }) => launchId,
  ),
  equal(
    '/provenance/contextHash',
    'contextHash of the kept response',
    ({ provenance }) => provenance.contextHash,
    ({ contextHash }) => contextHash,
  ),
  equal(
    '/market/poolManager',
    'poolManager of the chain bindings',
    ({ market }) => market.poolManager,
    (_subject, { chainBindings }) => chainBindings.poolManager,
  ),
  equal(
    '/market/hook',
    'hooks of the pool key',
    ({ market }) => market.hook,
    (_subject, { market }) => market.poolKey.hooks,
  ),
  equal(
    '/market/poolId',
    'the id of the pool key',
    ({ market }) => market.poolId,
    (_subject, { market }) => poolIdOf(market.poolKey),
  ),
  equal(
    '/image/path',
    'the route of that image',
    ({ image }) => image.path,
    (_subject, record) => imagePathOf(record),
  ),
  ...(['sha256', 'mediaType', 'width', 'height', 'byteLength'] as const).map((name) =>
    equal<Wire<AnyFinalizedRecord>, MultiRoleSubject>(
      `/image/${name}`,
      `projectMetadata.image.${name}`,
      ({ image }) => image[name],
      (_subject, { projectMetadata }) => projectMetadata.image[name],
    ),
  ),
  everyItem<Wire<AnyFinalizedRecord>, MultiRoleSubject, Component>(
    '/components/*/account',
    'of a derived contract: the address that CREATE gives to the parent at the nonce',
    componentsOf,
    ({ account, derivation }) =>
      derivation === null || account === createdAddress(derivation.parent, derivation.creationNonce),
  ),
  everyItem<Wire<AnyFinalizedRecord>, MultiRoleSubject, Component>(
    '/components/*/derivation/parent',
    'a component of the record',
    componentsOf,
    ({ derivation }, _index, { components }) =>
      derivation === null || components.some(({ account }) => account === derivation.parent),
  ),
  ...(['number', 'hash'] as const).map((name) =>
    everyItem<Wire<AnyFinalizedRecord>, MultiRoleSubject, Component>(
      `/components/*/derivation/observedAt/${name}`,
      `${name} of the launch's own block`,
      componentsOf,
      ({ derivation }, _index, { provenance }) =>
        derivation === null || derivation.observedAt[name] === provenance.l2Block[name],
    ),
  ),
  holds(
    '/market/token',
    'a currency of the pool key, and a component',
    ({ market: { token, poolKey }, components }) =>
      (token === poolKey.currency0 || token === poolKey.currency1) &&
      components.some(({ account }) => account === token),
  ),
];

interface FinalizedPage {
  readonly items: readonly Wire<AnyFinalizedRecord>[];
  readonly nextCursor: string | null;
}

/** The members of a page of the public feed that its request determines. */
export const FINALIZED_LIST_MEMBERS: readonly BoundMember<FinalizedPage, PageSubject>[] = [
  ...pageMembers<'onchainLaunchId', FinalizedPage>('onchainLaunchId'),
  ...withinEvery(
    '/items',
    ({ items }: FinalizedPage) => items,
    (): MultiRoleSubject => ({}),
    FINALIZED_RECORD_MEMBERS,
  ),
];

/** The routes and schemas that discovery of finality has for each generation. */
export const FINALITY_DISCOVERY_MEMBERS: readonly BoundMember<Wire<FinalityDiscovery>, unknown>[] = (
  ['v2', 'v3'] as const
).map((generation) =>
  holds<Wire<FinalityDiscovery>, unknown>(
    `/${generation}`,
    'the routes and schemas of that generation',
    (discovery) => canonicalJsonText(discovery[generation]) === canonicalJsonText(FINALITY_ROUTES[generation]),
  ),
);

type Commitment = keyof NonNullable<Wire<Capabilities>['contextCommitments']>;
const COMMITMENTS: readonly Commitment[] = [
  'contextHash',
  'profileHash',
  'chainDeploymentHash',
  'providerProfileHash',
  'chainBindingsHash',
  'instructionPolicyHash',
];
const FILES = [
  'guide',
  'client',
  'packer',
  'reference',
  'buildManifest',
  'referenceBuilder',
  'inventoryBuilder',
  'inventoryProjects',
  'inventoryBuildManifest',
] as const;
/** No path, no hidden file. */
const FILE_NAME = /^[a-z0-9][a-z0-9-]*\.[a-z]+$/;
/** Returns the name of a published file below the base path; null for another path. */
export function publishedNameOf(path: string): string | null {
  const name = path.slice(LAUNCHES.length + 1);
  return path.startsWith(`${LAUNCHES}/`) && FILE_NAME.test(name) ? name : null;
}
const PACKAGING = ['packer', 'reference', 'buildManifest'] as const;

/** The members of the capabilities that agree with each other. Nothing about a launch is asked for. */
export const CAPABILITIES_MEMBERS: readonly BoundMember<Wire<Capabilities>, unknown>[] = [
  ...COMMITMENTS.map((name) =>
    holds<Wire<Capabilities>, unknown>(
      `/contextCommitments/${name}`,
      'the hash of that part of the context',
      ({ context, contextCommitments }) =>
        context === null ? contextCommitments === null : contextCommitments?.[name] === commitContext(context)[name],
    ),
  ),
  holds(
    '/context/chainBindings/router',
    'the router of the chain deployment',
    ({ context }) => context === null || context.chainBindings.router === context.chainDeployment.router.address,
  ),
  holds(
    '/readiness/status',
    'ready exactly without a reason and with a context',
    ({ readiness: { status, reasonCodes }, context }) =>
      (status === 'ready') === (reasonCodes.length === 0) && (status !== 'ready' || context !== null),
  ),
  everyItem(
    '/routes/*',
    'a route of this API',
    ({ routes }) => Object.values(routes),
    (route) => route === undefined || route === LAUNCHES || route.startsWith(`${LAUNCHES}/`),
  ),
  ...FILES.map((file) =>
    holds<Wire<Capabilities>, unknown>(`/documentation/${file}/path`, 'a file of this API', ({ documentation }) => {
      const path = documentation[file]?.path;
      return path === undefined || publishedNameOf(path) !== null;
    }),
  ),
  holds(
    '/runtimeInstructionPolicy',
    'the instruction policy of the context',
    ({ runtimeInstructionPolicy, context }) =>
      canonicalJsonText(runtimeInstructionPolicy) === canonicalJsonText(context?.profile.instructionPolicy ?? null),
  ),
  ...PACKAGING.flatMap((file) =>
    (['path', 'mediaType', 'contentSha256'] as const).map((name) =>
      holds<Wire<Capabilities>, unknown>(
        `/documentation/requestPackaging/${file}/${name}`,
        'that of the published file',
        ({ documentation }) =>
          documentation.requestPackaging === undefined ||
          documentation.requestPackaging[file][name] === documentation[file]?.[name],
      ),
    ),
  ),
];
