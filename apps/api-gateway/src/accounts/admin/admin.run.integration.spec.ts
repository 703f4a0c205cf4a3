import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startHarness, type Harness } from '../../fixtures/gateway.harness.js';
import { readCommand } from './admin.command.js';
import { runCommand } from './admin.run.js';

const WALLET = `0x${'5'.repeat(40)}`;
let gateway: Harness;
beforeAll(async () => {
  gateway = await startHarness();
});
afterAll(() => gateway.close());

async function admin(line: string): Promise<{ output: string; found: boolean }> {
  const command = readCommand(line.split(' '));
  if (command.name === 'help') throw new TypeError('no command');
  return runCommand(gateway.credentials, command);
}
const json = async (line: string) => JSON.parse((await admin(`${line} --json`)).output) as Record<string, unknown>;

it('blocks a wallet whose key is revoked, says which keys of it still live, lists and unblocks it', async () => {
  const issue = () => json(`keys issue --wallet ${WALLET} --scopes custom-launch:read`);
  const [revoked, living] = [await issue(), await issue()];
  expect(await admin(`keys revoke --credential ${revoked['credentialId']}`)).toEqual({
    found: true,
    output: `revoked\n${WALLET} gets no key by signing in, until wallets unblock\nkeys of it that still live: ${living['credentialId']}\n`,
  });
  expect(await json('wallets list')).toEqual({
    wallets: [{ wallet: WALLET, blockedAt: expect.stringMatching(/Z$/), revokedCredential: revoked['credentialId'] }],
  });
  expect(await admin(`wallets block ${WALLET}`)).toEqual({
    found: true,
    output: `was blocked before\nkeys of it that still live: ${living['credentialId']}\n`,
  });
  expect(await admin(`wallets unblock ${WALLET}`)).toEqual({ found: true, output: 'unblocked\n' });
  expect(await admin(`wallets unblock ${WALLET}`)).toEqual({ found: false, output: 'this wallet is not blocked\n' });
  expect(await json(`wallets block ${WALLET}`)).toEqual({
    wallet: WALLET,
    blocked: true,
    livingKeys: [living['credentialId']],
  });
  expect((await admin('wallets list')).output).toMatch(new RegExp(`^${WALLET}  \\S+Z  by wallets block\n$`));
  expect(await json(`keys revoke --credential ${living['credentialId']}`)).toEqual({
    credentialId: living['credentialId'],
    revoked: true,
    blockedWallet: WALLET,
    livingKeys: [],
  });
  expect(await admin(`keys revoke --credential ${living['credentialId']}`)).toEqual({
    found: false,
    output: 'no such living credential\n',
  });
});

it("blocks nobody for a partner's key", async () => {
  const issued = await json(`keys issue --kind partner --wallets 0x${'6'.repeat(40)} --scopes custom-launch:read`);
  expect(await admin(`keys revoke --credential ${issued['credentialId']}`)).toEqual({
    found: true,
    output: 'revoked\n',
  });
  expect((await admin('wallets list')).output).not.toContain(`0x${'6'.repeat(40)}`);
});
