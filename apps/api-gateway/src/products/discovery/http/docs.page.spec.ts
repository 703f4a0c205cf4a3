import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { servedEntry } from '@launch/contracts/errors';
import { ETHEREUM_FEED_REASONS, QUARANTINE_REASONS } from '@launch/contracts/index';
import { AVAILABILITY_REASONS, BUILD_FAILURE_CODES } from '@launch/contracts/modules';
import { RECOVERY_REASONS } from '@launch/contracts/multi-role';
import { WALLET_REASONS } from '@launch/contracts/states';
import { errorsPage } from './docs.page.js';

const repository = path.resolve(import.meta.dirname, '../../../../../..');
const read = (file: string): string => readFileSync(path.join(repository, file), 'utf8');
const CODE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/;
/** Members of bodies whose values are codes. */
const MEMBERS = /^(code|reason|reasons|reasonCodes|byReason|statusReason|dismissedReason|FindingCodes)$/;

/** Returns every code that a schema of the API enumerates in a member for codes. */
function codesOfApi(): Set<string> {
  const found = new Set<string>();
  const search = (value: unknown, member: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const each of value) search(each, member);
      return;
    }
    const { const: one, enum: several } = value as { const?: unknown; enum?: unknown };
    for (const each of [one, ...(Array.isArray(several) ? several : [])])
      if (MEMBERS.test(member) && typeof each === 'string' && CODE.test(each)) found.add(each);
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'example' || name === 'examples') continue;
      if (name === 'properties' || name === 'schemas')
        for (const [each, schema] of Object.entries(inner as object)) search(schema, each);
      else search(inner, member);
    }
  };
  search(JSON.parse(read('docs/api/openapi.json')), '');
  return found;
}

/** Files whose literals reach `reasonCodes`, `statusReason` and `warnings`, for which the schemas are open. */
const EMITTERS = [
  'apps/api-gateway/src/core/context/*.ts',
  'apps/api-gateway/src/core/gates/*.ts',
  'apps/api-gateway/src/core/launches/launch-workers.ts',
  'apps/api-gateway/src/core/launches/custom-launch/*.ts',
  'apps/api-gateway/src/products/plans/domain/plan-capabilities.ts',
  'apps/api-gateway/src/products/reports/domain/*.ts',
  'libs/chain/src/actions/read-pinned-contracts.ts',
  'libs/launch-rules/src/**/*.ts',
];
const TOKENS = /^(LAUNCH_CHAIN|LAUNCH_WORKERS|[A-Z_]*_FILE|[A-Z_]*_CONFIG)$/;

/** Returns every code that is a literal of the files. */
function literalsOf(patterns: readonly string[]): Set<string> {
  const files = globSync([...patterns], { cwd: repository }).filter(
    (file) => !/\.(spec|example|fixture|corpus)\.ts$|\/fixtures\//.test(file),
  );
  const literals = files.flatMap((file) => [...read(file).matchAll(/'([A-Z][A-Z0-9_]+)'/g)].map(([, text]) => text!));
  return new Set(literals.filter((text) => CODE.test(text) && !TOKENS.test(text)));
}

const SOURCES: Readonly<Record<string, ReadonlySet<string>>> = {
  'the schemas of the API': codesOfApi(),
  'the code of reports, gates, contexts and rules': literalsOf(EMITTERS),
  'the reasons of a wait': new Set([...WALLET_REASONS, 'AUTHORIZATION_CLOSED']),
  'the reasons of reads': new Set([...RECOVERY_REASONS, ...ETHEREUM_FEED_REASONS, ...AVAILABILITY_REASONS]),
  'the reasons of a quarantine': new Set(QUARANTINE_REASONS),
  'the failures of a build': new Set(BUILD_FAILURE_CODES),
};

describe.each(Object.entries(SOURCES))('The codes of %s', (_source, codes) => {
  const page = errorsPage([], servedEntry);
  const reference = read('docs/reference/errors.md');

  it('are all on the page of errors, with a meaning and a remedy', () => {
    expect(codes.size).toBeGreaterThan(4);
    const rows = new Map(
      [...page.matchAll(/<tr id="([A-Z0-9_]+)">(.*?)<\/tr>/g)].map(([, code, row]) => [
        code,
        [...row!.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell!).slice(-2),
      ]),
    );
    const poor = [...codes].filter((code) => {
      const cells = rows.get(code) ?? [];
      return cells.length !== 2 || cells.some((cell) => cell.length < 10);
    });
    expect(poor).toEqual([]);
  });

  it('are all in the reference, with a meaning', () => {
    expect([...codes].filter((code) => !reference.includes(`<a id="${code}"></a>`))).toEqual([]);
  });
});

it('The page of errors has one anchor for each code.', () => {
  const anchors = [...errorsPage([], servedEntry).matchAll(/ id="([A-Z0-9_]+)"/g)].map(([, id]) => id);
  expect(anchors.length).toBe(new Set(anchors).size);
});
