/** The client of custom launches: from a packed request to a finalized launch. */
export {
  createLaunchClient,
  type AuthorizedLaunch,
  type CustomLaunch,
  type CustomLaunchContext,
  type CustomLaunchList,
  type CustomLaunchPreflight,
  type LaunchClient,
  type PublishedContext,
  type SubmittedLaunch,
} from './custom-launch/launch-client.js';
export {
  LaunchClientError,
  type LaunchClientCode,
  type LaunchFailure,
  type LaunchFinding,
} from './transport/launch-client.error.js';
export type { Packed, PackedReport } from './transport/packed.js';
export type { PageQuery } from './transport/page.js';
export type { ClientOptions } from './transport/service.js';
export type { WaitOptions } from './transport/wait.js';
export type { WalletTransaction } from './transport/wallet-transaction.js';
