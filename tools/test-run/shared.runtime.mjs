// Jest's `runtime`: modules stay loaded between the test files of one worker, but for the tests' own code (test-code.mjs).
// Jest reads, compiles and runs every module anew for each file, which was most of what short suites cost (docs/adr/0081).
import JestRuntime from 'jest-runtime';
import { keysOfTestCode } from './test-code.mjs';
import SharedEnvironment from './shared.environment.mjs';

let shared;

export default class SharedRuntime extends JestRuntime {
  #shares;

  constructor(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig) {
    const shares = environment instanceof SharedEnvironment;
    if (shares && shared !== undefined) {
      shared.#begin(testPath);
      return shared;
    }
    super(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig);
    this.#shares = shares;
    if (shares) shared = this;
  }

  #begin(testPath) {
    this._testPath = testPath;
    this.esmLoader.testPath = testPath;
    this.executor.testPath = testPath;
    this.testState.state = 'loading';
  }

  /** @throws Error where modules are shared: those loaded meanwhile would keep what stands for a module. */
  setModuleMock(...mock) {
    this.#refuseMock();
    super.setModuleMock(...mock);
  }

  /** The same for `jest.mock`. */
  setMock(...mock) {
    this.#refuseMock();
    super.setMock(...mock);
  }

  #refuseMock() {
    if (this.#shares) throw new Error('a file that replaces modules begins with /** @jest-environment node */');
  }

  teardown() {
    if (!this.#shares) return super.teardown();
    this.restoreAllMocks();
    const { esModuleRegistry, internalModuleRegistry } = this.registries;
    try {
      for (const key of keysOfTestCode(esModuleRegistry.keys())) esModuleRegistry.delete(key);
    } catch (error) {
      // The file at fault fails alone: those after it load everything anew.
      this.registries.clear();
      throw error;
    }
    // Jest's test runner keeps the tests of a file as long as it is loaded.
    for (const key of internalModuleRegistry.keys())
      if (key.includes('/node_modules/jest-circus/')) internalModuleRegistry.delete(key);
    this.testMainModule.reset();
    this.jestGlobals.clearJestObjectCache();
  }
}
