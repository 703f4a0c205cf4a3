// The workflow bundles of this build, for a program that names their versions and starts no worker.
export { loadWorkflowBundle } from './bundle/built-bundle.js';
export type { WorkflowBundleFile } from './bundle/built-bundle.js';
