import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES } from '@launch/contracts/errors';
import { LIMITS } from '@launch/contracts/primitives';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { LAUNCH_STATUSES } from '@launch/contracts/states';
import { DEFAULT_QUOTAS } from '../../../platform/rate-limits/gateway-quotas.js';
import { PUBLISHABLE_FILES } from '../../../core/downloads/published-files.js';

const guide = readFileSync(
  path.resolve(import.meta.dirname, '../../../../../../docs/guides/multi-role-launch.md'),
  'utf8',
);
/** `FAMILY_…` in the guide names every code with that prefix. */
const named = [...guide.matchAll(/`([A-Z][A-Z0-9_]+)(_…)?`/g)].map(([, name, family]) => ({
  name: name as string,
  family: family !== undefined,
}));

describe('The guide', () => {
  it.each(ERROR_CODES)('states how to handle %s', (code) => {
    expect(named.some(({ name, family }) => (family ? code.startsWith(`${name}_`) : code === name))).toBe(true);
  });

  it.each(PUBLISHABLE_FILES)('names $name', ({ name }) => expect(guide).toContain(`\`${name}\``));
  it.each(LAUNCH_STATUSES)('explains the status %s', (status) => expect(guide).toContain(`\`${status}\``));

  it('uses only commands and options of the published programs', () => {
    const programs = path.resolve(import.meta.dirname, '../../../../../../clients/multi-role/src');
    const sources = ['client', 'packer', 'builder', 'inventory', 'launch-options'].flatMap((folder) =>
      readdirSync(path.join(programs, folder)).map((name) => path.join(programs, folder, name)),
    );
    const known = sources
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const calls = [
      ...guide.matchAll(/node (client|request-packer|reference-builder|inventory-builder)\.mjs ((?:[^`\n]|\\\n)*)/g),
    ];
    const words = calls.flatMap(([, program, rest]) =>
      (rest ?? '')
        .split(/\s+/)
        .filter(
          (word, index) => word.startsWith('--') || (index === 0 && /^(client|request-packer)$/.test(program ?? '')),
        ),
    );
    expect(words.length).toBeGreaterThan(20);
    expect([...new Set(words)].filter((word) => !known.includes(word.replace(/^--/, '')))).toEqual([]);
  });

  it('states the actual limits and quotas', () => {
    const grouped = (value: number): string => value.toLocaleString('en-US');
    const stated = [
      MULTI_ROLE_BASE_PATH,
      `${LIMITS.requestBytes / 1024 / 1024} MiB`,
      `at most ${LIMITS.jsonDepth} levels`,
      `at most ${grouped(LIMITS.permitWindowSeconds)} s`,
      `not more than ${grouped(LIMITS.validAfterPastSeconds)} s in the past, not more than ${LIMITS.validAfterFutureSeconds} s in the future`,
      `at least ${LIMITS.deadlineLeadSeconds} s away`,
      `${LIMITS.hintsPerLaunch} distinct hashes`,
      `1 to ${LIMITS.listMax}; default ${LIMITS.ownerListDefault} for your launches, ${LIMITS.finalizedListDefault} for the public feed`,
      `initialisation code ${grouped(LIMITS.initCodeBytes)} bytes, runtime ${grouped(LIMITS.runtimeCodeBytes)}`,
      `${DEFAULT_QUOTAS.read.quantity} reads a second`,
      `${DEFAULT_QUOTAS.preflight.quantity} preflights`,
      `${DEFAULT_QUOTAS.create.quantity} new launches and ${DEFAULT_QUOTAS.hint.quantity} hints a minute`,
      `${DEFAULT_QUOTAS.public.quantity} public requests and ${DEFAULT_QUOTAS.download.quantity} downloads a second`,
    ];
    const flowing = guide.replaceAll(/\s+/g, ' ');
    expect(stated.filter((text) => !flowing.includes(text))).toEqual([]);
  });
});
