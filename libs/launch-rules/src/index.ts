export { judge, stage, type RuleGroup, type Stage, type Telling } from './judge.js';
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
export { economicsOf } from './groups/economics.groups.js';
export { imageFinding } from './groups/image.groups.js';
export { collectSources, manifestOf } from './groups/request-source.findings.js';
