export { buildDevelopmentContext } from './development-context.js';
export { createProgress } from './progress.js';
export type { Progress } from './progress.js';
export type { ServiceName } from './services.js';
export { startStack } from './stack.js';
export type { ComponentName, RunningStack, StackOptions } from './stack.js';
export { sendFromController } from './reference-launch/controller-wallet.js';
export { REFERENCE_LAUNCHES } from './reference-launch/pack-case.js';
export type { ReferenceCase } from './reference-launch/pack-case.js';
