const compiler = (parser) => ({
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', ...parser },
    transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
    keepClassNames: true,
  },
  module: { type: 'es6' },
});

/** One configuration for every project. The suffix of a test file names what it needs (docs/testing.md). */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@launch/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  // A `beforeAll` that fails can leave a process behind, and Jest would wait for its pipe without end (docs/adr/0106-stock-jest.md).
  forceExit: true,
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.tsx', '$1.js'] },
  modulePathIgnorePatterns: ['/dist/', '/\\.data/'],
  setupFilesAfterEnv: ['<rootDir>/tools/test-run/random-tests.setup.mjs'],
  testMatch: ['**/*.spec.ts', '**/*.spec.tsx'],
  // Ends a test that hangs, also on a machine under load. Tests assert no durations.
  testTimeout: 180_000,
  transform: {
    '^.+\\.ts$': ['@swc/jest', compiler({ decorators: true })],
    '^.+\\.tsx$': ['@swc/jest', compiler({ tsx: true })],
  },
  // Node keeps the modules of test files that have ended, so a worker grows by each file that it runs.
  workerIdleMemoryLimit: '600MB',
};
