import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  BASE,
  PATIENCE_MS,
  PUBLISHED,
  sha256,
  signAndSend,
  SpecClient,
  type Json,
} from '../fixtures/spec-client.fixture.js';
import { withOwnController, type E2eStack } from '../stacks/own-stack.js';

const ROUTE_ID = 'custom-launch:create:multi-role-v2';

let stack: E2eStack;
let client: SpecClient;
let folder: string;
/** The first launch's original response, as its launcher keeps it. */
let original: Json;

/** A client that has the description and nothing of the implementation. Its stack has no earlier launches. */
export function specOnlyClient(stackOf: () => E2eStack): void {
  beforeAll(async () => {
    stack = await withOwnController(stackOf());
    folder = await mkdtemp(path.join(tmpdir(), 'spec-client-'));
    client = new SpecClient(
      stack.gateway,
      await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] }),
      folder,
    );
  }, PATIENCE_MS);

  it(
    'a client written from the description alone takes a launch from discovery to its public record',
    async () => {
      const { privateKeyFile, address: wallet } = stack.stack.controller!;
      const rpc = stack.stack.rpc['4663'][0] as string;

      // Discovery, and the files of the same deployment revision.
      const { context, documentation, contextCommitments } = await client.discover();
      expect([context.chainId, context.caip2, documentation.requestPackaging.status]).toEqual([
        '4663',
        'eip155:4663',
        'published',
      ]);
      const files: Record<string, Buffer> = {};
      for (const [entry, name] of Object.entries(PUBLISHED))
        files[entry] = await client.download(name, documentation[entry]);
      expect(files['guide']!.toString()).toContain(ROUTE_ID);

      // Packed offline: the report agrees with the bytes.
      const packed = await client.pack(wallet);
      const request = JSON.parse(packed.bytes.toString()) as Json;
      const digest = sha256(packed.bytes);
      expect(packed.report).toMatchObject({
        schemaVersion: 'service.multi-role-request-pack-report.v2',
        requestSha256: `sha256:${digest}`,
        idempotencyKey: `mr-v2-${digest}`,
        byteLength: packed.bytes.length,
        productionAuthority: false,
        walletSigning: false,
        compilerExecution: 'required-on-server',
      });
      expect(request).toMatchObject({
        schemaVersion: 'service.multi-role-custom-launch-create-request.v2',
        context,
        contextCommitments,
        launchWallet: wallet,
      });

      // Preflight recognises and promises nothing.
      const preflight = await client.ask('POST', '/preflight', { body: packed.bytes });
      expect([preflight.status, preflight.json]).toMatchObject([
        200,
        {
          schemaVersion: 'service.multi-role-custom-launch-preflight.v2',
          source: { disposition: 'source_supported', findingCodes: [] },
          readiness: 'independent-admission-required',
          permitSigned: false,
          walletTransactionProduced: false,
          transactionBroadcast: false,
        },
      ]);
      expect((await client.ask('GET', '/')).json['items']).toEqual([]);

      // Reserved; the Location leads to the hand-off.
      const created = await client.create(packed);
      expect(created.status).toBe(202);
      const location = created.headers.get('location') as string;
      const { launchId } = created.json;
      expect([location, launchId]).toEqual([
        `${BASE}/${launchId}`,
        expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      ]);
      const admitted = await client.poll(location, (launch) => {
        if (launch['status'] === 'action_required' || launch['status'] === 'failed')
          throw new Error(JSON.stringify(launch['findings']));
        return launch['wallet'] !== null;
      });
      expect(admitted['sourceAssessment']).toMatchObject({
        schemaVersion: 'service.multi-role-source-assessment.v2',
        disposition: 'source_supported',
        productionAuthority: false,
      });

      original = admitted;

      // Bound to this request, this context and these artifacts, and to this wallet and router.
      const { walletTransaction, ...bindings } = admitted['wallet'];
      const { requestSha256, requestHash, contextHash, artifactHash } = packed.report;
      expect(bindings).toMatchObject({ requestSha256, requestHash, contextHash, artifactHash });
      expect([contextHash, admitted['context']]).toEqual([contextCommitments.contextHash, context]);
      expect(walletTransaction).toMatchObject({
        from: wallet,
        to: context.chainBindings.router,
        chainId: '4663',
        value: '0',
        data: expect.stringMatching(/^0x[0-9a-f]{8,}$/),
      });

      // An exact replay is the same launch with the same transaction.
      const replayed = await client.create(packed);
      expect([
        replayed.status,
        replayed.headers.get('location'),
        replayed.json['launchId'],
        replayed.json['wallet'],
      ]).toEqual([200, location, launchId, admitted['wallet']]);

      // The wallet signs and sends; the hint asserts nothing.
      const transactionHash = await signAndSend(privateKeyFile, rpc, walletTransaction);
      const hint = Buffer.from(
        JSON.stringify({ schemaVersion: 'service.multi-role-transaction-hint.v2', transactionHash }),
      );
      expect((await client.ask('POST', `/${launchId}/transaction-hints`, { body: hint })).status).toBe(202);
      expect(await client.generation(admitted)).toBe('v2');
      const finality = await client.poll(`${location}/finality`, ({ state }) => state === 'ethereum_finalized');
      expect(finality).toMatchObject({
        schemaVersion: 'service.multi-role-finality-status.v2',
        launchId,
        transactionHash,
        finalizedAt: expect.any(String),
      });
      const finalized = await client.poll(location, ({ status }) => status === 'finalized');
      expect(finalized).toMatchObject({
        launchId,
        wallet: admitted['wallet'],
        finality: { state: 'ethereum_finalized' },
      });

      // The public record, in the feed and by its on-chain id, and the image by its digest.
      const feed = await client.ask('GET', '/finalized?limit=1', { open: true });
      expect([feed.status, feed.json]).toMatchObject([
        200,
        {
          schemaVersion: 'service.multi-role-finalized-metadata-list.v2',
          items: [{ apiLaunchId: launchId }],
          nextCursor: null,
        },
      ]);
      const { onchainLaunchId } = feed.json['items'][0];
      const record = await client.ask('GET', `/finalized/${onchainLaunchId}`, { open: true });
      expect([record.status, record.json]).toMatchObject([
        200,
        {
          schemaVersion: 'service.multi-role-finalized-metadata.v2',
          apiLaunchId: launchId,
          onchainLaunchId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          caip2: 'eip155:4663',
          sourcePublication: { sourcify: 'not_verified', blockExplorer: 'not_verified' },
          indexerPublication: 'not_claimed',
        },
      ]);
      expect(record.json).toEqual(feed.json['items'][0]);
      const { market, components, image } = record.json;
      expect([market.token, market.hook]).toEqual([components[0].account, components[0].account]);
      expect(components[0]).toEqual({
        account: request['graphBundle'].components[0].predictedAddress,
        roleMask: 3,
        runtimeCodeHash: expect.any(String),
        scope: 0,
        resultIndex: 0,
      });
      // Its whole content and nothing else: the project's own statements and their origin, without a signature or source.
      const text = record.bytes.toString();
      const { inclusion, posting } = finality as Json;
      for (const said of [
        requestHash,
        artifactHash,
        contextHash,
        transactionHash,
        inclusion.blockHash,
        posting.batchTransactionHash,
        finality['finalizedAt'],
      ])
        expect(text).toContain(said);
      expect(record.json['projectMetadata']).toEqual(request['projectMetadata']);
      const { standardJsonInputBase64 } = request['compilerVerification'].compilationUnits[0];
      // The permit's signature is last in the calldata, padded to whole words.
      const signature = walletTransaction.data.slice(-192, -128);
      for (const kept of [
        standardJsonInputBase64.slice(0, 64),
        'pragma solidity',
        request['graphBundle'].components[0].creationBytecode.slice(2, 66),
        signature,
      ])
        expect([kept, text.includes(kept)]).toEqual([kept, false]);
      const picture = await client.ask(
        'GET',
        `/finalized/${onchainLaunchId}/image/${image.sha256.slice('sha256:'.length)}`,
        { open: true },
      );
      expect([picture.status, `sha256:${sha256(picture.bytes)}`]).toEqual([
        200,
        request['projectMetadata'].image.sha256,
      ]);

      // A second launch, and the list page by page, newest first.
      const second = await client.create(await client.pack(wallet));
      expect(second.status).toBe(202);
      const first = await client.ask('GET', '/?limit=1');
      expect(first.json['items']).toMatchObject([{ launchId: second.json['launchId'] }]);
      const next = await client.ask('GET', `/?limit=1&cursor=${encodeURIComponent(first.json['nextCursor'])}`);
      expect([next.status, next.json]).toMatchObject([
        200,
        { items: [{ launchId, status: 'finalized' }], nextCursor: null },
      ]);

      // Long after its end, the same bytes and key still return their launch.
      const late = await client.create(packed);
      expect([late.status, late.json]).toEqual([200, finalized]);
    },
    2 * PATIENCE_MS,
  );
}

/** Continues after `specOnlyClient`, once the deployment has published a V3 context. There is no earlier V3 launch. */
export function specOnlyClientOfV3(): void {
  afterAll(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it(
    'the same client follows an inventory launch on the V3 routes that its original response selects, and the earlier launch on V2',
    async () => {
      const { privateKeyFile, address: wallet } = stack.stack.controller!;
      // Discovered anew; built by the published builder from a published project; an ordinary request with the packer's report.
      const { context, contextCommitments } = await client.discover();
      const built = await client.build(wallet, 'cedar', context);
      const request = JSON.parse(built.bytes.toString()) as Json;
      expect(built.report).toMatchObject({
        schemaVersion: 'service.multi-role-request-pack-report.v2',
        requestSha256: `sha256:${sha256(built.bytes)}`,
        contextHash: contextCommitments.contextHash,
        productionAuthority: false,
        walletSigning: false,
      });
      const predicted = request['graphBundle'].components.map(
        (component: Json) => component['predictedAddress'],
      ) as string[];
      for (const address of predicted) expect(JSON.stringify(built.report)).toContain(address);

      const created = await client.create(built);
      expect(created.status).toBe(202);
      const location = created.headers.get('location') as string;
      const admitted = await client.poll(location, (launch) => {
        if (launch['status'] === 'action_required' || launch['status'] === 'failed')
          throw new Error(JSON.stringify(launch['findings']));
        return launch['wallet'] !== null;
      });
      const {
        launchId,
        wallet: { walletTransaction },
      } = admitted as Json;
      expect(walletTransaction).toMatchObject({
        from: wallet,
        to: context.chainBindings.router,
        value: '10000000000000000',
      });

      // Selected by each launch's own context, never by the newer one.
      expect([await client.generation(original), await client.generation(admitted)]).toEqual(['v2', 'v3']);
      await expect(
        client.generation({
          ...admitted,
          context: { ...context, profile: { ...context.profile, derivedContractFinality: 'of.my-own.v3' } },
        }),
      ).rejects.toThrow('no known finality');

      const transactionHash = await signAndSend(
        privateKeyFile,
        stack.stack.rpc['4663'][0] as string,
        walletTransaction,
      );
      const hint = (version: string): Buffer =>
        Buffer.from(
          JSON.stringify({ schemaVersion: `service.multi-role-transaction-hint.${version}`, transactionHash }),
        );
      expect((await client.ask('POST', `/${launchId}/transaction-hints`, { body: hint('v2') })).status).toBe(422);
      expect((await client.ask('POST', `/${launchId}/transaction-hints-v3`, { body: hint('v3') })).status).toBe(202);
      const finality = await client.poll(`${location}/finality-v3`, ({ state }) => state === 'ethereum_finalized');
      expect(finality).toMatchObject({
        schemaVersion: 'service.multi-role-finality-status.v3',
        launchId,
        transactionHash,
        finalizedAt: expect.any(String),
      });
      expect((await client.ask('GET', `${location}/finality`)).status).toBe(404);
      expect((await client.ask('GET', `/${original['launchId']}/finality`)).json).toMatchObject({
        schemaVersion: 'service.multi-role-finality-status.v2',
        state: 'ethereum_finalized',
      });

      // The public record of three contracts, in the V3 feed alone.
      const feed = await client.ask('GET', '/finalized-v3', { open: true });
      expect([feed.status, feed.json]).toMatchObject([
        200,
        {
          schemaVersion: 'service.multi-role-finalized-metadata-list.v3',
          items: [{ apiLaunchId: launchId }],
          nextCursor: null,
        },
      ]);
      const { onchainLaunchId } = feed.json['items'][0];
      const record = await client.ask('GET', `/finalized-v3/${onchainLaunchId}`, { open: true });
      expect([record.status, record.json]).toMatchObject([
        200,
        {
          schemaVersion: 'service.multi-role-finalized-metadata.v3',
          apiLaunchId: launchId,
          caip2: 'eip155:4663',
          indexerPublication: 'not_claimed',
        },
      ]);
      const { market, components, image } = record.json;
      const holder = (bit: number): string =>
        components.find(({ roleMask }: { roleMask: number }) => (roleMask & bit) !== 0).account;
      expect([market.token, market.hook]).toEqual([holder(1), holder(2)]);
      expect(market.token).not.toBe(market.hook);
      for (const address of predicted)
        expect(components).toContainEqual({
          account: address,
          roleMask: expect.any(Number),
          runtimeCodeHash: expect.any(String),
          scope: 0,
          resultIndex: expect.any(Number),
          derivation: null,
        });
      const picture = await client.ask(
        'GET',
        `/finalized-v3/${onchainLaunchId}/image/${image.sha256.slice('sha256:'.length)}`,
        { open: true },
      );
      expect([picture.status, `sha256:${sha256(picture.bytes)}`]).toEqual([
        200,
        request['projectMetadata'].image.sha256,
      ]);
      expect((await client.ask('GET', `/finalized/${onchainLaunchId}`, { open: true })).status).toBe(404);
    },
    2 * PATIENCE_MS,
  );
}
