// Jest's `testEnvironment`: the test files of one worker share one realm, so that modules can stay loaded between them
// (shared.runtime.mjs, docs/adr/0081). A file that replaces modules asks for a realm of its own: `@jest-environment node`.
import { TestEnvironment } from 'jest-environment-node';

/** What Jest's own parts keep in a realm about the test file that runs. */
const OF_A_TEST_FILE = [
  'EVENT_HANDLERS',
  'TEST_TIMEOUT_SYMBOL',
  'RETRY_TIMES',
  'RETRY_TIMES_SETTER',
  'RETRY_IMMEDIATELY',
  'WAIT_BEFORE_RETRY',
  'LOG_ERRORS_BEFORE_RETRY',
].map((name) => Symbol.for(name));

let shared;

export default class SharedEnvironment extends TestEnvironment {
  #env;
  #exit;

  constructor(config, context) {
    if (shared !== undefined) return shared;
    super(config, context);
    const { process } = this.global;
    this.#env = { ...process.env };
    this.#exit = process.exit;
    shared = this;
  }

  /** Takes back what the test file changed of the realm; the modules that it loaded stay. */
  async teardown() {
    this.fakeTimersModern.useRealTimers();
    const { process } = this.global;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
    for (const symbol of OF_A_TEST_FILE) delete this.global[symbol];
  }
}
