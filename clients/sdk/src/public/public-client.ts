import {
  getDeveloperLaunch,
  getFinalized,
  getFinalizedCustomLaunchEvidence,
  getFinalizedEthereumLaunchEvidence,
  getFinalizedV3,
  getIndexedLaunch,
  getIndexManifest,
  getIndexStatus,
  listDeveloperLaunches,
  listFinalized,
  listFinalizedCustomLaunches,
  listFinalizedEthereumLaunches,
  listFinalizedV3,
  listIndexedLaunches,
  type InputOf,
} from '@launch/api-client';
import {
  CUSTOM_FEED_LIST_MEMBERS,
  ETHEREUM_FEED_LIST_MEMBERS,
  FINALIZED_LIST_MEMBERS,
  FINALIZED_RECORD_MEMBERS,
  pageMembers,
  type BoundMember,
  type PageSubject,
} from '@launch/client-core/binding';
import { requireDigest } from '../transport/digest.js';
import { pageSubject, type PageQuery } from '../transport/page.js';
import { Service, type ClientOptions } from '../transport/service.js';

interface TokenSubject {
  readonly chainId: number;
  readonly tokenAddress: string;
}

/** The launch of a token is of the requested chain and token, in any case of its address. */
const LAUNCH_MEMBERS: readonly BoundMember<
  { readonly launch: { readonly chainId: number; readonly tokenAddress: string } },
  TokenSubject
>[] = [
  {
    path: '/launch/chainId',
    is: 'the requested chain',
    faultsIn: ({ launch }, { chainId }) => (launch.chainId === chainId ? [] : ['/launch/chainId']),
  },
  {
    path: '/launch/tokenAddress',
    is: 'the requested token',
    faultsIn: ({ launch }, { tokenAddress }) =>
      launch.tokenAddress.toLowerCase() === tokenAddress.toLowerCase() ? [] : ['/launch/tokenAddress'],
  },
];

interface ListedLaunches {
  readonly items: readonly {
    readonly chainId: number;
    readonly sourceKind: string;
    readonly verificationDigest: string;
  }[];
  readonly nextCursor: string | null;
}
interface ListSubject extends PageSubject {
  readonly chainId?: number | undefined;
  readonly sourceKind?: string | undefined;
}

/** Every launch of a page is of the requested chain and source, and is there once. */
const LISTED_MEMBERS: readonly BoundMember<ListedLaunches, ListSubject>[] = [
  ...pageMembers<'verificationDigest', ListedLaunches>('verificationDigest'),
  ...(['chainId', 'sourceKind'] as const).map((name) => ({
    path: `/items/*/${name}`,
    is: `the requested ${name}`,
    faultsIn: ({ items }: ListedLaunches, subject: ListSubject) =>
      items.flatMap((item, index) =>
        subject[name] === undefined || item[name] === subject[name] ? [] : [`/items/${index}/${name}`],
      ),
  })),
];

/** The developer feed has the launches of Ethereum only. */
const DEVELOPER_CHAIN = 1;

/** Returns evidence whose bytes have the requested digest. @throws {LaunchClientError} `RESPONSE_NOT_OF_REQUEST` */
function evidenceOf<Value>(
  answer: { readonly status: number; readonly bytes: Uint8Array; readonly value: Value },
  evidenceSha256: string,
): Value {
  requireDigest(answer, `sha256:${evidenceSha256}`, 'the evidence is not the requested one');
  return answer.value;
}

/**
 * Reads the public feeds and the index of one service, without a key. It checks the form of each response and its identifiers.
 * `@custom-launch/verify` checks the contents against the chains.
 */
export class PublicClient {
  private readonly service: Service;

  constructor({ baseUrl, signal, bounds }: Omit<ClientOptions, 'key'>) {
    this.service = new Service({ baseUrl, signal, bounds });
  }

  /** Reads one page of the finalized custom launches and plans of chain 4663. */
  async finalizedCustomLaunches(query: PageQuery = {}) {
    const binding = { members: CUSTOM_FEED_LIST_MEMBERS, subject: pageSubject(query) };
    return (await this.service.call(listFinalizedCustomLaunches, { query: { ...query } }, binding)).value;
  }

  /** Reads the evidence of a finalized custom launch by its digest. */
  async customLaunchEvidence(launchId: string, evidenceSha256: string) {
    const path = { launchId, evidenceSha256 };
    return evidenceOf(await this.service.call(getFinalizedCustomLaunchEvidence, { path }), evidenceSha256);
  }

  /** Reads one page of the finalized launches of Ethereum. */
  async finalizedEthereumLaunches(query: PageQuery = {}) {
    const binding = { members: ETHEREUM_FEED_LIST_MEMBERS, subject: pageSubject(query) };
    return (await this.service.call(listFinalizedEthereumLaunches, { query: { ...query } }, binding)).value;
  }

  /** Reads the evidence of a finalized launch of Ethereum by its digest. */
  async ethereumLaunchEvidence(onchainLaunchId: string, evidenceSha256: string) {
    const path = { onchainLaunchId, evidenceSha256 };
    return evidenceOf(await this.service.call(getFinalizedEthereumLaunchEvidence, { path }), evidenceSha256);
  }

  /** Reads one page of the finalized multi-role launches of generation V2. */
  async finalizedMultiRoleLaunches(query: PageQuery = {}) {
    const binding = { members: FINALIZED_LIST_MEMBERS, subject: pageSubject(query) };
    return (await this.service.call(listFinalized, { query: { ...query } }, binding)).value;
  }

  /** Reads one page of the finalized multi-role launches of generation V3. */
  async finalizedMultiRoleLaunchesV3(query: PageQuery = {}) {
    const binding = { members: FINALIZED_LIST_MEMBERS, subject: pageSubject(query) };
    return (await this.service.call(listFinalizedV3, { query: { ...query } }, binding)).value;
  }

  /** Reads the record of a finalized multi-role launch of generation V2. */
  async multiRoleRecord(onchainLaunchId: string) {
    const binding = { members: FINALIZED_RECORD_MEMBERS, subject: { onchainLaunchId } };
    return (await this.service.call(getFinalized, { path: { onchainLaunchId } }, binding)).value;
  }

  /** Reads the record of a finalized multi-role launch of generation V3. */
  async multiRoleRecordV3(onchainLaunchId: string) {
    const binding = { members: FINALIZED_RECORD_MEMBERS, subject: { onchainLaunchId } };
    return (await this.service.call(getFinalizedV3, { path: { onchainLaunchId } }, binding)).value;
  }

  /** Reads how far the index has read each chain. */
  async indexStatus() {
    return (await this.service.call(getIndexStatus, {})).value;
  }

  /** Reads what an indexer needs: the sources, their contracts and their bindings. */
  async indexManifest() {
    return (await this.service.call(getIndexManifest, {})).value;
  }

  /** Reads one page of indexed launches, of every chain and source by default. */
  async indexedLaunches(query: NonNullable<InputOf<'listIndexedLaunches'>['query']> = {}) {
    const binding = { members: LISTED_MEMBERS, subject: { ...query, ...pageSubject(query) } };
    return (await this.service.call(listIndexedLaunches, { query }, binding)).value;
  }

  /** Reads the indexed launch of a token. */
  async indexedLaunch(chainId: 1 | 4663, tokenAddress: string) {
    const input = { path: { chainId: String(chainId), tokenAddress } };
    const binding = { members: LAUNCH_MEMBERS, subject: { chainId, tokenAddress } };
    return (await this.service.call(getIndexedLaunch, input, binding)).value;
  }

  /** Reads one page of the developer feed, which has the launches of Ethereum. */
  async developerLaunches(query: PageQuery = {}) {
    const binding = { members: LISTED_MEMBERS, subject: { chainId: DEVELOPER_CHAIN, ...pageSubject(query) } };
    return (await this.service.call(listDeveloperLaunches, { query: { ...query } }, binding)).value;
  }

  /** Reads the launch of a token of Ethereum in the developer feed. */
  async developerLaunch(tokenAddress: string) {
    const binding = { members: LAUNCH_MEMBERS, subject: { chainId: DEVELOPER_CHAIN, tokenAddress } };
    return (await this.service.call(getDeveloperLaunch, { path: { tokenAddress } }, binding)).value;
  }
}

/** Returns a client of the public reads. */
export const createPublicClient = (options: Omit<ClientOptions, 'key'>): PublicClient => new PublicClient(options);
