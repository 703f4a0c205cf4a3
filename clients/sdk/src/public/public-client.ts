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
import { FINALIZED_LIST_MEMBERS, FINALIZED_RECORD_MEMBERS, type BoundMember } from '@launch/client-core/binding';
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
    return (await this.service.call(listFinalizedCustomLaunches, { query: { ...query } })).value;
  }

  /** Reads the evidence of a finalized custom launch by its digest. */
  async customLaunchEvidence(launchId: string, evidenceSha256: string) {
    return (await this.service.call(getFinalizedCustomLaunchEvidence, { path: { launchId, evidenceSha256 } })).value;
  }

  /** Reads one page of the finalized launches of Ethereum. */
  async finalizedEthereumLaunches(query: PageQuery = {}) {
    return (await this.service.call(listFinalizedEthereumLaunches, { query: { ...query } })).value;
  }

  /** Reads the evidence of a finalized launch of Ethereum by its digest. */
  async ethereumLaunchEvidence(onchainLaunchId: string, evidenceSha256: string) {
    const path = { onchainLaunchId, evidenceSha256 };
    return (await this.service.call(getFinalizedEthereumLaunchEvidence, { path })).value;
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
    return (await this.service.call(listIndexedLaunches, { query })).value;
  }

  /** Reads the indexed launch of a token. */
  async indexedLaunch(chainId: 1 | 4663, tokenAddress: string) {
    const input = { path: { chainId: String(chainId), tokenAddress } };
    const binding = { members: LAUNCH_MEMBERS, subject: { chainId, tokenAddress } };
    return (await this.service.call(getIndexedLaunch, input, binding)).value;
  }

  /** Reads one page of the developer feed of chain 4663. */
  async developerLaunches(query: PageQuery = {}) {
    return (await this.service.call(listDeveloperLaunches, { query: { ...query } })).value;
  }

  /** Reads the launch of a token in the developer feed. */
  async developerLaunch(tokenAddress: string) {
    const binding = { members: LAUNCH_MEMBERS, subject: { chainId: 4663, tokenAddress } };
    return (await this.service.call(getDeveloperLaunch, { path: { tokenAddress } }, binding)).value;
  }
}

/** Returns a client of the public reads. */
export const createPublicClient = (options: Omit<ClientOptions, 'key'>): PublicClient => new PublicClient(options);
