import { describe, expect, it } from '@jest/globals';
import { renderPage } from '../../site/render-page.fixture.js';
import { documentedAnswer } from '../launch/owned-launch.fixture.js';
import { SubmissionView, type Review } from './submission-view.js';
import { NoSubmissions, SubmissionsView, type Receipt } from './submissions-view.js';

const receipts = (): readonly Receipt[] =>
  documentedAnswer<{ items: readonly Receipt[] }>('/v1/modules/submissions').items;
const review = (state: Review['review']['state'], changes: Partial<Review> = {}): Review => {
  const documented = documentedAnswer<Review>('/v1/modules/submissions/{submissionId}/review');
  return { ...documented, lastError: null, decision: null, ...changes, review: { ...documented.review, state } };
};
const view = (shown: Review | null): string =>
  renderPage(() => <SubmissionView receipt={receipts()[0]!} review={shown} />, null);

describe('The page of a submission', () => {
  it('gives the commands of a new version after requested changes', () => {
    const html = view(review('changes_requested'));
    expect(html).toContain('Changes requested');
    expect(html).toContain('--supersedes');
    expect(html).not.toContain('style=');
  });

  it('shows the reason and the signature facts of a decision as text', () => {
    const decision: Review['decision'] = {
      outcome: 'reject',
      reason: '<b>It keeps\u202e funds.</b>',
      reviewerWallet: `0x${'a'.repeat(40)}`,
      decidedAt: '2026-11-28T11:00:00.000Z',
      digest: `0x${'b'.repeat(64)}`,
      artifactDigest: null,
      hostManifestDigest: null,
    };
    const html = view(review('rejected', { decision }));
    expect(html).toContain('&lt;b&gt;It keeps[U+202E] funds.&lt;/b&gt;');
    expect(html).toContain('1 hour ago');
    expect(html).toContain(`title="0x${'b'.repeat(64)}"`);
  });

  it('shows the finding of a build with the place that the service names', () => {
    const message = 'the compiler refuses the sources: ParserError 2314 at /sources/0:10-20';
    const html = view(
      review('build_failed', { lastError: { code: 'COMPILER_ERROR', message, at: '2026-11-28T11:00:00.000Z' } }),
    );
    expect(html).toContain('The compiler refuses the sources: ParserError 2314.');
    expect(html).toContain('Bytes 10 to 20 of the file.');
    expect(html).toContain('<code class="break-all">/sources/0</code>');
  });

  it('shows the receipt while the review cannot be read', () => {
    const html = view(null);
    expect(html).toContain('The receipt');
    expect(html).not.toContain('Your next step');
  });
});

describe('The list of my modules', () => {
  it('links each submission with its name and version, and shows its review', () => {
    const [receipt] = receipts();
    const html = renderPage(
      () => <SubmissionsView receipts={receipts()} reviewOf={(submissionId) => `review of ${submissionId}`} />,
      null,
    );
    expect(html).toContain(`review of ${receipt!.submissionId}`);
    expect(html).toContain(`href="/author/${receipt!.submissionId}"`);
    expect(html).toContain(receipt!.version);
  });

  it('names the commands of a first submission where there is none', () => {
    const html = renderPage(NoSubmissions, null);
    expect(html).toContain('submit-module --root . --request request.json --api-origin https://api.launch.example');
  });
});
