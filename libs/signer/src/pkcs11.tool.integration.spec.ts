import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createScriptedTool, type ScriptedTool } from './fixtures/scripted-tool.fixture.js';
import { encodingOf } from './fixtures/signer-contract.fixture.js';
import { createPkcs11Signer } from './index.js';

const ENCODING = encodingOf(1);
/** Long enough to start a process on a machine under load. */
const SHORT_MS = 3_000;

let tool: ScriptedTool;
beforeEach(async () => {
  tool = await createScriptedTool(ENCODING);
});
afterEach(() => tool.close());
const logins = async (): Promise<number> => (await tool.calls()).filter((args) => args.includes('--login')).length;

describe('A tool of PKCS#11', () => {
  it('that hangs is killed with the processes that it started, and the next signature is made', async () => {
    const signer = await createPkcs11Signer({ ...tool.options, timeoutMs: SHORT_MS });
    const pids = path.join(tool.dir, 'pids');
    await tool.signsBy(`sleep 600 &\necho $$ $! > ${pids}\nwait`);
    const [first, second] = [signer.signPermit(ENCODING), signer.signPermit(ENCODING)];
    await expect(first).rejects.toMatchObject({ message: 'SIGNER_UNAVAILABLE: tool timed out', retryable: true });
    await expect(second).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' });
    expect(await logins()).toBe(1);
    for (const pid of (await readFile(pids, 'utf8')).trim().split(' ')) await ended(Number(pid));
    await tool.signsBy(`cat ${path.join(tool.dir, 'signature')}`);
    await signer.signPermit(ENCODING);
  });

  it('that is killed is an outage', async () => {
    const signer = await createPkcs11Signer(tool.options);
    await tool.signsBy('kill -9 $$');
    await expect(signer.signPermit(ENCODING)).rejects.toMatchObject({ message: 'SIGNER_UNAVAILABLE: tool killed' });
  });

  it.each([
    ['no bytes', 'true'],
    ['too few bytes', 'printf abc'],
    ['a message', 'echo "Logging in to permits."'],
    ['another signature', 'head -c 64 /dev/zero'],
    ['random bytes', 'head -c 64 /dev/urandom'],
  ])('that prints %s gives no permit', async (_name, script) => {
    const signer = await createPkcs11Signer(tool.options);
    await tool.signsBy(script);
    await expect(signer.signPermit(ENCODING)).rejects.toMatchObject({ code: 'SIGNER_SIGNATURE_WRONG' });
  });

  it('that prints without end is killed', async () => {
    const signer = await createPkcs11Signer(tool.options);
    await tool.signsBy('cat /dev/zero');
    const message = 'SIGNER_UNAVAILABLE: answer too long';
    await expect(signer.signPermit(ENCODING)).rejects.toMatchObject({ message });
    await tool.signsBy('cat /dev/zero >&2 & sleep 0.1; kill $!; exit 1');
    await expect(signer.signPermit(ENCODING)).rejects.toMatchObject({ message: 'SIGNER_UNAVAILABLE: tool failed' });
  });

  it.each([
    ['CKR_PIN_LOCKED (0xa4)', 'SIGNER_REFUSED: CKR_PIN_LOCKED', 1],
    ['CKR_GENERAL_ERROR (0x5)', 'SIGNER_REFUSED: CKR_GENERAL_ERROR', 1],
    ['unknown PKCS11 error (0x80000001)', 'SIGNER_REFUSED: login failed', 1],
    ['CKR_DEVICE_ERROR (0x30)', 'SIGNER_UNAVAILABLE: CKR_DEVICE_ERROR', 2],
    ['CKR_TOKEN_NOT_PRESENT (0xe0)', 'SIGNER_UNAVAILABLE: CKR_TOKEN_NOT_PRESENT', 2],
  ])('whose login fails with %s gives %s after two permits and %i logins', async (failure, message, count) => {
    const signer = await createPkcs11Signer(tool.options);
    await tool.signsBy(`echo "error: PKCS11 function C_Login failed: rv = ${failure}" >&2; exit 1`);
    for (const _permit of [1, 2]) await expect(signer.signPermit(ENCODING)).rejects.toMatchObject({ message });
    expect(await logins()).toBe(count);
  });

  it('is asked to sign with a PIN only while its token has more than one try left', async () => {
    const signer = await createPkcs11Signer(tool.options);
    for (const [flags, message] of [
      ['user PIN count low, final user PIN try', 'SIGNER_REFUSED: PIN has one try left'],
      ['user PIN locked', 'SIGNER_REFUSED: PIN locked'],
    ] as const) {
      await tool.flags(flags);
      await expect(signer.signPermit(ENCODING)).rejects.toMatchObject({ message, retryable: true });
      await expect(signer.check()).rejects.toMatchObject({ message });
    }
    expect(await logins()).toBe(0);
    await tool.flags('user PIN count low');
    await signer.check();
    await signer.signPermit(ENCODING);
    expect(await logins()).toBe(1);
  });

  it('is not used with two tokens of one label', async () => {
    const signer = await createPkcs11Signer({ ...tool.options });
    await tool.flags('PIN initialized\nSlot 2 (0x3): Three\n  token label        : permits');
    await expect(signer.signPermit(ENCODING)).rejects.toMatchObject({ message: 'SIGNER_REFUSED: token ambiguous' });
    expect(await logins()).toBe(0);
  });

  it.each(['', '1234\n5678', `12\u000034`, '9'.repeat(256)])('is not started with the PIN %j', async (pin) => {
    const error: unknown = await createPkcs11Signer({ ...tool.options, pin }).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'SIGNER_PIN_INVALID', message: 'SIGNER_PIN_INVALID' });
    expect(await tool.calls()).toEqual(['']);
  });
});

/** Resolves once a process has ended. */
async function ended(pid: number): Promise<void> {
  for (let left = 1_000; left > 0; left -= 1) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
    if (stat.replace(/^.*\)/s, '').trim().startsWith('Z')) return;
    await sleep(20);
  }
  throw new Error(`process ${pid} still runs`);
}
