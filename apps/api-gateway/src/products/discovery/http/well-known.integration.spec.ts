import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  MACHINE_CONTRACT_DIGESTS,
  MACHINE_CONTRACT_DIGESTS_PATH,
  MACHINE_CONTRACT_PATH,
  MACHINE_CONTRACTS_PATH,
} from '@launch/contracts/custom-launch';
import { sha256Digest } from '@launch/contracts/primitives';
import {
  API_CATALOG_PATH,
  DISCOVERY_ALIAS,
  DISCOVERY_PATH,
  discoverySchema,
  launchReadinessSchema,
  launchReportPath,
} from '@launch/contracts/reports';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf } from '../../../fixtures/http.client.js';
import { LaunchGatesRepository } from '../../../core/gates/launch-gates.repository.js';
import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import { UNBOUND_RELEASE, type ReleaseState } from '../../../core/gates/custom-launch-release.js';

let unbound: Harness;
let bound: Harness;
let release: ReleaseState = RELEASE_EXAMPLE;
beforeAll(async () => {
  unbound = await startHarness();
  bound = await startHarness({
    beside: unbound,
    reports: [],
    customLaunchRelease: { ...UNBOUND_RELEASE, state: () => release },
  });
});
afterAll(async () => {
  await bound.close();
  await unbound.close();
});

const discovery = async ({ url }: Harness) => discoverySchema.parse((await call(`${url}${DISCOVERY_PATH}`)).json);
const CLOSED = { publicAuthorization: false, publicWrites: false, releaseReady: false };
const OPEN = { publicAuthorization: true, publicWrites: true, releaseReady: true };

it('Discovery reports closed gates and the multi-role routes of a deployment without a custom-launch context.', async () => {
  const { customLaunchApi } = await discovery(unbound);
  const { v4, multiRoleV2, planTransport } = customLaunchApi.versions;
  expect(v4).toMatchObject({ profile: null, ...CLOSED, openApiUrl: null, externalIndexingGuaranteed: false });
  expect(v4.platformFeePolicy).toEqual({
    rateBps: 20,
    ratePpm: 2_000,
    ratePercent: '0.20',
    recipient: null,
    scope: 'native-side-of-every-official-pool-swap',
    enforcement: 'immutable-hook',
  });
  expect(planTransport).toMatchObject({ contractVersion: '4.6.2', responseVersions: ['1.0', '1.1', '1.2'] });
  const capabilities = await call(`${unbound.url}${multiRoleV2.capabilitiesUrl}`);
  expect([multiRoleV2.readiness, multiRoleV2.contextHash]).toEqual([
    'ready',
    capabilities.json.contextCommitments.contextHash,
  ]);
  const description = await call(`${unbound.url}${multiRoleV2.openApiUrl}`);
  expect(description.headers.get('etag')).toBe(`"${multiRoleV2.openApiSha256}"`);
});

it('Discovery shows the gates of readiness in the custom launches’ members and in both chain entries, and changes with them.', async () => {
  const gates = new LaunchGatesRepository(unbound.database);
  const shown = async () => {
    const { v4 } = (await discovery(bound)).customLaunchApi.versions;
    const { chains } = (await discovery(bound)).customLaunchApi;
    const { publicAuthorization, publicWrites, releaseReady } = v4;
    expect(v4.chains).toEqual([
      { chainId: '4663', caip2: 'eip155:4663', publicAuthorization, publicWrites, releaseReady },
    ]);
    expect(chains).toEqual(v4.chains);
    return { publicAuthorization, publicWrites, releaseReady };
  };
  expect(await shown()).toEqual(CLOSED);
  for (const gate of ['publicAuthorization', 'publicWrites', 'releaseReady'] as const)
    await gates.set({ gates: [gate], isOpen: true, setBy: 'test' });
  for (const gateway of [unbound, bound]) gateway.clock.shiftMs += 1_000;
  expect(await shown()).toEqual(OPEN);
  const readiness = await call(`${unbound.url}${launchReportPath('readiness')}`);
  expect(launchReadinessSchema.parse(readiness.json).gates).toEqual({ ...OPEN, releaseReady: false });
  release = { ...RELEASE_EXAMPLE, reasonCodes: ['PRICE_FEED_CODE_MISMATCH'] };
  expect(await shown()).toEqual({ ...OPEN, releaseReady: false });
  release = RELEASE_EXAMPLE;
});

it('Discovery has the same bytes at its alias under one entity tag, until its content changes or half its TTL has passed.', async () => {
  const [document, alias] = await Promise.all([
    call(`${bound.url}${DISCOVERY_PATH}`),
    call(`${bound.url}${DISCOVERY_ALIAS}`),
  ]);
  expect(alias.text).toBe(document.text);
  const held = { 'if-none-match': document.headers.get('etag') ?? '' };
  bound.clock.shiftMs += 5_000;
  expect((await call(`${bound.url}${DISCOVERY_ALIAS}`, { headers: held })).status).toBe(304);
  bound.clock.shiftMs += 30_000;
  const next = await call(`${bound.url}${DISCOVERY_PATH}`, { headers: held });
  expect(next.status).toBe(200);
  expect(next.json.issuedAt > document.json.issuedAt).toBe(true);
  expect({ ...next.json, issuedAt: '' }).toEqual({ ...document.json, issuedAt: '' });
});

it('The catalogue contains discovery and its alias, as a link set whose targets answer.', async () => {
  const catalog = await call(`${unbound.url}${API_CATALOG_PATH}`);
  expect(catalog.headers.get('content-type')).toBe(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  expect(catalog.headers.get('link')).toBe('</.well-known/api-catalog>; rel="api-catalog"');
  const targets = [...catalog.text.matchAll(/"href":"([^"]+)"/g)].map(([, href]) => href);
  expect(targets).toEqual(
    expect.arrayContaining([
      DISCOVERY_PATH,
      DISCOVERY_ALIAS,
      launchReportPath('readiness'),
      ...['capabilities', 'review-capabilities'].map((name) => `/v1/modules/${name}`),
    ]),
  );
  for (const target of targets) expect([target, (await call(`${unbound.url}${target}`)).status]).toEqual([target, 200]);
  // A disabled report is in no catalogue.
  expect((await call(`${bound.url}${API_CATALOG_PATH}`)).text).not.toContain('readiness');
});

it.each([DISCOVERY_PATH, DISCOVERY_ALIAS, API_CATALOG_PATH])(
  'The document at %s reads no key and takes no query.',
  async (path) => {
    const answer = await call(`${unbound.url}${path}`, { headers: { authorization: 'Bearer nonsense' } });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
    expect(codeOf(await call(`${unbound.url}${path}?x`))).toBe('QUERY_NOT_ALLOWED');
  },
);

it('The service serves the bytes of the frozen machine contracts, and the bound one only with a context.', async () => {
  const read = ({ url }: Harness, path: string) => call(`${url}${path}`);
  for (const version of ['4.0', '4.1'] as const) {
    const { text, headers } = await read(unbound, `${MACHINE_CONTRACTS_PATH}/${version}.json`);
    expect(sha256Digest(new TextEncoder().encode(text))).toBe(MACHINE_CONTRACT_DIGESTS[version]);
    expect(headers.get('etag')).toBe(`"${MACHINE_CONTRACT_DIGESTS[version]}"`);
  }
  expect((await read(bound, MACHINE_CONTRACT_PATH)).text).toBe(
    (await read(bound, `${MACHINE_CONTRACTS_PATH}/4.1`)).text,
  );
  expect((await read(bound, `${MACHINE_CONTRACTS_PATH}/4.0.json`)).text).toBe(
    (await read(bound, `${MACHINE_CONTRACTS_PATH}/4.0`)).text,
  );
  const nowhere = ['4.2', '41', '4.2.json', '4.0.json.json', '.json'].map(
    (name) => `${MACHINE_CONTRACTS_PATH}/${name}`,
  );
  for (const path of [...nowhere, MACHINE_CONTRACT_PATH])
    expect([path, codeOf(await read(unbound, path))]).toEqual([path, 'NOT_FOUND']);
});

it('The service binds one machine contract in readiness and discovery, and serves it under its digest for ever.', async () => {
  const sha256 = MACHINE_CONTRACT_DIGESTS['4.1'];
  const openApi = { path: MACHINE_CONTRACT_PATH, sha256 };
  const state = { ...RELEASE_EXAMPLE, bound: { ...RELEASE_EXAMPLE.bound!, openApi } };
  const gateway = await startHarness({
    beside: unbound,
    customLaunchRelease: { ...UNBOUND_RELEASE, state: () => state },
  });
  try {
    const { v4 } = (await discovery(gateway)).customLaunchApi.versions;
    const readiness = launchReadinessSchema.parse((await call(`${gateway.url}${launchReportPath('readiness')}`)).json);
    expect([v4, readiness]).toMatchObject(Array(2).fill({ openApiUrl: openApi.path, openApiSha256: sha256 }));
    const hex = sha256.slice('sha256:'.length);
    const [current, byDigest] = await Promise.all([
      call(`${gateway.url}${v4.openApiUrl}`),
      call(`${gateway.url}${MACHINE_CONTRACT_DIGESTS_PATH}/${hex}`),
    ]);
    expect(sha256Digest(new TextEncoder().encode(current.text))).toBe(sha256);
    expect(byDigest.text).toBe(current.text);
    expect([byDigest.headers.get('etag'), byDigest.headers.get('cache-control')]).toEqual([
      `"${sha256}"`,
      'public, max-age=31536000, immutable',
    ]);
    for (const name of ['0'.repeat(64), `sha256:${hex}`, hex.toUpperCase(), hex.slice(1)])
      expect([name, codeOf(await call(`${gateway.url}${MACHINE_CONTRACT_DIGESTS_PATH}/${name}`))]).toEqual([
        name,
        'NOT_FOUND',
      ]);
  } finally {
    await gateway.close();
  }
});
