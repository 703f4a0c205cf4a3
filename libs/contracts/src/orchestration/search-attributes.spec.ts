import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  SEARCH_ATTRIBUTE_LIMITS,
  SEARCH_ATTRIBUTE_TYPES,
  SEARCH_ATTRIBUTES,
  searchAttributeProbe,
  type SearchAttributeName,
} from './search-attributes.js';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const sources = globSync(['{apps,libs}/*/src/**/*.ts'], { cwd: ROOT })
  .filter((file) => !/\/node_modules\/|\/dist\/|\.spec\.ts$|\/testdata\/|\.fixture\.ts$/.test(file))
  .map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')] as const);

describe('The search attributes of every service', () => {
  it('do not exceed the number per type that a server on an SQL database allows', () => {
    const counts = Object.values(SEARCH_ATTRIBUTE_TYPES).reduce<Partial<Record<string, number>>>(
      (sofar, type) => ({ ...sofar, [type]: (sofar[type] ?? 0) + 1 }),
      {},
    );
    for (const [type, count] of Object.entries(counts))
      expect([type, count! <= SEARCH_ATTRIBUTE_LIMITS[type as keyof typeof SEARCH_ATTRIBUTE_LIMITS]]).toEqual([
        type,
        true,
      ]);
    expect(Object.keys(SEARCH_ATTRIBUTE_TYPES).sort()).toEqual(Object.values(SEARCH_ATTRIBUTES).sort());
  });

  it('are never named by a literal of a service', () => {
    const named = sources.flatMap(([file, text]) =>
      [...text.matchAll(/defineSearchAttributeKey\(\s*([^,)]+)|upsertSearchAttributes\(\{\s*([^:\]]+)/g)].map(
        ([, key, first]) => [file, (key ?? first)!.trim().replace(/^\[/, '')] as const,
      ),
    );
    expect(named.length).toBeGreaterThanOrEqual(5);
    for (const [file, name] of named)
      expect([file, name]).toEqual([file, expect.stringMatching(/^(PREDEFINED_)?SEARCH_ATTRIBUTES\./)]);
  });

  it('are registered by the deployment under the same types', () => {
    const script = readFileSync(path.join(ROOT, 'deploy/temporal/namespace.sh'), 'utf8');
    const registered = /for attribute in ([^;]+);/
      .exec(script)![1]!
      .split(/[\s\\]+/)
      .map((one) => one.split('='));
    expect(Object.fromEntries(registered)).toEqual(SEARCH_ATTRIBUTE_TYPES);
    for (const name of Object.keys(SEARCH_ATTRIBUTE_TYPES) as SearchAttributeName[])
      expect(script).toContain(searchAttributeProbe(name));
  });
});
