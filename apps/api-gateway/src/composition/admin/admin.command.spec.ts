import { describe, expect, it } from '@jest/globals';
import { UsageError } from './admin.errors.js';
import { readCommand } from './admin.command.js';

const WALLET = `0x${'aB'.repeat(20)}`;
const ID = '0'.repeat(20);
const OTHERS = (count: number): string =>
  Array.from({ length: count }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`).join(',');
const words = (line: string): string[] => line.split(' ').filter((word) => word !== '');

describe('launch-admin', () => {
  it('reads an issue command with every option', () => {
    const command = readCommand(
      words(
        `keys issue --wallet ${WALLET} --scopes custom-launch:read,custom-launch:create --chain 4663 --label shop --expires 2030-01-01T00:00:00Z --json`,
      ),
    );
    expect(command).toEqual({
      name: 'issue',
      kind: 'wallet',
      wallets: [WALLET.toLowerCase()],
      scopes: ['custom-launch:create', 'custom-launch:read'],
      chain: '4663',
      label: 'shop',
      expiresAt: new Date('2030-01-01T00:00:00Z'),
      json: true,
    });
  });

  it('reads a partner key with its wallets, each once', () => {
    expect(
      readCommand(
        words(`keys issue --kind partner --wallets ${WALLET},${WALLET},${OTHERS(1)} --scopes custom-launch:read`),
      ),
    ).toMatchObject({ kind: 'partner', wallets: [WALLET.toLowerCase(), OTHERS(1)] });
  });

  it('reads a rotation with a grace and a new expiry', () => {
    expect(readCommand(words(`keys rotate --credential ${ID} --grace 60 --expires 2030-01-01T00:00:00Z`))).toEqual({
      name: 'rotate',
      credentialId: ID,
      graceSeconds: 60,
      expiresAt: new Date('2030-01-01T00:00:00Z'),
      json: false,
    });
  });

  it('reads which worker versions to promote, and refuses a command that would promote another', () => {
    const all = ['admission-worker', 'finality-worker', 'module-review', 'indexer'];
    expect(readCommand(words('workers list'))).toEqual({ name: 'list-workers', deployments: all, json: false });
    expect(readCommand(words('workers promote --json'))).toEqual({
      name: 'promote-workers',
      deployments: all,
      buildId: null,
      waitSeconds: 60,
      replaySeconds: 300,
      json: true,
    });
    expect(
      readCommand(words('workers promote --deployment indexer --build-id 0123456789abcdef --wait 0')),
    ).toMatchObject({ deployments: ['indexer'], buildId: '0123456789abcdef', waitSeconds: 0 });
    expect(readCommand(words('workers promote --replay-within 30'))).toMatchObject({ replaySeconds: 30 });
    expect(readCommand(words('workers promote --skip-replay'))).toMatchObject({ replaySeconds: null });
    expect(readCommand(words('workers list --deployment indexer --deployment finality-worker'))).toMatchObject({
      deployments: ['finality-worker', 'indexer'],
    });
    for (const line of [
      'workers',
      'workers demote',
      'workers list --wait 3',
      'workers promote indexer',
      'workers promote --by ana',
      'workers promote --deployment gateway',
      'workers promote --build-id 0123456789abcdef',
      'workers promote --deployment indexer --build-id latest',
      'workers promote --wait 3601',
      'workers promote --wait -1',
      'workers promote --replay-within 0',
      'keys list --wait 3',
    ])
      expect(() => readCommand(words(line))).toThrow(UsageError);
  });

  it('reads commands about held records', () => {
    const launchId = '0192f3a4-5b6c-7d8e-9fa0-b1c2d3e4f506';
    expect(readCommand(['records', 'dismiss', launchId, '--by', 'ana', '--reason', ' a test launch '])).toEqual({
      name: 'dismiss-record',
      dismissal: { record: launchId, dismissedBy: 'ana', reason: 'a test launch' },
      json: false,
    });
    const event = `0x${'a'.repeat(64)}/12`;
    expect(readCommand(['records', 'dismiss', event, '--by', 'ana', '--reason', 'x'])).toMatchObject({
      dismissal: { record: event },
    });
    expect(readCommand(words('records list --json'))).toEqual({ name: 'list-records', json: true });
    for (const line of [
      `records dismiss ${launchId} --by ana`,
      `records dismiss ${launchId} --reason x`,
      `records dismiss ${launchId} --by ana --reason ${'x'.repeat(1_025)}`,
      'records dismiss no-id --by ana --reason x',
      `records dismiss 0x${'a'.repeat(64)}/012 --by ana --reason x`,
      `records dismiss 0x${'a'.repeat(64)} --by ana --reason x`,
      'records list --by ana',
      'records show',
      `records dismiss ${launchId} --by ana --reason x --wallet ${WALLET}`,
      'keys list --reason x',
    ])
      expect(() => readCommand(words(line))).toThrow(UsageError);
  });

  it('reads commands about wallets', () => {
    expect(readCommand(words(`wallets block ${WALLET}`))).toEqual({
      name: 'block',
      wallet: WALLET.toLowerCase(),
      json: false,
    });
    expect(readCommand(words(`wallets unblock ${WALLET} --json`))).toEqual({
      name: 'unblock',
      wallet: WALLET.toLowerCase(),
      json: true,
    });
    expect(readCommand(words('wallets list'))).toEqual({ name: 'list-blocked', json: false });
  });

  it('reads commands about gates', () => {
    expect(readCommand(words('gates show --json'))).toEqual({ name: 'show-gates', json: true });
    expect(readCommand(words('gates set publicWrites closed --by night-watch'))).toEqual({
      name: 'set-gates',
      setting: { gates: ['publicWrites'], isOpen: false, setBy: 'night-watch' },
      json: false,
    });
    expect(readCommand(words('gates set publicWrites publicAuthorization open --by me'))).toMatchObject({
      setting: { gates: ['publicAuthorization', 'publicWrites'], isOpen: true },
    });
  });

  it.each(['', '--help', 'keys issue --help'])('prints help for %j', (line) =>
    expect(readCommand(words(line)).name).toBe('help'),
  );

  it.each([
    'keys',
    'keys give',
    'users issue',
    'keys issue',
    `keys issue --wallet ${WALLET}`,
    `keys issue --wallet 0x12 --scopes custom-launch:read`,
    `keys issue --wallet ${WALLET} --scopes all`,
    `keys issue --wallet ${WALLET} --scopes custom-launch:read,custom-launch:read,x`,
    `keys issue --wallet ${WALLET} --scopes custom-launch:read,modules:read`,
    `keys issue --wallet ${WALLET} --scopes custom-launch:create,modules:submit`,
    `keys issue --wallet ${WALLET} --scopes modules:read,modules:review`,
    `keys issue --wallet ${WALLET} --scopes custom-launch:read --chain 1`,
    `keys issue --wallet ${WALLET} --scopes custom-launch:read --expires soon`,
    'keys revoke',
    'keys revoke --credential x',
    `keys rotate --credential ${ID} --grace -1`,
    `keys rotate --credential ${ID} --grace 99999999`,
    `keys issue --kind partner --wallet ${WALLET} --scopes custom-launch:read`,
    `keys issue --wallets ${WALLET} --scopes custom-launch:read`,
    `keys issue --kind robot --wallet ${WALLET} --scopes custom-launch:read`,
    `keys issue --kind partner --wallets ${WALLET}, --scopes custom-launch:read`,
    `keys issue --kind partner --wallets ${OTHERS(257)} --scopes custom-launch:read`,
    'keys list extra',
    'keys list --unknown',
    'wallets',
    'wallets block',
    'wallets block 0x12',
    `wallets block ${WALLET} ${WALLET}`,
    `wallets list ${WALLET}`,
    `wallets forget ${WALLET}`,
    `wallets block ${WALLET} --label x`,
    'gates',
    'gates show --by me',
    'gates show publicWrites',
    'gates set publicWrites open',
    'gates set publicWrites --by me',
    'gates set publicWrites ajar --by me',
    'gates set everything open --by me',
    'gates set publicWrites open closed --by me',
    'gates set publicWrites publicWrites open --by me',
    'gates set publicWrites everything open --by me',
    'gates set open --by me',
    'gates set publicWrites open --by me --label x',
    `gates set publicWrites open --by ${'x'.repeat(129)}`,
    'keys list --by me',
  ])('refuses %j', (line) => expect(() => readCommand(words(line))).toThrow(UsageError));
});
