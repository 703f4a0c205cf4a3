import { describe, expect, it } from '@jest/globals';
import { cachedProgram, cacheFolder } from './cache-folder.js';
import { isAtLeast } from './locate-server.js';
import { TEMPORAL_CLI } from './pinned.js';

describe('isAtLeast', () => {
  it.each([
    ['1.9.1', '1.9.1', true],
    ['1.10.0', '1.9.1', true],
    ['2.0.0', '1.9.1', true],
    ['1.9.0', '1.9.1', false],
    ['1.8.9', '1.9.1', false],
    ['0.99.99', '1.9.1', false],
  ])('compares %s with the required %s: %s', (version, wanted, expected) => {
    expect(isAtLeast(version, wanted)).toBe(expected);
  });
});

describe('The cache', () => {
  it('uses the configured folder, else that of the system', () => {
    expect(cacheFolder({ LAUNCH_CACHE_DIR: '/here', XDG_CACHE_HOME: '/there' })).toBe('/here');
    expect(cacheFolder({ XDG_CACHE_HOME: '/there' })).toBe('/there/launch');
  });

  it('names a program by version and digest', () => {
    expect(cachedProgram(TEMPORAL_CLI, { LAUNCH_CACHE_DIR: '/c' })).toMatch(
      /^\/c\/temporal-1\.9\.1-([0-9a-f]{16}|unpinned)\/temporal$/,
    );
  });
});
