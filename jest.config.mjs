import { bundledDependencies } from './tools/test-run/bundled-dependencies.mjs';
import { cacheFolder } from './tools/test-run/cache-folder.mjs';

/** One Jest configuration for every project; a suffix says what a test needs (see docs/testing.md). */
export default {
  rootDir: '.',
  testEnvironment: '<rootDir>/tools/test-run/shared.environment.mjs',
  runtime: '<rootDir>/tools/test-run/shared.runtime.mjs',
  testEnvironmentOptions: { customExportConditions: ['@launch/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  cacheDirectory: cacheFolder('jest'),
  moduleNameMapper: {
    ...(await bundledDependencies()),
    // A graph without a top-level await is loaded in one pass; with one, Jest reads and compiles every module of it twice.
    '^\\./wasm-hashers\\.js$': '<rootDir>/tools/test-run/wasm-hashers.mjs',
    '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'],
  },
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/', '/\\.data/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'es6' },
      },
    ],
  },
  setupFiles: ['<rootDir>/tools/test-run/random-tests.setup.mjs', '<rootDir>/tools/test-run/wasm-hashers.setup.mjs'],
  testSequencer: '<rootDir>/tools/test-run/slowest-first.sequencer.mjs',
  testMatch: ['**/*.spec.ts'],
  // A worker keeps what its test files loaded: 2 GB after fifty of them, which each collection of garbage walks through.
  workerIdleMemoryLimit: '600MB',
  // For a machine under load: a test that hangs is ended, and no test is judged by its time. No test says less of its own.
  testTimeout: 180_000,
};
