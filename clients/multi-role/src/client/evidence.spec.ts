import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type FinalityEvidence, MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { canonicalSha256, sha256Digest } from '@launch/contracts/primitives';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnsweringServer, json } from '../fixtures/answering-server.fixture.js';
import { temporaryFolder } from '../fixtures/bundle.fixture.js';
import { FIXTURE_LAUNCH_ID, fixtureLaunch, fixtureWallet } from '../fixtures/launch-answers.fixture.js';
import { runClient, type ClientRun } from './client.cli.js';

const root = temporaryFolder();
const server = new AnsweringServer();
let origin: string;
let saved: string;
const evidence = (...more: string[]): Promise<ClientRun> =>
  runClient(['evidence', '--launch-id', FIXTURE_LAUNCH_ID, ...more], {
    SERVICE_API_BASE_URL: origin,
    SERVICE_API_KEY: 'a-key',
  });

beforeAll(async () => {
  origin = await server.start();
});
beforeEach(() => {
  server.seen.length = 0;
  saved = join(mkdtempSync(join(root.path, 'evidence-')), 'evidence.json');
});
afterAll(async () => {
  await server.stop();
  root.remove();
});

/** Returns a bundle as the service might send it, with white space that serializing again would lose. */
function bundle(more: Partial<FinalityEvidence> = {}): string {
  const launch = fixtureLaunch(Buffer.from('{}'));
  const handoff = fixtureWallet(launch);
  const { launchId, onchainLaunchId, requestSha256, requestHash, contextHash, artifactHash } = launch;
  const document: FinalityEvidence = {
    schemaVersion: 'service.multi-role-finality-evidence.v2',
    launch: {
      launchId,
      onchainLaunchId,
      requestSha256,
      requestHash,
      contextHash,
      artifactHash,
      permitDigest: handoff.permitDigest,
      handoffSha256: canonicalSha256(handoff),
    },
    finalityPolicyId: launch.context.providerProfile.finalityPolicyId,
    context: launch.context,
    handoff,
    outcome: 'finalized',
    conclusion: { transactionHash: null, inclusion: null, posting: null, checkpoint: null },
    observedAt: '2026-01-01T00:00:00.000Z',
    exchanges: [],
    proofs: null,
    ...more,
  };
  return JSON.stringify(document, null, 1);
}

const answering = (text: string, etag = `"${sha256Digest(Buffer.from(text))}"`) => json(200, text, { etag });

describe('evidence', () => {
  it("keeps the bundle's exact bytes and prints its address, not the bundle", async () => {
    const text = bundle();
    server.answer = answering(text);
    const run = await evidence('--save-response', saved);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(server.seen[0]).toMatchObject({
      method: 'GET',
      url: `${MULTI_ROLE_BASE_PATH}/${FIXTURE_LAUNCH_ID}/finality/evidence`,
      headers: { authorization: 'Bearer a-key' },
    });
    expect(readFileSync(saved, 'utf8')).toBe(text);
    const printed = JSON.parse(run.stdout);
    expect(printed).toMatchObject({
      command: 'evidence',
      responseSaved: true,
      response: {
        contentSha256: sha256Digest(Buffer.from(text)),
        byteLength: text.length,
        outcome: 'finalized',
        launch: { launchId: FIXTURE_LAUNCH_ID },
      },
    });
    expect(printed.response).not.toHaveProperty('exchanges');
  });

  it.each<[string, () => ReturnType<typeof json>, string]>([
    [
      'another launch',
      () =>
        answering(
          bundle({ launch: { ...JSON.parse(bundle()).launch, launchId: '3f2b8a4e-0000-4000-8000-000000000009' } }),
        ),
      '/launch/launchId',
    ],
    ['other bytes than its entity tag', () => answering(bundle(), `"sha256:${'0'.repeat(64)}"`), '/etag'],
    ['no entity tag', () => json(200, bundle()), '/etag'],
    ['an unknown field', () => answering(bundle({ extra: 1 } as never)), ''],
  ])('keeps none of %s (exit 10)', async (_title, answer, path) => {
    server.answer = answer();
    const run = await evidence('--save-response', saved);
    expect(run).toMatchObject({ exitCode: 10, stdout: '' });
    expect(JSON.parse(run.stderr).findings.map((finding: { path: string }) => finding.path)).toContain(path);
    expect(existsSync(saved)).toBe(false);
  });

  it('needs a file to keep it in', async () => {
    expect((await evidence()).exitCode).toBe(2);
    expect(server.seen).toHaveLength(0);
  });
});
