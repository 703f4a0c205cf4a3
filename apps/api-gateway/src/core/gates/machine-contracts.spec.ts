import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  customLaunchPreflightSchema,
  customLaunchRequestSchema,
  MACHINE_CONTRACT_DIGESTS,
  MACHINE_CONTRACT_VERSIONS,
} from '@launch/contracts/custom-launch';
import { canonicalJsonText, parseStrictJson } from '@launch/contracts/json';
import { z } from 'zod';
import { readMachineContracts } from './machine-contracts.js';

type Json = Readonly<Record<string, any>>;
const contracts = readMachineContracts();
const PUBLISHED = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../../../../docs/api/openapi.json'), 'utf8'),
) as Json;
/** Returns the check of a schema that refers to components. */
const schemaOf = (schema: Json, components: Json): z.ZodType =>
  z.fromJSONSchema(
    JSON.parse(
      JSON.stringify({ ...schema, $defs: components['schemas'] }).replaceAll('#/components/schemas/', '#/$defs/'),
    ),
  );
const documentOf = (version: (typeof MACHINE_CONTRACT_VERSIONS)[number]) =>
  parseStrictJson(contracts[version].bytes) as Json;

describe.each(MACHINE_CONTRACT_VERSIONS)('The frozen machine contract %s', (version) => {
  it('has the bytes of its publication', () => {
    expect(contracts[version].contentSha256).toBe(MACHINE_CONTRACT_DIGESTS[version]);
    expect(Buffer.from(contracts[version].bytes).toString()).toBe(canonicalJsonText(documentOf(version)));
  });

  it('describes the custom-launch routes of its profile, and every reference in it resolves', () => {
    const { paths, components, info } = documentOf(version);
    expect(info.version).toBe(`${version}.0`);
    expect(Object.keys(paths).sort()).toEqual(
      [
        'capabilities',
        'custom-launches',
        'custom-launches/preflight',
        'custom-launches/{launchId}',
        'custom-launches/{launchId}/request',
        'finalized-custom-launches',
        'initial-buy-quote',
        'launch-coverage',
        'launch-guide',
        'readiness',
      ].map((route) => `/v4/chains/4663/${route}`),
    );
    const text = JSON.stringify({ paths, components });
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      expect(Object.keys(components.schemas)).toContain(name);
  });

  it('accepts every example of an answer in the published description of its routes', () => {
    const { paths, components } = documentOf(version);
    const compared: string[] = [];
    for (const [path, operations] of Object.entries(paths as Json))
      for (const [method, { responses }] of Object.entries(operations as Json)) {
        for (const [status, answer] of Object.entries(responses as Json)) {
          const { example } = PUBLISHED.paths[path][method].responses[status]?.content?.['application/json'] ?? {};
          if (example === undefined) continue;
          const faults = schemaOf(answer.content['application/json'].schema, components).safeParse(example).error
            ?.issues;
          expect([path, method, status, faults]).toEqual([path, method, status, undefined]);
          compared.push(`${method} ${path}`);
        }
      }
    expect(new Set(compared).size).toBeGreaterThanOrEqual(8);
  });

  it('requires at least two observers in each evidence object of the feed, and no address of one', () => {
    const { onchain } = documentOf(version).components.schemas.CustomLaunchFinalizedMetadataV4.properties;
    for (const part of ['l2Inclusion', 'l1Posting', 'l1FinalizedCheckpoint']) {
      const { required, properties } = onchain.properties[part] as Json;
      expect([part, required]).toEqual([part, expect.arrayContaining(['observers'])]);
      const { minItems, items } = properties.observers;
      expect([part, minItems, items.required]).toEqual([part, 2, ['id', 'observedAt', 'responseSha256']]);
      expect(Object.keys(items.properties).sort()).toEqual([...items.required].sort());
    }
  });

  it('closes requests and leaves answers open, codes among them', () => {
    const { schemas } = documentOf(version).components as { readonly schemas: Readonly<Record<string, Json>> };
    for (const [name, schema] of Object.entries(schemas)) {
      const isRequest = name.startsWith('CustomLaunchRequest');
      expect([name, JSON.stringify(schema).includes('"additionalProperties":false')]).toEqual([name, isRequest]);
    }
    const finding = schemas['CustomLaunchFinding'] as Json;
    expect(finding['properties'].code).toEqual({ type: 'string' });
  });
});

it('The current machine contract describes the members of a request as the schema that judges it does.', () => {
  const { schemas } = documentOf('4.1').components;
  expect(Object.keys(schemas.CustomLaunchRequest.properties).sort()).toEqual(
    Object.keys(customLaunchRequestSchema.shape).sort(),
  );
  expect(Object.keys(schemas.CustomLaunchPreflight.properties).sort()).toEqual(
    Object.keys(customLaunchPreflightSchema.shape).sort(),
  );
});
