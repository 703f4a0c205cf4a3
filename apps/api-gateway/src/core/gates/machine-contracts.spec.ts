import { describe, expect, it } from '@jest/globals';
import {
  customLaunchPreflightSchema,
  customLaunchRequestSchema,
  MACHINE_CONTRACT_DIGESTS,
  MACHINE_CONTRACT_VERSIONS,
} from '@launch/contracts/custom-launch';
import { canonicalJsonText, parseStrictJson } from '@launch/contracts/json';
import { readMachineContracts } from './machine-contracts.js';

type Json = Readonly<Record<string, any>>;
const contracts = readMachineContracts();
const documentOf = (version: (typeof MACHINE_CONTRACT_VERSIONS)[number]) =>
  parseStrictJson(contracts[version].bytes) as Json;

describe.each(MACHINE_CONTRACT_VERSIONS)('the frozen machine contract %s', (version) => {
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

it('describes the members of a request as the schema that judges it does', () => {
  const { schemas } = documentOf('4.1').components;
  expect(Object.keys(schemas.CustomLaunchRequest.properties).sort()).toEqual(
    Object.keys(customLaunchRequestSchema.shape).sort(),
  );
  expect(Object.keys(schemas.CustomLaunchPreflight.properties).sort()).toEqual(
    Object.keys(customLaunchPreflightSchema.shape).sort(),
  );
});
