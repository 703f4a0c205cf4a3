export { startAnvil } from './processes/test-anvil.js';
export type { Anvil, AnvilOptions } from './processes/test-anvil.js';
export { startServiceProcess } from './processes/service-process.js';
export type { ServiceProcess, ServiceProcessOptions } from './processes/service-process.js';
export { createEmptyDatabase, createTestDatabase } from './servers/test-database.js';
export type { TestDatabase } from './servers/test-database.js';
export { sharedTemporal, startTimeSkipping, uniqueName } from './servers/test-temporal.js';
export { testSeed } from './test-seed.js';
