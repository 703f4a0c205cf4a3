import { describe, expect, it } from '@jest/globals';
import { contractsOf, failedRead, releaseDigestOf, releaseFacts } from './release-facts.js';
import { DIGEST, FACTORY, someReads, UNREAD } from './release-reads.fixture.js';

describe('The digest of a release', () => {
  it.each([DIGEST, DIGEST.slice('sha256:'.length), DIGEST.toUpperCase()])('is read from %s', (text) => {
    expect(releaseDigestOf(text)).toBe(DIGEST);
  });
  it.each([undefined, '', 'sha256:', 'af'.repeat(31), `0x${'af'.repeat(32)}`])('is not %j', (text) => {
    expect(releaseDigestOf(text)).toBeNull();
  });
});

describe('The facts about a release', () => {
  it('come from every route that has it', () => {
    const facts = releaseFacts(someReads(), DIGEST);
    expect(facts).toMatchObject({
      deployment: { releaseDigest: DIGEST },
      foundation: { releaseDigest: DIGEST },
      details: { releaseDigest: DIGEST },
      source: null,
    });
  });

  it('are none for a digest that no route has', () => {
    const other = `sha256:${'00'.repeat(32)}`;
    expect(releaseFacts(someReads(), other)).toBeNull();
    expect(failedRead(someReads())).toBeNull();
  });

  it('are unknown, not absent, while a route does not answer', () => {
    expect(failedRead({ ...someReads({ deployments: [], releases: [] }), indexer: UNREAD })).toBe(UNREAD);
  });
});

describe('The contracts of a release', () => {
  const of = (...reads: Parameters<typeof someReads>) => contractsOf(releaseFacts(someReads(...reads), DIGEST)!);

  it('begin with the launch contract of the deployment', () => {
    expect(of().map(({ name }) => name)).toEqual(['launch contract', 'custody']);
    expect(of()[0]).toMatchObject({ address: FACTORY, codeHash: `0x${'0e'.repeat(32)}` });
  });

  it('are those of the Foundation without a deployment, and one without an address says so', () => {
    expect(of({ deployments: [] })).toEqual([
      { name: 'factory', address: FACTORY, codeHash: `0x${'0e'.repeat(32)}` },
      { name: 'custody', address: '0x64071810Cf1717e6d0F1337C5F2A2C3fAC772316', codeHash: `0x${'90'.repeat(32)}` },
      { name: 'poolManager', address: null, codeHash: `0x${'96'.repeat(32)}` },
    ]);
  });

  it('are one address while only the list of releases has it', () => {
    expect(of({ deployments: [], details: null })).toEqual([
      { name: 'launch contract', address: FACTORY.toLowerCase(), codeHash: null },
    ]);
  });
});
