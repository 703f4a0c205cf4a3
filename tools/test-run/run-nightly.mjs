// `npm run test:nightly`: the random tests, as often as a night allows and from a new seed every night.
// Each step says its variables; with them, `npm run jest -- <file>` repeats it.
import { randomInt } from 'node:crypto';
import { jest, MINUTE, runSteps } from './run-steps.mjs';

const seed = process.env.TEST_SEED ?? String(randomInt(2 ** 31));
const HOUR = 60 * MINUTE;
const random = (name, pattern, workers, env) => {
  process.stderr.write(`${name}: ${Object.entries(env).map(([key, value]) => `${key}=${value}`).join(' ')} (${pattern})\n`);
  return jest(name, pattern, workers, HOUR, { env, options: [`--testTimeout=${HOUR}`] });
};

await runSteps([
  random('amm', 'solidity/test/amm-vectors', '1', { TEST_SEED: seed, AMM_VECTORS: '1000000' }),
  random('finality', 'libs/chain/src/finality/simulation', '1', { FINALITY_SEED: seed, FINALITY_RUNS: '10000' }),
  random('fuzz', 'libs/contracts/src/json/|libs/evm/src/(amm|chain-proof|create2|image|match|opcodes)/|tools/launch-verify/src/commands/(handoff|evidence).command.spec', '100%', { TEST_SEED: seed, FUZZ_FACTOR: '100' }),
]);
