import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startHarness, type Harness } from '../../fixtures/gateway.harness.js';
import { runSql } from '../../fixtures/run-sql.js';
import { LaunchGatesRepository } from '../../core/gates/launch-gates.repository.js';
import { isGateCommand, isRecordCommand, isWorkerCommand, readCommand } from './admin.command.js';
import { runCommand, type Outcome } from './admin.run.js';
import { runGateCommand } from './gates.run.js';

const WALLET = `0x${'5'.repeat(40)}`;
let gateway: Harness;
beforeAll(async () => {
  gateway = await startHarness();
});
afterAll(() => gateway.close());

async function admin(line: string): Promise<Outcome> {
  const command = readCommand(line.split(' '));
  if (command.name === 'help') throw new TypeError('no command');
  if (isGateCommand(command)) return runGateCommand(new LaunchGatesRepository(gateway.database), command);
  if (isRecordCommand(command) || isWorkerCommand(command)) throw new TypeError('no command about keys');
  return runCommand(gateway.credentials, command);
}
const json = async (line: string) => JSON.parse((await admin(`${line} --json`)).output) as Record<string, unknown>;

it('launch-admin blocks a wallet when it revokes a key of it, names the keys that are still valid, lists and unblocks it.', async () => {
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

it('launch-admin blocks no wallet when it revokes the key of a partner.', async () => {
  const issued = await json(`keys issue --kind partner --wallets 0x${'6'.repeat(40)} --scopes custom-launch:read`);
  expect(await admin(`keys revoke --credential ${issued['credentialId']}`)).toEqual({
    found: true,
    output: 'revoked\n',
  });
  expect((await admin('wallets list')).output).not.toContain(`0x${'6'.repeat(40)}`);
});

it('launch-admin shows gates closed until an operator opens them, and stores every change with its label.', async () => {
  expect((await admin('gates show')).output).toBe(
    'publicAuthorization  closed\npublicWrites  closed\nreleaseReady  closed\n',
  );
  expect((await admin('gates set publicWrites open --by day-shift')).output).toBe('publicWrites is open\n');
  expect((await admin('gates set publicWrites open --by night-shift')).output).toBe('publicWrites was open before\n');
  expect(await json('gates set publicWrites closed --by night-shift')).toEqual({
    gate: 'publicWrites',
    open: false,
    changed: true,
  });
  expect((await admin('gates set publicWrites releaseReady closed --by night-shift')).output).toBe(
    'publicWrites was closed before\nreleaseReady was closed before\n',
  );
  expect(await json('gates show')).toEqual({
    gates: { publicAuthorization: false, publicWrites: false, releaseReady: false },
    changes: [
      { change: '2', gate: 'publicWrites', open: false, by: 'night-shift', at: expect.stringMatching(/Z$/) },
      { change: '1', gate: 'publicWrites', open: true, by: 'day-shift', at: expect.stringMatching(/Z$/) },
    ],
  });
  expect((await admin('gates show')).output).toMatch(/^publicWrites {2}closed {2}night-shift {2}\S+Z$/m);
  for (const rewrite of ["UPDATE launch_gate SET set_by = 'nobody'", 'DELETE FROM launch_gate', 'TRUNCATE launch_gate'])
    await expect(runSql(gateway.database, rewrite)).rejects.toThrow(/written once/);
});
