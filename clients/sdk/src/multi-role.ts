/** The client of multi-role launches. */
export {
  createMultiRoleClient,
  type AuthorizedMultiRoleLaunch,
  type MultiRoleCapabilities,
  type MultiRoleClient,
  type MultiRoleLaunch,
  type MultiRoleList,
  type MultiRolePreflight,
  type PackedMultiRole,
  type SubmittedMultiRoleLaunch,
  type TransactionHintReceipt,
} from './multi-role/multi-role-client.js';
export { LaunchClientError } from './transport/launch-client.error.js';
