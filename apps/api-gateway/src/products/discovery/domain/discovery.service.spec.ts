import { beforeEach, describe, expect, it } from '@jest/globals';
import { sha256Digest } from '@launch/contracts/primitives';
import { discoverySchema, launchReportPath } from '@launch/contracts/reports';
import type { ContextService } from '../../../core/context/context.service.js';
import type { PublishedFiles } from '../../../core/downloads/published-files.js';
import { UNBOUND_RELEASE } from '../../../core/gates/custom-launch-release.js';
import type { GatesReading } from '../../../core/gates/launch-gates.service.js';
import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import { servedContext } from '../../../fixtures/served-context.js';
import { DiscoveryService } from './discovery.service.js';

const CLOSED = { publicAuthorization: false, publicWrites: false, releaseReady: false };
const OPEN = { publicAuthorization: true, publicWrites: true, releaseReady: true };
const OPENAPI = sha256Digest(Buffer.from('the description'));
const fileOf = (name: string) => {
  const bytes = Buffer.from(name);
  const contentSha256 = sha256Digest(bytes);
  return [name, { name, entry: name, mediaType: 'text/plain', summary: name, bytes, contentSha256 }] as const;
};

let contexts: ContextService;
let reading: GatesReading;
let nowMs: number;
beforeEach(async () => {
  contexts = await servedContext();
  reading = { gates: CLOSED, release: RELEASE_EXAMPLE, reasonCodes: [] };
  nowMs = 1_900_000_000_000;
});
const serving = (files: PublishedFiles = new Map(), paths: readonly string[] = []) =>
  new DiscoveryService(
    { read: async () => reading },
    contexts,
    { contentSha256: OPENAPI, routes: paths.map((path) => ({ path })) },
    files,
    { now: () => nowMs },
  );
const read = async (service: DiscoveryService) => {
  const { bytes, contentSha256 } = await service.document();
  expect(contentSha256).toBe(sha256Digest(bytes));
  return discoverySchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
};

describe('The discovery document', () => {
  it('shows the gates in the custom launches’ members and in both chain entries, and changes with them', async () => {
    const service = serving();
    for (const gates of [CLOSED, { ...CLOSED, publicWrites: true }, OPEN]) {
      reading = { ...reading, gates };
      const { versions, chains } = (await read(service)).customLaunchApi;
      expect(versions.v4).toMatchObject({ profile: '4.1.0', ...gates });
      expect(chains).toEqual([{ chainId: '4663', caip2: 'eip155:4663', ...gates }]);
      expect(versions.v4.chains).toEqual(chains);
    }
  });

  it('names no profile without a custom-launch context, and the context of multi-role launches', async () => {
    reading = { ...reading, release: UNBOUND_RELEASE.state() };
    const { v4, multiRoleV2 } = (await read(serving())).customLaunchApi.versions;
    expect([v4.profile, v4.openApiUrl, v4.platformFeePolicy.recipient]).toEqual([null, null, null]);
    expect(multiRoleV2).toMatchObject({
      contextHash: contexts.current!.commitments.contextHash,
      readiness: 'ready',
      openApiSha256: OPENAPI,
    });
  });

  it('keeps its bytes until its content changes or half its TTL has passed', async () => {
    const service = serving();
    const first = await service.document();
    nowMs += 29_999;
    reading = { ...reading };
    expect((await service.document()).bytes).toBe(first.bytes);
    reading = { ...reading, gates: OPEN };
    const changed = await read(service);
    expect(changed.issuedAt).toBe(new Date(nowMs).toISOString());
    nowMs += 30_000;
    expect({ ...(await read(service)), issuedAt: '' }).toEqual({ ...changed, issuedAt: '' });
    expect((await read(service)).issuedAt > changed.issuedAt).toBe(true);
  });

  it('names one revision for equal deployments, and another where other files are published', async () => {
    const revision = async (files?: PublishedFiles) => (await read(serving(files))).deploymentRevision;
    expect(await revision()).toBe(await revision());
    expect(await revision(new Map([fileOf('guide.md')]))).not.toBe(await revision());
  });

  it('describes the launch CLI only where its program and its manifest are published', async () => {
    const [program, manifest] = [fileOf('launch.mjs'), fileOf('launch-cli-release.json')];
    const launchCliOf = async (files: PublishedFiles) => (await read(serving(files))).clients.launchCli;
    expect(await launchCliOf(new Map([program]))).toBeNull();
    expect(await launchCliOf(new Map([program, manifest]))).toMatchObject({
      program: { contentSha256: program[1].contentSha256 },
      manifest: { contentSha256: manifest[1].contentSha256 },
    });
  });
});

it('The catalogue links to the readiness report only where it is served', () => {
  const readiness = launchReportPath('readiness');
  const catalogOf = (paths: readonly string[]) =>
    new TextDecoder().decode(serving(new Map(), paths).catalog().bytes).includes(readiness);
  expect([catalogOf([readiness]), catalogOf([])]).toEqual([true, false]);
});
