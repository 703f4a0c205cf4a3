import { randomInt } from 'node:crypto';

/**
 * The seed of a random test: `TEST_SEED` when given, else a fresh one. Printed either way, so that a failure can be run again.
 */
export function testSeed(name: string): number {
  const given = Number(process.env['TEST_SEED']);
  const seed = Number.isSafeInteger(given) && process.env['TEST_SEED'] ? given : randomInt(2 ** 31);
  process.stderr.write(`${name}: TEST_SEED=${seed}\n`);
  return seed;
}
