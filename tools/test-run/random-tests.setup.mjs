// Before every test file: `TEST_SEED` is the seed of all its random tests, those of fast-check among them.
const seed = process.env.TEST_SEED;
if (seed !== undefined) (await import('fast-check')).default.configureGlobal({ seed: Number(seed) });
