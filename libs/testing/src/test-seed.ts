import { randomInt } from 'node:crypto';

/**
 * Returns the seed of a random test: `TEST_SEED` if given, else a new one. Prints it either way, so that a failure can
 * be reproduced.
 */
export function testSeed(name: string): number {
  const given = Number(process.env['TEST_SEED']);
  const seed = Number.isSafeInteger(given) && process.env['TEST_SEED'] ? given : randomInt(2 ** 31);
  process.stderr.write(`${name}: TEST_SEED=${seed}\n`);
  return seed;
}
