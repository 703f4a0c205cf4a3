import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Server, ServerCredentials, status, type sendUnaryData } from '@grpc/grpc-js';
import { connectTemporalLazily, type TemporalClient } from './connection.js';

const METHOD = '/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace';
const same = (bytes: Buffer): Buffer => bytes;

const server = new Server();
let target: { address: string; namespace: string };
let attempts = 0;
/** Called with each attempt, before the client has the server's response. */
let onAttempt: () => void = () => undefined;

beforeAll(async () => {
  server.addService(
    {
      describeNamespace: {
        path: METHOD,
        requestStream: false,
        responseStream: false,
        requestSerialize: same,
        requestDeserialize: same,
        responseSerialize: same,
        responseDeserialize: same,
      },
    },
    {
      describeNamespace: (_call: unknown, answer: sendUnaryData<Buffer>) => {
        attempts += 1;
        onAttempt();
        answer({ code: status.UNAVAILABLE, details: 'not now' });
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  target = { address: `127.0.0.1:${port}`, namespace: 'default' };
});
afterAll(() => server.forceShutdown());

describe('a call on a closed connection', () => {
  it('rejects if the connection closes between two attempts, without an uncaught exception', async () => {
    const temporal: TemporalClient = connectTemporalLazily(target);
    const closed = new Promise<void>((resolve) => {
      onAttempt = () => resolve(temporal.close());
    });
    await expect(temporal.check()).rejects.toMatchObject({ code: status.CANCELLED });
    await closed;
    expect(attempts).toBe(1);
  });

  it('rejects if the connection closed before the call', async () => {
    const temporal = connectTemporalLazily(target);
    await temporal.close();
    await expect(temporal.check()).rejects.toMatchObject({ code: status.CANCELLED });
  });
});
