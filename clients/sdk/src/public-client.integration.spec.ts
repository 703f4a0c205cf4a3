import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sha256Digest } from '@launch/contracts/primitives';
import { verificationOf } from '@launch/evm/sources';
import { recordedAnswer } from '../../core/src/fixtures/recorded-answers.fixture.js';
import { AnsweringServer, json } from '../../multi-role/src/fixtures/answering-server.fixture.js';
import { judged } from '../../../libs/evm/src/sources/fixtures/source-case.fixture.js';
import { foundationCase } from '../../../libs/evm/src/sources/module-foundation/foundation.case.fixture.js';
import { failureOf, pathsOf } from './fixtures/failures.fixture.js';
import { createPublicClient } from './public.js';

const service = new AnsweringServer();
let baseUrl: string;
beforeAll(async () => {
  baseUrl = await service.start();
});
afterAll(() => service.stop());

describe('The public client', () => {
  it('reads a feed without a key, and refuses the launch of another token', async () => {
    const { launch: indexed } = recordedAnswer<{ launch: { tokenAddress: string; chainId: 4663 } }>('getIndexedLaunch');
    const answer = json(200, recordedAnswer('getIndexedLaunch'));
    service.answer = answer;
    const client = createPublicClient({ baseUrl });
    const { chainId, tokenAddress } = indexed;
    expect(await client.indexedLaunch(chainId, tokenAddress.toUpperCase().replace('0X', '0x'))).toMatchObject({
      launch: indexed,
    });
    const other = `0x${'9'.repeat(40)}`;
    expect((await failureOf(client.indexedLaunch(chainId, other))).code).toBe('RESPONSE_NOT_OF_REQUEST');
  });

  it('reads the developer feed, whose launches are of Ethereum', async () => {
    const [one, page] = [recordedAnswer<any>('getDeveloperLaunch'), recordedAnswer<any>('listDeveloperLaunches')];
    service.answer = (response, request) =>
      json(200, request.url.includes('/launches/1/') ? one : page)(response, request);
    const client = createPublicClient({ baseUrl });
    expect(await client.developerLaunch(one.launch.tokenAddress)).toEqual(one);
    expect(await client.developerLaunches()).toEqual(page);
    const repeated = { ...page, items: [page.items[0], page.items[0]] };
    service.answer = json(200, repeated);
    expect(pathsOf(await failureOf(client.developerLaunches({ limit: 1 })))).toEqual([
      '/items',
      '/items/1/verificationDigest',
    ]);
    service.answer = json(200, { ...page, items: [{ ...page.items[0], chainId: 4663 }] });
    expect(pathsOf(await failureOf(client.developerLaunches()))).toEqual(['/items/0/chainId']);
  });

  it('refuses evidence with other bytes than its digest names', async () => {
    const client = createPublicClient({ baseUrl });
    const one = foundationCase('V3');
    const { evidence } = verificationOf({ ...one, ...judged(one) });
    service.answer = json(200, evidence);
    const digest = sha256Digest(Buffer.from(JSON.stringify(evidence))).slice('sha256:'.length);
    const onchainLaunchId = `0x${'1'.repeat(64)}`;
    expect(await client.ethereumLaunchEvidence(onchainLaunchId, digest)).toEqual(evidence);
    const other = await failureOf(client.ethereumLaunchEvidence(onchainLaunchId, '0'.repeat(64)));
    expect(other.code).toBe('RESPONSE_NOT_OF_REQUEST');
  });

  it('refuses a page of another chain, and a record that contradicts itself', async () => {
    const client = createPublicClient({ baseUrl });
    service.answer = json(200, recordedAnswer('listIndexedLaunches'));
    expect(pathsOf(await failureOf(client.indexedLaunches({ chainId: 1 })))).toEqual(['/items/0/chainId']);
    for (const [operation, read] of [
      ['listFinalizedCustomLaunches', () => client.finalizedCustomLaunches()],
      ['listFinalizedEthereumLaunches', () => client.finalizedEthereumLaunches()],
    ] as const) {
      const page = recordedAnswer<any>(operation);
      service.answer = json(200, page);
      expect(await read()).toEqual(page);
      page.items[0].evidence.path = '//elsewhere.example';
      service.answer = json(200, page);
      expect(pathsOf(await failureOf(read()))).toEqual(['/items/0/evidence/path']);
    }
  });
});
