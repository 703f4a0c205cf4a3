import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandLineOf } from '@launch/platform/processes';
import { settleChains } from './chains.js';
import { closeDataFolder, openDataFolder, openSecrets, writePrivate } from './data-folder.js';
import { externalChains } from './external-chains.js';
import { Ports } from './ports.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'launch-data-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('the data folder', () => {
  it('keeps its secrets, for this user alone', async () => {
    const folder = await openDataFolder(root);
    const first = await openSecrets(folder);
    const password = await first.password('launch_gateway');
    const again = await openSecrets(folder);
    expect(await again.password('launch_gateway')).toBe(password);
    expect(await again.password('launch_custody')).not.toBe(password);
    for (const name of await readdir(folder.secrets)) expect((await stat(path.join(folder.secrets, name))).mode & 0o777).toBe(0o600);
    const message = Buffer.from('receipt');
    const signature = sign(null, message, createPrivateKey(await readFile(again.admissionSigningKeyFile)));
    expect(verify(null, message, createPublicKey(await readFile(again.admissionPublicKeyFile)), signature)).toBe(true);
  });

  it('belongs to one start at a time, and a killed one does not hold it', async () => {
    const holder = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await new Promise((resolve) => holder.once('spawn', resolve));
    // Right after the fork the command line is still ours.
    let command = '';
    while (!command.includes('--eval')) command = (await commandLineOf(holder.pid ?? 0)) ?? '';
    await writeFile(path.join(root, 'start.pid'), `${holder.pid}\n${command}`);
    await expect(openDataFolder(root)).rejects.toThrow(/another start/);
    await writeFile(path.join(root, 'start.pid'), `${holder.pid}\nsomething else`);
    await closeDataFolder(await openDataFolder(root));
    holder.kill('SIGKILL');
  });

  it('forgets the stack of an earlier start', async () => {
    await writeFile(path.join(root, 'stack.json'), '{}');
    const folder = await openDataFolder(root);
    expect(await readdir(folder.root)).not.toContain('stack.json');
  });
});

describe('new chains', () => {
  const genesis = { '4663': '0xaa', '1': '0xbb' };

  it('move the embedded state about the old ones aside, whole', async () => {
    const folder = await openDataFolder(root);
    const secrets = await openSecrets(folder);
    expect(await settleChains({ folder, secrets, genesis, external: [] })).toBeUndefined();
    await writeFile(folder.temporalDb, 'workflows');
    expect(await settleChains({ folder, secrets, genesis, external: ['TEMPORAL_ADDRESS'] })).toBeUndefined();
    expect(await readFile(folder.temporalDb, 'utf8')).toBe('workflows');
    const movedTo = await settleChains({ folder, secrets, genesis: { ...genesis, '1': '0xcc' }, external: [] });
    expect(await readFile(path.join(String(movedTo), 'temporal.sqlite'), 'utf8')).toBe('workflows');
    expect(await readdir(root)).not.toContain('temporal.sqlite');
  });

  it('are refused when something outside holds what belongs to the old ones', async () => {
    const folder = await openDataFolder(root);
    const secrets = await openSecrets(folder);
    await settleChains({ folder, secrets, genesis, external: [] });
    const renewed = { folder, secrets, genesis: { ...genesis, '4663': '0xdd' }, external: ['CUSTODY_DATABASE_URL'] };
    await expect(settleChains(renewed)).rejects.toThrow(/CUSTODY_DATABASE_URL/);
    await expect(settleChains(renewed)).rejects.toThrow(/CUSTODY_DATABASE_URL/);
  });
});

describe('ports', () => {
  it('are the same at the next start, and never given twice', async () => {
    const folder = await openDataFolder(root);
    const first = await Ports.open(folder);
    const chosen = [await first.choose('one'), await first.choose('two')];
    await first.save();
    const second = await Ports.open(folder);
    expect([await second.choose('one'), await second.choose('two')]).toEqual(chosen);
    expect(await second.choose('one', 4_000)).toBe(4_000);
    await writePrivate(folder.file('ports.json'), JSON.stringify({ one: chosen[0], two: chosen[0] }));
    const clashing = await Ports.open(folder);
    const [one, two] = [await clashing.choose('one'), await clashing.choose('two')];
    expect(one).not.toBe(two);
  });
});

describe('other chains', () => {
  it('are given completely or not at all', async () => {
    expect(await externalChains({})).toBeUndefined();
    await expect(externalChains({ RPC_1_URLS: 'a=http://h:1,b=http://h:2' })).rejects.toThrow(/RPC_4663_URLS.*PERMIT_KEY_FILE/);
  });
});
