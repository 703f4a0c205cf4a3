import { describe, expect, it } from '@jest/globals';
import { ChainError } from '../chain.error.js';
import { openObserverPair, originCommitment, parseObserverUrls, type ObserverLog } from './observer-urls.config.js';

describe('RPC_*_URLS', () => {
  it('reads exactly two observers and commits to their origins', () => {
    const [first, second] = parseObserverUrls(
      'RPC_1_URLS',
      'alpha=https://One.example/key/abc, beta=http://127.0.0.1:8545',
    );
    expect(first).toEqual({
      id: 'alpha',
      url: 'https://one.example/key/abc',
      originCommitment: originCommitment('https://one.example'),
    });
    expect(second.id).toBe('beta');
    expect(second.originCommitment).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it('commits to the origin alone: path, key and case do not matter, the port does', () => {
    expect(originCommitment('https://ONE.example/a?b=c')).toBe(originCommitment('https://one.example:443/'));
    expect(originCommitment('https://one.example:8443')).not.toBe(originCommitment('https://one.example'));
  });

  it.each([
    ['one observer', 'a=https://one.example'],
    ['three observers', 'a=https://one.example,b=https://two.example,c=https://three.example'],
    ['one name twice', 'a=https://one.example,a=https://two.example'],
    ['no name', 'https://one.example,b=https://two.example'],
    ['no URL', 'a=,b=https://two.example'],
    ['another protocol', 'a=ws://one.example,b=https://two.example'],
    ['an empty label', 'a=https://one.example..,b=https://two.example'],
    ['a name that begins with a dot', 'a=https://.one.example,b=https://two.example'],
    ['nothing', ''],
  ])('refuses %s, without repeating a URL', (_what, text) => {
    const attempt = (): unknown => parseObserverUrls('RPC_4663_URLS', text);
    expect(attempt).toThrow(ChainError);
    expect(attempt).toThrow(/RPC_CONFIGURATION_INVALID/);
    expect(attempt).not.toThrow(/example/);
  });
});

const problemOf = (first: string, second: string): unknown => {
  try {
    parseObserverUrls('RPC_4663_URLS', `a=${first},b=${second}`);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    expect(JSON.stringify([error.message, error.data])).not.toMatch(/hunter2|:\/\//);
    return error.data['problem'];
  }
  return 'accepted';
};

describe('Plain HTTP', () => {
  it.each([
    'http://localhost:8545',
    'http://LOCALHOST:8545',
    'http://node.localhost:8545',
    'http://127.0.0.1:8545',
    'http://127.1.2.3',
    'http://0x7f.1',
    'http://[::1]:8545',
    'http://[::ffff:127.0.0.1]',
    'http://0.0.0.0:8545',
    'http://10.0.0.1',
    'http://172.16.0.1',
    'http://172.31.255.255',
    'http://192.168.255.1',
    'http://169.254.1.1',
    'http://[::ffff:10.1.2.3]',
    'http://[fd12:3456::1]',
    'http://[fe80::1]',
    'http://anvil:8545',
    'http://rpc.chain.svc',
    'http://rpc.chain.svc.cluster.local:8545',
    'http://rpc.internal.',
    'http://node.local',
  ])('is accepted for the loopback or private host of %s', (url) => {
    expect(problemOf(url, 'https://other.example')).toBe('accepted');
    expect(problemOf('https://other.example', url)).toBe('accepted');
  });

  it.each([
    'http://one.example/hunter2',
    'HTTP://One.Example./hunter2',
    'http://user:hunter2@one.example',
    'http://one.example:443/hunter2',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://10.0.0.1.nip.io',
    'http://internal.example',
    'http://local.svc.example',
    'http://9.255.255.255',
    'http://11.0.0.0',
    'http://172.15.255.255',
    'http://172.32.0.0',
    'http://192.167.1.1',
    'http://192.169.1.1',
    'http://100.64.0.1',
    'http://8.8.8.8',
    'http://134744072',
    'http://[::ffff:8.8.8.8]',
    'http://[2001:db8::1]',
    'http://[fec0::1]',
    'http://[::127.0.0.1]',
    'http://xn--bcher-kva.example',
  ])('is refused for the public host of %s', (url) => {
    const problem = 'needs https: only loopback and private hosts may use http';
    expect(problemOf(url, 'https://other.example')).toBe(`the URL of observer a ${problem}`);
    expect(problemOf('https://other.example', url)).toBe(`the URL of observer b ${problem}`);
  });
});

describe('Two observers on one host', () => {
  it.each([
    ['other paths', 'https://one.example/hunter2', 'https://one.example/other'],
    ['the default port', 'https://one.example', 'https://one.example:443'],
    ['other ports', 'https://one.example', 'https://one.example:8443'],
    ['another case', 'https://one.example', 'https://ONE.Example:8443'],
    ['a trailing dot', 'https://one.example', 'https://one.example.'],
    ['other users', 'https://u:hunter2@one.example', 'https://v:hunter2@one.example'],
    ['an internationalized name and its ASCII form', 'https://bücher.example', 'https://xn--bcher-kva.example'],
    ['a composed and a decomposed letter', 'https://b\u00fccher.example', 'https://bu\u0308cher.example:1'],
    ['full-width dots', 'https://one\u3002example', 'https://one.example'],
    ['an escaped letter', 'https://%6fne.example', 'https://one.example'],
    ['an address in decimal', 'https://8.8.8.8', 'https://134744072:8443'],
    ['an address in octal', 'https://8.8.8.8', 'https://010.8.8.8'],
    ['an address mapped into IPv6', 'https://8.8.8.8', 'https://[::ffff:8.8.8.8]'],
    ['an address mapped into IPv6, in hexadecimal', 'https://8.8.8.8', 'https://[::ffff:808:808]:8443'],
    ['an IPv6 address written out', 'https://[2001:db8::1]', 'https://[2001:0db8:0:0:0:0:0:1]'],
    ['two ports of a private address', 'http://10.0.0.1:8545', 'http://10.0.0.1:8546'],
    ['two ports of a private name', 'http://anvil:8545', 'http://anvil:8546'],
    ['two schemes of a private name', 'http://rpc.internal', 'https://rpc.internal'],
  ])('are refused with %s', (_what, first, second) => {
    expect(problemOf(first, second)).toBe('the two observers must not share a host');
    expect(problemOf(second, first)).toBe('the two observers must not share a host');
  });

  it.each([
    ['one name', 'http://127.0.0.1:8545/a', 'http://127.0.0.1:8545/b'],
    ['a name and an address', 'http://localhost:8545', 'http://127.0.0.1:8545'],
    ['both families', 'http://[::1]:8545', 'http://127.0.0.1:8545'],
    ['a mapped address', 'http://[::ffff:127.0.0.1]:8545', 'http://127.0.0.1:8545'],
    ['the unspecified address', 'http://0.0.0.0:8545', 'http://127.0.0.1:8545'],
    ['a default port', 'http://localhost', 'http://127.0.0.1:80'],
    ['two schemes', 'http://localhost:8545', 'https://localhost:8545'],
  ])('are refused on one port of loopback, by %s', (_what, first, second) => {
    expect(problemOf(first, second)).toBe('two observers on loopback need distinct ports');
    expect(problemOf(second, first)).toBe('two observers on loopback need distinct ports');
  });

  it.each([
    ['two ports of loopback', 'http://127.0.0.1:8545', 'http://127.0.0.1:8546'],
    ['two names of one domain', 'https://a.one.example', 'https://b.one.example'],
    ['two addresses', 'https://8.8.8.8', 'https://8.8.4.4'],
    ['two private names', 'http://anvil-a:8545', 'http://anvil-b:8545'],
  ])('do not include %s', (_what, first, second) => {
    expect(problemOf(first, second)).toBe('accepted');
  });
});

describe('Two observers on hosts of one registrable domain', () => {
  const warningsFor = (first: string, second: string): readonly unknown[] => {
    const warnings: unknown[] = [];
    const log: ObserverLog = { warn: (about) => void warnings.push(about) };
    const [a, b] = openObserverPair('RPC_1_URLS', `a=${first},b=${second}`, 1, { logger: log });
    expect([a.id, b.id, a.chainId]).toEqual(['a', 'b', 1]);
    return warnings;
  };

  it.each([
    ['https://eth.one.example/hunter2', 'https://base.one.example/hunter2'],
    ['https://one.example', 'https://rpc.ONE.example.'],
    ['https://a.one.co.uk', 'https://b.one.co.uk'],
    ['https://a.one.com.br', 'https://one.com.br'],
    ['https://a.bnb.io', 'https://b.bnb.io'],
    ['https://a.bücher.example', 'https://b.xn--bcher-kva.example'],
  ])('open with one warning that names no URL: %s and %s', (first, second) => {
    expect(warningsFor(first, second)).toEqual([{ variable: 'RPC_1_URLS', observers: ['a', 'b'] }]);
  });

  it.each([
    ['https://rpc.one.example', 'https://rpc.two.example'],
    ['https://one.co.uk', 'https://two.co.uk'],
    ['https://rpc.one.com.br', 'https://rpc.two.com.br'],
    ['https://8.8.8.8', 'https://9.8.8.8'],
    ['http://a.internal', 'http://b.internal'],
    ['http://127.0.0.1:8545', 'http://127.0.0.1:8546'],
  ])('do not include %s and %s, which open without a warning', (first, second) => {
    expect(warningsFor(first, second)).toEqual([]);
  });
});
