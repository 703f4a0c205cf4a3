import { describe, expect, it } from '@jest/globals';
import { renderPage } from '../../site/render-page.fixture.js';
import { aDeployment, aFoundationRelease, anAvailability, DIGEST, someReads, UNREAD } from './release-reads.fixture.js';
import ReleasePage from './release.page.js';

const page = (reads: unknown): string => renderPage(ReleasePage, { digest: DIGEST, reads });

describe('The page of a release', () => {
  it('shows its state, fee, contracts and code on the chain', () => {
    const html = page(someReads());
    for (const said of [
      'Foundation V3 on Chain 4663',
      '>Current<',
      '0.3% of each trade, fixed by the factory',
      'The factory has the code of the release',
      `https://api.launch.example/api/v2/abi/${'fa'.repeat(32)}.json`,
      'title="0xbF4B0e181526659cCE3b9EfCF5f2cF509b50431F"',
      'no code, or no answer',
      'What the service does not publish',
    ])
      expect(html).toContain(said);
    expect(html).not.toContain('style=');
  });

  it('says why the code is not available', () => {
    const html = page(
      someReads({ availability: { ...anAvailability, availability: 'UNAVAILABLE', reasons: ['RUNTIME_MISMATCH'] } }),
    );
    expect(html).toContain('The factory does not have the code of the release');
    expect(html).toContain('The factory has other code than its binding states.');
  });

  it('says that the code is unknown while that read fails, and keeps the rest', () => {
    const html = page({ ...someReads(), availability: UNREAD });
    expect(html).toContain('The site could not read the code at the factory from the service.');
    expect(html).toContain('Foundation V3');
  });

  it('shows a release of another kind, whose fee the service does not publish', () => {
    const deployment = {
      ...aDeployment,
      sourceVersion: 'custom-router-v1',
      factoryVersion: null,
      status: 'disabled' as const,
    };
    const html = page(someReads({ deployments: [deployment], releases: [], details: null, availability: null }));
    expect(html).toContain('Custom router, version 1 on Chain 4663');
    expect(html).toContain('>Disabled<');
    expect(html).toContain('Not published for this kind of release.');
    expect(html).not.toContain('Code on the chain');
  });

  it('shows a release that only the list of the Foundation has', () => {
    const html = page(
      someReads({
        deployments: [],
        releases: [{ ...aFoundationRelease, chainId: 1, status: 'retained' }],
        details: null,
      }),
    );
    expect(html).toContain('Foundation V3 on Ethereum');
    expect(html).toContain('>Retained<');
    expect(html).toContain('not published');
  });

  it('says that there is no such release only while every route answers', () => {
    expect(page(someReads({ deployments: [], releases: [], details: null }))).toContain(
      'The service publishes no release with this digest.',
    );
    const unread = page({ ...someReads({ deployments: [], releases: [], details: null }), indexer: UNREAD });
    expect(unread).toContain('The site could not read the release from the service.');
    expect(unread).not.toContain('publishes no release');
  });

  it('says what names a release', () => {
    expect(renderPage(ReleasePage, { digest: null, reads: null })).toContain('This address names no release');
  });
});
