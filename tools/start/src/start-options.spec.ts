import { describe, expect, it } from '@jest/globals';
import { HELP, readStartOptions } from './start-options.js';
import { addressLines, readyAddresses } from './stack-addresses.js';

const optionsOf = (...args: string[]) => {
  const given = readStartOptions(args, {});
  if (given.kind !== 'start') throw new Error(JSON.stringify(given));
  return given.options;
};

describe('The options of npm start', () => {
  it.each([
    [[], { examples: 'first', once: false }],
    [['--no-launch'], { examples: 'none', once: false }],
    [['--all'], { examples: 'all', once: false }],
    [['--once'], { examples: 'all', once: true }],
    [['--all', '--once'], { examples: 'all', once: true }],
  ])('%j select the examples %j', (args, expected) => expect(optionsOf(...args)).toMatchObject(expected));

  it('take precedence over their variables', () => {
    const given = readStartOptions(['--policy=v2'], { LAUNCH_POLICY: 'reachable', LAUNCH_FINALITY: 'v3' });
    expect(given).toMatchObject({
      options: {
        settings: { policy: { name: '--policy', value: 'v2' }, finality: { name: 'LAUNCH_FINALITY', value: 'v3' } },
      },
    });
  });

  it.each(['-h', '--help'])('include %s, which lists every option', (option) => {
    expect(readStartOptions([option, '--all'], {})).toEqual({ kind: 'help' });
    for (const name of [
      'all',
      'once',
      'no-launch',
      'json',
      'fresh',
      'policy',
      'finality',
      'profile',
      'finality-seconds',
    ])
      expect(HELP).toContain(`  --${name} `);
  });

  it.each([
    [['--everything'], /--everything/],
    [['--all', '--no-launch'], /^--no-launch and --all exclude each other$/],
    [['--once', '--no-launch'], /^--no-launch and --once exclude each other$/],
    [['launch'], /launch/],
  ])('are refused by name in %j', (args, reason) => {
    expect(readStartOptions(args, {})).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) });
  });
});

describe('the addresses of a stack', () => {
  const stack = {
    schemaVersion: 'launch.stack.v1' as const,
    gateway: 'http://127.0.0.1:4000',
    site: 'http://127.0.0.1:3999',
    devApi: 'http://127.0.0.1:4000',
    operations: 'http://127.0.0.1:4001',
    reviewer: 'http://127.0.0.1:4002',
    temporal: {
      address: '127.0.0.1:4003',
      namespace: 'launches',
      custodyNamespace: 'custody',
      modulesNamespace: 'modules',
      ui: 'http://127.0.0.1:4004',
    },
    rpc: { '4663': ['http://127.0.0.1:1', 'http://127.0.0.1:2'], '1': ['http://127.0.0.1:3', 'http://127.0.0.1:4'] },
    faults: 'http://127.0.0.1:4005',
    controller: null,
    adminCommand: [],
    dataDir: '/data',
  };

  it('include those that a user opens', () => {
    const lines = addressLines(stack).join('\n');
    expect(lines).toMatch(/^ {2}website +http:\/\/127\.0\.0\.1:3999/);
    for (const address of [
      'http://127.0.0.1:4000/docs',
      'http://127.0.0.1:4002',
      'http://127.0.0.1:4004',
      'http://127.0.0.1:1 and http://127.0.0.1:2',
      'npm run dev:fault',
    ])
      expect(lines).toContain(address);
  });

  it('begin with the website, on which a user follows the first launch', () => {
    expect(readyAddresses(stack)).toBe(
      'website http://127.0.0.1:3999, API http://127.0.0.1:4000/docs, workflows http://127.0.0.1:4004',
    );
    expect(readyAddresses({ ...stack, site: stack.gateway, temporal: { ...stack.temporal, ui: null } })).toBe(
      'API http://127.0.0.1:4000/docs',
    );
  });

  it('omit the parts that the stack does not have', () => {
    const without = addressLines({ ...stack, faults: null, temporal: { ...stack.temporal, ui: null } }).join('\n');
    expect(without).not.toMatch(/workflows|dev:fault/);
  });
});
