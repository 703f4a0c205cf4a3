export {
  checksOf,
  judge,
  stage,
  type Check,
  type RuleGroup,
  type Stage,
  type StageFacts,
  type Extent,
} from './judge.js';
export { classify, eligibilityOf } from './classification.js';
export {
  CUSTOM_LAUNCH_ARRIVAL,
  CUSTOM_LAUNCH_CUSTODY,
  CUSTOM_LAUNCH_DEPLOYMENT,
  CUSTOM_LAUNCH_ECONOMICS,
  CUSTOM_LAUNCH_EVALUATION,
  CUSTOM_LAUNCH_EXTERNALS,
  CUSTOM_LAUNCH_FORM,
  CUSTOM_LAUNCH_GRAPH,
  CUSTOM_LAUNCH_KEY,
  CUSTOM_LAUNCH_OFFLINE,
  CUSTOM_LAUNCH_PREFLIGHT,
  CUSTOM_LAUNCH_SCAN,
  CUSTOM_LAUNCH_SOURCE,
  CUSTOM_LAUNCH_USD,
} from './custom-launch.stages.js';
export {
  MULTI_ROLE_ARRIVAL,
  MULTI_ROLE_CUSTODY,
  MULTI_ROLE_DEPLOYMENT,
  MULTI_ROLE_ECONOMICS,
  MULTI_ROLE_EXTERNALS,
  MULTI_ROLE_FORM,
  MULTI_ROLE_GRAPH,
  MULTI_ROLE_OFFLINE,
  MULTI_ROLE_PACKING,
  MULTI_ROLE_SCAN,
  MULTI_ROLE_SOURCE,
} from './multi-role.stages.js';
export { customLaunchFindings } from './groups/custom-launch.group.js';
export { economicsOf } from './groups/economics.groups.js';
export { imageFinding } from './groups/image.groups.js';
export { collectSources, manifestOf } from './groups/request-source.findings.js';
