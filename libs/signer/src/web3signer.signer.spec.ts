import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { encodingOf } from './fixtures/signer-contract.fixture.js';
import { startWeb3Signer, type Web3SignerServer } from './fixtures/web3signer-server.fixture.js';
import { createWeb3Signer } from './index.js';

const KEY = Buffer.alloc(32, 0x42);

let remote: Web3SignerServer;
beforeEach(async () => {
  remote = await startWeb3Signer(KEY);
});
afterEach(() => remote.close());

describe('A key behind Web3Signer', () => {
  it('is asked again after failures, and only a bounded number of times', async () => {
    const signer = await createWeb3Signer(remote);
    for (const status of [429, 500, 503]) {
      Object.assign(remote.state, { status, failing: 2 });
      await signer.signPermit(encodingOf(1));
    }
    expect(remote.seen.signing).toBe(9);
    remote.state.failing = 1_000;
    await expect(signer.signPermit(encodingOf(1))).rejects.toMatchObject({
      code: 'SIGNER_UNAVAILABLE',
      retryable: true,
      message: 'SIGNER_UNAVAILABLE: HTTP 503',
    });
    expect(remote.seen.signing).toBe(12);
  });

  it('is reported once it is no longer loaded, and signs again when it is', async () => {
    const signer = await createWeb3Signer(remote);
    remote.state.isOffered = false;
    await expect(signer.check()).rejects.toMatchObject({ code: 'SIGNER_REFUSED', retryable: true });
    await expect(signer.signPermit(encodingOf(1))).rejects.toMatchObject({ message: 'SIGNER_REFUSED: HTTP 404' });
    await expect(createWeb3Signer(remote)).rejects.toMatchObject({ code: 'SIGNER_REFUSED' });
    expect(remote.seen.signing).toBe(1);
    remote.state.isOffered = true;
    await signer.check();
    await signer.signPermit(encodingOf(1));
  });

  it('is reported unavailable when the signer does not answer in time, or not at all', async () => {
    const signer = await createWeb3Signer({ ...remote, timeoutMs: 200 });
    remote.state.isSilent = true;
    await expect(signer.signPermit(encodingOf(1))).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' });
    await expect(signer.check()).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' });
    await remote.close();
    await expect(signer.check()).rejects.toMatchObject({ message: 'SIGNER_UNAVAILABLE: ECONNREFUSED' });
    remote = await startWeb3Signer(KEY);
  });

  it.each([
    ['no text', ''],
    ['another text', 'signed'],
    ['a signature of another digest', `0x${'11'.repeat(64)}1b`],
    ['a signature of zeros', `0x${'00'.repeat(65)}`],
  ])('gives no permit for %s', async (_name, answer) => {
    const signer = await createWeb3Signer(remote);
    remote.state.answer = answer;
    await expect(signer.signPermit(encodingOf(1))).rejects.toMatchObject({ code: 'SIGNER_SIGNATURE_WRONG' });
  });

  it('gives no permit for an answer that is too long', async () => {
    const signer = await createWeb3Signer(remote);
    remote.state.answer = '0'.repeat(100_000);
    await expect(signer.signPermit(encodingOf(1))).rejects.toMatchObject({
      message: 'SIGNER_UNAVAILABLE: answer too long',
    });
  });

  it.each(['', '0x', 'f'.repeat(127), `04${'f'.repeat(128)}`, 'f'.repeat(128), 'g'.repeat(128)])(
    'is refused under the public key %s',
    async (publicKey) => {
      await expect(createWeb3Signer({ ...remote, publicKey })).rejects.toMatchObject({ code: 'SIGNER_KEY_INVALID' });
    },
  );

  it('shows neither hosts nor texts of the signer in errors', async () => {
    const signer = await createWeb3Signer(remote);
    Object.assign(remote.state, { status: 500, failing: 1_000 });
    const error: unknown = await signer.signPermit(encodingOf(1)).catch((failure: unknown) => failure);
    expect(inspect(error, { depth: 10 })).not.toMatch(/10\.0\.0\.7|127\.0\.0\.1/);
  });
});
