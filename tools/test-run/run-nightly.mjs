// `npm run test:nightly`: the random tests, as often as a night allows and from a new seed every night. Then the published
// guide, typed for every reference launch, and other people's contracts, matched one and all. Each step says its variables;
// with them, `npm run jest -- <file>` repeats it.
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { jest, MINUTE, root, runSteps } from './run-steps.mjs';

const seed = process.env.TEST_SEED ?? String(randomInt(2 ** 31));
const LIMIT = 120 * MINUTE;

function random(name, files, workers, env) {
  const variables = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  process.stderr.write(`${name}: ${variables.join(' ')}\n${files.map((file) => `  ${file}\n`).join('')}`);
  return jest(name, files.join('|'), workers, LIMIT, { env, options: [`--testTimeout=${LIMIT}`] });
}

const specs = globSync('{apps,clients,libs,tools}/*/src/**/*.spec.ts', { cwd: root });
const fuzzers = specs.filter((file) => readFileSync(path.join(root, file), 'utf8').includes('FUZZ_FACTOR')).sort();

await runSteps([
  random(
    'amm',
    ['solidity/test/amm-vectors.integration.spec.ts', 'solidity/test/first-purchase.integration.spec.ts'],
    '1',
    { TEST_SEED: seed, AMM_VECTORS: '1000000' },
  ),
  random(
    'finality',
    [
      'libs/chain/src/finality/simulation/finality.simulation.spec.ts',
      'apps/api-gateway/src/products/custom-launch/domain/custom-launch-observation.simulation.spec.ts',
    ],
    '2',
    { FINALITY_SEED: seed, FINALITY_RUNS: '10000' },
  ),
  random('recovery', ['apps/finality-worker/test/recovery.simulation.spec.ts'], '1', {
    RECOVERY_SEED: seed,
    RECOVERY_RUNS: '5000',
  }),
  random('index', ['apps/indexer/test/indexer.simulation.spec.ts'], '1', {
    INDEX_SEED: seed,
    INDEX_RUNS: '10000',
  }),
  random('strangers', ['apps/indexer/test/hostile-index.simulation.spec.ts'], '1', {
    INDEX_SEED: seed,
    INDEX_RUNS: '10000',
  }),
  random('chain', ['libs/chain/src/sources/hostile-chain.spec.ts'], '1', {
    CHAIN_SEED: seed,
    CHAIN_RUNS: '10000',
  }),
  random('plans', ['libs/workflows/src/run-plan/run-plan.simulation.spec.ts'], '1', {
    PLAN_SEED: seed,
    PLAN_RUNS: '10000',
  }),
  random('fuzz', fuzzers, '100%', { TEST_SEED: seed, FUZZ_FACTOR: '100' }),
  jest('guide', 'tools/e2e/src/guide/guide.e2e.spec.ts', '1', LIMIT, { env: { GUIDE_CASES: 'all' } }),
  jest('noise', 'tools/e2e/src/hostile/hostile-chains.process.e2e.spec.ts', '1', LIMIT, {
    env: { CHAIN_NOISE: 'whole' },
  }),
  jest('published', 'clients/verify/src/published/published-contracts.integration.spec.ts', '1', LIMIT, {
    env: { PUBLISHED_CONTRACTS: 'all' },
  }),
  // No ratio fails it: a bench that cannot be measured, or whose sides do not agree on the rows, does.
  { name: 'benches', timeoutMs: LIMIT, env: {}, command: [path.join(root, 'tools/bench/dist/main.js'), '--full'] },
]);
