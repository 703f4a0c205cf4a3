import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { commandLineOf } from '@launch/platform/processes';
import { rememberChains, settleKept, type SettleOptions } from './chains.js';
import { closeDataFolder, openDataFolder, openSecrets, writePrivate, type DataFolder } from './data-folder.js';
import { externalChains } from './external-chains.js';
import { Ports } from './ports.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'launch-data-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('The data folder', () => {
  it('keeps its secrets, for this user alone', async () => {
    const folder = await openDataFolder(root);
    const first = await openSecrets(folder);
    const password = await first.password('launch_gateway');
    const again = await openSecrets(folder);
    expect(await again.password('launch_gateway')).toBe(password);
    expect(await again.password('launch_custody')).not.toBe(password);
    for (const name of await readdir(folder.secrets))
      expect((await stat(path.join(folder.secrets, name))).mode & 0o777).toBe(0o600);
    const message = Buffer.from('receipt');
    const signature = sign(null, message, createPrivateKey(await readFile(again.admissionSigningKeyFile)));
    expect(verify(null, message, createPublicKey(await readFile(again.admissionPublicKeyFile)), signature)).toBe(true);
  });

  it('belongs to one start at a time, and is released by a killed one', async () => {
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

describe('The data of one pair of chains', () => {
  const genesis = { '4663': `0x${'aa'.repeat(32)}`, '1': `0x${'bb'.repeat(32)}` };
  const address = `0x${'11'.repeat(20)}`;

  /** Chains as the development chains keep them: a line is its checksum, its number and its record. */
  async function keepChains(folder: DataFolder, hashes: Record<string, string> = genesis): Promise<void> {
    const keys = {
      controller: address,
      owner: address,
      batchPoster: address,
      platformFeeRecipient: address,
      permitAuthority: address,
    };
    const records = [
      {
        kind: 'genesis',
        schemaVersion: 'launch.devnet-journal.v1',
        timestamp: 1,
        baseFee: 1_000_000_000,
        accounts: { '1': [], '4663': [] },
        keys,
      },
      { kind: 'origin', hashes },
    ];
    const lines = records.map((record, index) => `${index} ${JSON.stringify(record)}`);
    await writeFile(
      path.join(folder.devnet, 'journal.log'),
      lines.map((line) => `${crc32(line).toString(16).padStart(8, '0')} ${line}\n`).join(''),
    );
  }

  async function settled(more: Partial<SettleOptions> = {}) {
    const folder = await openDataFolder(root);
    const secrets = await openSecrets(folder);
    return settleKept({ folder, secrets, fresh: false, confirm: undefined, external: [], ...more });
  }

  it('is reused while it is consistent', async () => {
    const folder = await openDataFolder(root);
    expect(await settled()).toBeUndefined();
    await keepChains(folder);
    expect(await settled()).toBeUndefined();
    await rememberChains(folder, genesis);
    expect(await settled({ external: ['TEMPORAL_ADDRESS'] })).toBeUndefined();
  });

  it.each<[string, (folder: DataFolder) => Promise<void>, RegExp]>([
    ['the chains are gone', async () => undefined, /databases in .* are about chains that are not in .*chains/],
    [
      'the chains are others',
      (folder) => keepChains(folder, { ...genesis, '1': `0x${'cc'.repeat(32)}` }),
      /about other chains than those in .*chains/,
    ],
    [
      'the journal is damaged',
      (folder) => writeFile(path.join(folder.devnet, 'journal.log'), 'nothing\nof this\n'),
      /journal of the chains is damaged, .*line 1/,
    ],
  ])(
    'is refused untouched when %s, and moved aside by a yes at the terminal or by --fresh',
    async (_when, arrange, problem) => {
      const folder = await openDataFolder(root);
      await rememberChains(folder, genesis);
      await writeFile(folder.temporalDb, 'workflows');
      await arrange(folder);
      const before = await readdir(root, { recursive: true });
      await expect(settled()).rejects.toThrow(problem);
      await expect(settled()).rejects.toThrow(/npm start -- --fresh/);
      const asked: string[] = [];
      await expect(settled({ confirm: async (question) => asked.push(question) < 0 })).rejects.toThrow(problem);
      expect(asked).toEqual([expect.stringMatching(problem)]);
      expect(
        (await readdir(root, { recursive: true })).filter(
          (name) => !before.includes(name) && !name.startsWith('secrets'),
        ),
      ).toEqual([]);
      await expect(settled({ fresh: true, external: ['CUSTODY_DATABASE_URL'] })).rejects.toThrow(
        /CUSTODY_DATABASE_URL/,
      );

      const movedTo = await settled({ confirm: async () => true });
      expect(await readFile(path.join(String(movedTo), 'temporal.sqlite'), 'utf8')).toBe('workflows');
      expect(await readdir(String(movedTo))).toEqual(expect.arrayContaining(['chains', 'chains.json']));
      expect(await readdir(root)).not.toContain('temporal.sqlite');
      expect(await settled()).toBeUndefined();
    },
  );

  it('is moved aside by --fresh although it is consistent, and a new folder has nothing to move', async () => {
    expect(await settled({ fresh: true })).toBeUndefined();
    const folder = await openDataFolder(root);
    await keepChains(folder);
    await rememberChains(folder, genesis);
    const movedTo = await settled({ fresh: true });
    expect(await readdir(path.join(String(movedTo), 'chains'))).toEqual(['journal.log']);
    expect(await readdir(folder.devnet)).toEqual([]);
  });
});

describe('Ports', () => {
  let stack: AbortController;
  beforeEach(() => void (stack = new AbortController()));
  afterEach(() => stack.abort());
  const open = (folder: DataFolder): Promise<Ports> => Ports.open(folder, stack.signal);
  const endStack = (): void => {
    stack.abort();
    stack = new AbortController();
  };

  it('stay the same at the next start, and are never assigned twice', async () => {
    const folder = await openDataFolder(root);
    const first = await open(folder);
    const chosen = [await first.choose('one'), await first.choose('two')];
    // A component that starts again chooses again.
    expect(await first.choose('one')).toBe(chosen[0]);
    await first.save();
    endStack();
    const second = await open(folder);
    expect([await second.choose('one'), await second.choose('two')]).toEqual(chosen);
    expect(await second.choose('one', 4_000)).toBe(4_000);
    endStack();
    await writePrivate(folder.file('ports.json'), JSON.stringify({ one: chosen[0], two: chosen[0] }));
    const clashing = await open(folder);
    const [one, two] = [await clashing.choose('one'), await clashing.choose('two')];
    expect(one).not.toBe(two);
  });

  it('stay reserved until the stack ends, although no process listens there yet', async () => {
    const endOurs = new AbortController();
    const ours = await Ports.open(await openDataFolder(path.join(root, 'ours')), endOurs.signal);
    const port = await ours.choose('postgres');
    const folder = await openDataFolder(path.join(root, 'theirs'));
    await writePrivate(folder.file('ports.json'), JSON.stringify({ postgres: port }));
    expect(await (await open(folder)).choose('postgres')).not.toBe(port);
    endOurs.abort();
    expect(await (await open(folder)).choose('postgres')).toBe(port);
  });
});

describe('Other chains', () => {
  it('are configured completely or not at all', async () => {
    expect(await externalChains({})).toBeUndefined();
    await expect(externalChains({ RPC_1_URLS: 'a=http://h:1,b=http://h:2' })).rejects.toThrow(
      /RPC_4663_URLS.*PERMIT_KEY_FILE/,
    );
  });
});
