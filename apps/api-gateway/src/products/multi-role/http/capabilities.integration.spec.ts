import { afterEach, describe, expect, it } from '@jest/globals';
import { canonicalJsonText } from '@launch/contracts/json';
import { commitContext } from '@launch/contracts/launch';
import { capabilitiesSchema } from '@launch/contracts/multi-role';
import { canonicalKeccak } from '@launch/contracts/primitives';
import { call, newKey } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { requestBytes, testContext, testRequest } from '../../../fixtures/test-request.js';
import { runSql } from '../../../fixtures/run-sql.js';

let gateway: Harness | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

describe('Capabilities', () => {
  it('publish the context, its commitments and its policy', async () => {
    gateway = await startHarness();
    const answer = await call(`${gateway.base}/capabilities`);
    const body = capabilitiesSchema.parse(answer.json);
    expect(answer.text).toBe(canonicalJsonText(answer.json));
    expect(body).toMatchObject({
      context: testContext(),
      contextCommitments: commitContext(testContext()),
      readiness: { status: 'ready', reasonCodes: [] },
      limits: { compileBudgetSeconds: 120 },
    });
    expect([body.routeId, body.routerProtocol]).toEqual([
      'custom-launch:create:multi-role-v2',
      'service.multi-role-launch-stamp-router.v2',
    ]);
    expect(body.runtimeInstructionPolicy).toEqual(testContext().profile.instructionPolicy);
    const openapi = body.documentation['openapi'] as { path: string; contentSha256: string };
    expect((await call(`${gateway.url}${openapi.path}`)).headers.get('etag')).toBe(`"${openapi.contentSha256}"`);
  });
});

describe('A release', () => {
  it('that was served stays available under its hash, unchanged', async () => {
    gateway = await startHarness();
    const { contextHash } = commitContext(testContext());
    const rows = await runSql<{ document: string }>(
      gateway.database,
      'SELECT document FROM release_context WHERE context_hash = $1',
      [contextHash],
    );
    expect(rows).toEqual([{ document: canonicalJsonText(testContext()) }]);
    expect(canonicalKeccak(JSON.parse(rows[0]?.document ?? ''))).toBe(contextHash);
    const rewrites = [
      `UPDATE release_context SET document = '{}'`,
      'DELETE FROM release_context',
      'TRUNCATE release_context CASCADE',
      'TRUNCATE launch CASCADE',
    ];
    for (const rewrite of rewrites) await expect(runSql(gateway.database, rewrite)).rejects.toThrow(/written once/);
    const again = `INSERT INTO release_context (context_hash, document) VALUES ($1, '{}') ON CONFLICT (context_hash) DO UPDATE SET document = '{}'`;
    await expect(runSql(gateway.database, again, [contextHash])).rejects.toThrow(/written once/);
    // A reservation keeps its own context under the same hash, also when the chain could not be read at the time.
    const { key } = await gateway.issueKey();
    expect(
      (await call(gateway.base, { key, body: requestBytes(testRequest()), headers: { 'idempotency-key': newKey() } }))
        .status,
    ).toBe(202);
    expect(await runSql(gateway.database, 'SELECT context_hash, document FROM release_context')).toEqual([
      { context_hash: contextHash, document: canonicalJsonText(testContext()) },
    ]);
    const next = testContext({
      runtimeRelease: {
        schemaVersion: 'service.multi-role-runtime-release-instance.v2',
        sourceCommit: '1'.repeat(40),
        sourceTree: '2'.repeat(40),
      },
    });
    const later = await startHarness({ beside: gateway, context: next });
    try {
      expect((await call(`${later.base}/capabilities`)).json.contextCommitments.contextHash).toBe(
        commitContext(next).contextHash,
      );
      const kept = await runSql<{ context_hash: string }>(gateway.database, 'SELECT context_hash FROM release_context');
      expect(kept.map(({ context_hash }) => context_hash).sort()).toEqual(
        [contextHash, commitContext(next).contextHash].sort(),
      );
    } finally {
      await later.close();
    }
  });
});
