export { buildDevelopmentContext } from './development-context.js';
export type { PolicyName } from './development-context.js';
export { createProgress, silentProgress } from './progress.js';
export type { Progress } from './progress.js';
export type { ServiceName } from './services.js';
export { startStack } from './stack.js';
export type { ComponentName, RunningStack, StackOptions } from './stack.js';
export { runReferenceLaunch } from './reference-launch/reference-launch.js';
export type { ReferenceCase, ReferenceLaunchOptions, ReferenceLaunchResult } from './reference-launch/reference-launch.js';
