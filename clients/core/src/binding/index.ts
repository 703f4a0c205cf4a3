/**
 * The members of each response that its request determines, once for every client. A client compares them with what it knows
 * of the request, and refuses a response with a fault (docs/reference/client-bindings.md).
 */
export { faultsOf, type BoundMember } from './bound-member.js';
export { sentLaunch, type LaunchSubject, type SentLaunch } from './subject.js';
export {
  CUSTOM_LAUNCH_LIST_MEMBERS,
  CUSTOM_LAUNCH_MEMBERS,
  CUSTOM_LAUNCH_PREFLIGHT_MEMBERS,
  HANDOFF_MEMBERS,
} from './custom-launch.members.js';
export {
  PLAN_LIST_MEMBERS,
  PLAN_MEMBERS,
  PLAN_PREFLIGHT_MEMBERS,
  PROVED_PLAN_MEMBERS,
  type ProofSubject,
} from './plan.members.js';
export { pageMembers, type PageSubject } from './page.members.js';
export {
  CUSTOM_FEED_LIST_MEMBERS,
  CUSTOM_FEED_MEMBERS,
  ETHEREUM_FEED_LIST_MEMBERS,
  ETHEREUM_FEED_MEMBERS,
} from './public-feed.members.js';
export {
  CAPABILITIES_MEMBERS,
  FINALITY_DISCOVERY_MEMBERS,
  FINALIZED_LIST_MEMBERS,
  FINALIZED_RECORD_MEMBERS,
  publishedNameOf,
} from './multi-role-public.members.js';
export type { MultiRoleSubject, SentMultiRole } from './multi-role.subject.js';
export { MULTI_ROLE_FINALITY_MEMBERS } from './multi-role-finality.members.js';
export {
  EVIDENCE_MEMBERS,
  HINT_RECEIPT_MEMBERS,
  MULTI_ROLE_LAUNCH_MEMBERS,
  MULTI_ROLE_LIST_MEMBERS,
  MULTI_ROLE_PREFLIGHT_MEMBERS,
  type HintSubject,
} from './multi-role.members.js';
export { PLAN_REFUSAL_MEMBERS, REFUSAL_MEMBERS, refusalSubject, type RefusalSubject } from './refusal.members.js';
export {
  CREDENTIAL_MEMBERS,
  DISCOVERY_MEMBERS,
  INITIAL_BUY_QUOTE_MEMBERS,
  LAUNCH_CAPABILITIES_MEMBERS,
  LAUNCH_COVERAGE_MEMBERS,
  LAUNCH_READINESS_MEMBERS,
} from './report.members.js';
