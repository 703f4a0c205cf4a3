import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { LISTED_MAX } from '../../../apps/api-gateway/src/products/index/data/coin-list.sql.js';
import { DEFAULT_LIMITS } from '../../../apps/api-gateway/src/platform/configuration/limits.js';
import { DEFAULT_QUOTAS } from '../../../apps/api-gateway/src/platform/rate-limits/gateway-quotas.js';
import { CHECKPOINT_MAX_AGE_SECONDS } from '../../../libs/chain/src/actions/judge-checkpoint.js';
import { customLaunchFinalizedSchema, customLaunchResourceSchema } from '@launch/contracts/custom-launch';
import {
  ERROR_CATALOGUE,
  CUSTOM_LAUNCH_CODES,
  customLaunchEntry,
  MODULE_CATALOGUE,
  REASON_CATALOGUE,
  REVIEWER_CATALOGUE,
  type CatalogueEntry,
} from '@launch/contracts/errors';
import {
  MAX_LAUNCH_MODULES,
  PROFILE_PAGE_SIZE,
  INDEX_PAGE_DEFAULT,
  INDEX_PAGE_MAX,
  STALE_AFTER_SECONDS,
  STALLED_AFTER_SECONDS,
} from '@launch/contracts/index';
import { MAX_JSON_VALUES } from '@launch/contracts/json';
import { BUILD_LIMITS, BUILD_PROFILE_CAPACITY, MODULE_LIMITS } from '@launch/contracts/modules';
import { LEAST_OFFER_SECONDS } from '@launch/contracts/orchestration';
import { PLAN_LIMITS, planEntry } from '@launch/contracts/plans';
import { COMPILE_BUDGET_SECONDS, LIMITS } from '@launch/contracts/primitives';
import { MAX_TICK_SPACING, MIN_TICK_SPACING } from '../../../libs/evm/src/amm/tick-range.js';
import { MAX_CREATOR_FEE_BPS, PLATFORM_FEE_BPS } from '../../../libs/evm/src/economics/fee-kernel.js';
import {
  DEFAULT_MAX_DEVIATION_BPS,
  SEQUENCER_TRANSACTION_BYTES,
} from '../../../libs/evm/src/launch-context/build-context.js';
import { DISPLAY_LIMITS } from '../../../libs/evm/src/sources/token-display.js';
import {
  USD_FEED_GRACE_SECONDS,
  USD_READING_MAX_AGE_SECONDS,
} from '../../../libs/evm/src/usd-reference/usd-reference.js';
import { IMAGE_LIMITS } from '../../../libs/images/src/image.types.js';
import { z } from 'zod';

const page = (name: string): string =>
  readFileSync(new URL(`../../../docs/reference/${name}.md`, import.meta.url), 'utf8');

/** Returns the cells of every table row below a heading, or of the whole page, without code marks and anchors. */
function rowsOf(text: string, heading?: string): string[][] {
  const section =
    heading === undefined ? text : (text.split(/^#+ /m).find((one) => one.startsWith(`${heading}\n`)) ?? '');
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.replace(/^<a id="[^"]+"><\/a>/, '').replace(/^`(.*)`$/, '$1')),
    );
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly const?: string;
  readonly enum?: readonly string[];
}

type Catalogue = Readonly<Record<string, CatalogueEntry>>;
const LAUNCH: Catalogue = ERROR_CATALOGUE;
const CUSTOM: Catalogue = Object.fromEntries(
  CUSTOM_LAUNCH_CODES.filter((code) => !Object.hasOwn(ERROR_CATALOGUE, code)).map((code) => [
    code,
    customLaunchEntry(code),
  ]),
);

describe('docs/reference/errors.md', () => {
  const text = page('errors');
  const facts = ({ layer, retryable, action }: CatalogueEntry): string[] => [layer, retryable ? 'yes' : 'no', action];
  const planStatus = (code: string): string =>
    code.startsWith('MULTI_ROLE_') ? '-' : String(planEntry(code as keyof typeof ERROR_CATALOGUE).status);

  it.each<[string, Catalogue]>([
    ['Launch codes', LAUNCH],
    ['Custom launch and plan codes', CUSTOM],
  ])('states status, plan status, layer, retryability and action of each code under %s', (heading, catalogue) => {
    const [, ...rows] = rowsOf(text, heading);
    expect(rows.map((row) => row.slice(0, 6))).toEqual(
      Object.entries(catalogue).map(([code, entry]) => [code, String(entry.status), planStatus(code), ...facts(entry)]),
    );
    expect(rows.filter((row) => (row[6] ?? '').length < 10)).toEqual([]);
  });

  it.each<[string, Catalogue]>([
    ['Module codes', MODULE_CATALOGUE],
    ['Reviewer codes', REVIEWER_CATALOGUE],
  ])('states status, layer, retryability and action of each code under %s', (heading, catalogue) => {
    const [, ...rows] = rowsOf(text, heading);
    expect(rows.map((row) => row.slice(0, 5))).toEqual(
      Object.entries(catalogue).map(([code, entry]) => [code, String(entry.status), ...facts(entry)]),
    );
    expect(rows.filter((row) => (row[5] ?? '').length < 10)).toEqual([]);
  });

  it('states member, meaning and remedy of each reason', () => {
    const [, ...rows] = rowsOf(text, 'Reasons');
    expect(rows).toEqual(Object.entries(REASON_CATALOGUE).map(([code, entry]) => [code, ...entry]));
  });

  it('has an anchor for each code', () => {
    const catalogues = [LAUNCH, CUSTOM, MODULE_CATALOGUE, REVIEWER_CATALOGUE, REASON_CATALOGUE];
    const codes = catalogues.flatMap((one) => Object.keys(one));
    expect([...text.matchAll(/<a id="([A-Z_0-9]+)">/g)].map(([, id]) => id)).toEqual(codes);
  });
});

describe('docs/reference/custom-launch.md', () => {
  /** Returns the schema of a member, through arrays, and whether it admits a value. */
  const admits = (schema: JsonSchema, cell: string): boolean => {
    const [, path = '', value] = /^([\w.]+)(?:` = `(\w+))?/.exec(cell) ?? [];
    const found = path
      .split('.')
      .reduce<JsonSchema | undefined>((at, name) => (at?.items ?? at)?.properties?.[name], schema);
    return found !== undefined && (value === undefined || [found.const, ...(found.enum ?? [])].includes(value));
  };

  /** Returns the definition of a schema with an id. */
  const jsonSchemaOf = (schema: z.ZodType, id: string): JsonSchema =>
    (z.toJSONSchema(schema).$defs as Readonly<Record<string, JsonSchema>>)[id]!;

  it('names members and values of the resource and the feed that both have', () => {
    const [, ...rows] = rowsOf(page('custom-launch'), 'Names of the resource and the feed');
    const [resource, feed] = [
      jsonSchemaOf(customLaunchResourceSchema, 'CustomLaunchResource'),
      jsonSchemaOf(customLaunchFinalizedSchema, 'CustomLaunchFinalizedMetadataV4'),
    ];
    expect(rows.length).toBe(4);
    for (const [, inResource = '', inFeed = ''] of rows)
      expect([inResource, admits(resource, inResource), inFeed, admits(feed, inFeed)]).toEqual([
        inResource,
        true,
        inFeed,
        true,
      ]);
    const membersOf = (schema: JsonSchema): string[] =>
      Object.keys(schema.properties?.['sourceVerification']?.properties?.['components']?.items?.properties ?? {});
    const named = rows.flatMap((row) => row.slice(1).map((cell) => cell.split('`')[0]!.split('.').at(-1)));
    const shared = membersOf(resource).filter((name) => membersOf(feed).includes(name));
    for (const name of [...membersOf(resource), ...membersOf(feed)])
      if (!shared.includes(name)) expect(named).toContain(name);
  });
});

type Limit = number | RegExp;
/** The constants whose every member has a row. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, Limit>>>> = {
  LIMITS,
  PLAN_LIMITS,
  MODULE_LIMITS,
  BUILD_PROFILE_CAPACITY,
  BUILD_LIMITS,
  IMAGE_LIMITS,
  DISPLAY_LIMITS,
  DEFAULT_LIMITS: { ...DEFAULT_LIMITS },
};
const SINGLE: Readonly<Record<string, Limit>> = {
  MAX_JSON_VALUES,
  SEQUENCER_TRANSACTION_BYTES,
  CHECKPOINT_MAX_AGE_SECONDS,
  LEAST_OFFER_SECONDS,
  INDEX_PAGE_MAX,
  INDEX_PAGE_DEFAULT,
  PROFILE_PAGE_SIZE,
  LISTED_MAX,
  MAX_LAUNCH_MODULES,
  STALE_AFTER_SECONDS,
  STALLED_AFTER_SECONDS,
  PLATFORM_FEE_BPS,
  MAX_CREATOR_FEE_BPS,
  MIN_TICK_SPACING,
  MAX_TICK_SPACING,
  DEFAULT_MAX_DEVIATION_BPS,
  USD_FEED_GRACE_SECONDS,
  USD_READING_MAX_AGE_SECONDS,
  COMPILE_BUDGET_SECONDS,
};

describe('docs/reference/limits.md', () => {
  const text = page('limits');
  const numberOf = (cell: string): number => Number(/^[\d,]+/.exec(cell)?.[0].replaceAll(',', ''));

  it('states every limit with the value of its constant', () => {
    const constants: Readonly<Record<string, Limit>> = {
      ...SINGLE,
      ...Object.fromEntries(
        Object.entries(GROUPS).flatMap(([group, members]) =>
          Object.entries(members).map(([name, value]) => [`${group}.${name}`, value]),
        ),
      ),
    };
    const stated = rowsOf(text)
      .filter((row) => row.length === 3 && row[2] !== 'constant')
      .map(([, value, constant]) => [
        constant as string,
        constants[constant as string] instanceof RegExp ? value : numberOf(value as string),
      ]);
    const wanted = Object.entries(constants).map(([name, value]) => [
      name,
      value instanceof RegExp ? value.source : value,
    ]);
    expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(wanted));
    expect(stated.length).toBe(wanted.length);
  });

  it('states a size in units that equal its bytes', () => {
    const units = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;
    const sizes = [...text.matchAll(/([\d,]+) \((\d+) (KiB|MiB|GiB)\)/g)];
    expect(sizes.length).toBeGreaterThan(5);
    for (const [whole, bytes, count, unit] of sizes)
      expect([whole, numberOf(bytes as string)]).toEqual([whole, Number(count) * units[unit as keyof typeof units]]);
  });

  it('states the quotas that a deployment grants by default', () => {
    const [, ...rows] = rowsOf(text, 'Quotas');
    expect(
      Object.fromEntries(
        rows.map(([name, quantity, windowSeconds, burst]) => [
          name as string,
          {
            quantity: numberOf(quantity as string),
            windowSeconds: numberOf(windowSeconds as string),
            burst: numberOf(burst as string),
          },
        ]),
      ),
    ).toEqual(DEFAULT_QUOTAS);
  });
});
