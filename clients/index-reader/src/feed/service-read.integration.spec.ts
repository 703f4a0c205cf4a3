import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { verificationPathOf } from '@launch/contracts/index';
import { sha256Digest } from '@launch/contracts/primitives';
import { failureOf } from '../command/command.error.js';
import { documentFault } from '../coin/verify-record.js';
import { ServiceRead } from './service-read.js';

let server: Server | undefined;
afterEach(async () => {
  await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  server = undefined;
});

async function serving(answer: RequestListener): Promise<ServiceRead> {
  const listening = (server = createServer(answer));
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return new ServiceRead(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`, 10_000);
}

/** Returns the failure line of a read that the service answers like this. */
async function failureFor(status: number, headers: Record<string, string>, body: string): Promise<object> {
  const service = await serving((_, response) => void response.writeHead(status, headers).end(body));
  try {
    await service.get('/api/indexers/v1/launches/4663/0x');
  } catch (error) {
    return failureOf(error);
  }
  throw new Error('the read succeeded');
}
const JSON_TYPE = { 'content-type': 'application/json' };
const bodyOf = (code: string, retryable: boolean): string =>
  JSON.stringify({ error: { code, retryable, findings: [] } });

describe('A read that the service refuses', () => {
  it('is retryable after the stated seconds while the index is not current.', async () => {
    const headers = { ...JSON_TYPE, 'retry-after': '7' };
    expect(await failureFor(503, headers, bodyOf('INDEX_NOT_CURRENT', true))).toMatchObject({
      exitCode: 4,
      failure: { code: 'INDEX_NOT_CURRENT', retryable: true, retryAfterSeconds: 7 },
    });
  });

  it('is final if the service says so, and unknown if an answer is not from the service.', async () => {
    expect(await failureFor(404, JSON_TYPE, bodyOf('NOT_FOUND', false))).toMatchObject({
      failure: { code: 'NOT_FOUND', retryable: false, retryAfterSeconds: null },
    });
    expect(await failureFor(503, { 'content-type': 'text/html' }, '<h1>busy</h1>')).toMatchObject({
      failure: { code: 'ANSWER_STATUS_UNKNOWN', retryable: false },
    });
  });
});

describe('The verification document of a record', () => {
  const document = '{"schemaVersion":"service.index-verification.v1"}';
  const digest = sha256Digest(Buffer.from(document));

  it.each([
    ['is served under its digest', document, null],
    ['has other bytes', `${document} `, { kind: 'refused', reason: 'RECORD_DIFFERS' }],
  ])('is checked by its hash where it %s', async (_what, body, fault) => {
    const service = await serving(({ url }, response) => {
      expect(url).toBe(verificationPathOf(digest));
      response.writeHead(200, JSON_TYPE).end(body);
    });
    const found = await documentFault(service, digest);
    if (fault === null) expect(found).toBeNull();
    else expect(found).toMatchObject(fault);
  });

  it('is missing where the service does not have it, and unknown where it cannot answer.', async () => {
    const missing = await serving(
      (_, response) => void response.writeHead(404, JSON_TYPE).end(bodyOf('NOT_FOUND', false)),
    );
    expect(await documentFault(missing, digest)).toMatchObject({ kind: 'indeterminate' });
    await new Promise((resolve) => server!.close(resolve));
    const busy = await serving(
      (_, response) => void response.writeHead(503, JSON_TYPE).end(bodyOf('SERVICE_UNAVAILABLE', true)),
    );
    await expect(documentFault(busy, digest)).rejects.toMatchObject({ retryable: true });
  });
});
