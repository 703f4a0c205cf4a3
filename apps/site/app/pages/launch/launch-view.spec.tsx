import { describe, expect, it } from '@jest/globals';
import type { OwnerFailure } from '../../site/owner-read.js';
import { renderPage, RENDERED_AT } from '../../site/render-page.fixture.js';
import { OwnerReadFailure } from '../../ui/owner-failure.js';
import { factsOf, type OwnedLaunch } from './launch-facts.js';
import { LaunchView, type ReadRequest } from './launch-view.js';
import { aFinality, aFinding, aLaunch, AN_INCLUSION, aPlan, aRequest, TOKEN_SOURCE } from './owned-launch.fixture.js';

const view = (owned: OwnedLaunch, request: ReadRequest = { is: 'unread' }): string =>
  renderPage(() => <LaunchView facts={factsOf(owned)} request={request} />, null);

const refused = aLaunch({
  status: 'action_required',
  findings: [
    aFinding({
      actual: `ParserError 2314 at src/Token.sol:${Buffer.from(TOKEN_SOURCE.slice(0, TOKEN_SOURCE.indexOf('address public'))).length}-999`,
    }),
  ] as never,
});

describe('The page of a launch', () => {
  it('shows the state, the next step and the stages while the wallet is asked', () => {
    const html = view(aLaunch({ status: 'awaiting_wallet_signature', expiresAt: '2026-11-28T12:10:00.000Z' }));
    for (const said of [
      'Waits for your wallet',
      'Review and sign',
      'in 10 minutes',
      'Signed and sent',
      'aria-live="polite"',
    ])
      expect(html).toContain(said);
    expect(html).toMatch(/<li aria-current="step"[^>]*>.*?Signed and sent/s);
    expect(html).not.toContain('style=');
  });

  it('explains the reason of a wait, with its remedy and its code', () => {
    const html = view(aLaunch({ status: 'wallet_action_required', statusReason: 'CONTROLLER_FUNDS_MISSING' }));
    expect(html).toContain('Send native currency to launchWallet');
    expect(html).toContain('<code>CONTROLLER_FUNDS_MISSING</code>');
  });

  it('shows the source line that a finding concerns', () => {
    const html = view(refused, { is: 'read', request: aRequest() });
    expect(html).toContain('One finding');
    expect(html).toContain('line 6, column 5');
    expect(html).toMatch(/>6<.*?fault: .*?address public owner;/s);
  });

  it('shows a finding without its line while the request is read, and says why if it cannot be', () => {
    expect(view(refused)).toContain('Reading the request for the source lines.');
    const failed = view(refused, { is: 'failed', message: 'The service is unavailable.' });
    expect(failed).toContain('The source lines are not shown.');
    expect(failed).toContain('COMPILER_ERROR');
  });

  it('shows hostile sources as text that hides nothing', () => {
    const source = 'contract A { /*\u202e } <script>alert(1)</script> */';
    const finding = aFinding({ actual: 'ParserError at src/Token.sol:0-1' });
    const html = view(aLaunch({ status: 'action_required', findings: [finding] as never }), {
      is: 'read',
      request: aRequest(source),
    });
    expect(html).toContain('[U+202E]');
    expect(html).not.toContain('<script>alert');
  });

  it('marks what a reorganisation can take back, and the estimate as one', () => {
    const finality = aFinality({
      stage: 'included',
      l2Inclusion: AN_INCLUSION,
      estimatedNextStageAt: '2026-11-28T12:05:00.000Z',
    });
    const html = view(aLaunch({ status: 'sequencer_soft_confirmed', finality }));
    expect(html).toContain('Reversible');
    expect(html).toContain('in 5 minutes');
    expect(html).toContain('This is an estimate.');
  });

  it('leads to the coin and the public record after finality', () => {
    const token = '0xbe7f9392ba4eb5e29ef02ae9755943ea21cde3c8';
    const poolKey = { currency0: `0x${'0'.repeat(40)}`, currency1: token };
    const html = view(aLaunch({ status: 'finalized', finality: aFinality({ l2Inclusion: AN_INCLUSION }) }), {
      is: 'read',
      request: { graphBundle: { officialPool: { poolKey } } },
    });
    expect(html).toContain(`href="/coins/4663/${token}"`);
    expect(html).toContain('href="https://api.launch.example/v4/chains/4663/finalized-custom-launches"');
    expect(html).toContain('The final record');
    expect(html).not.toContain('Reversible');
  });

  it('counts the steps of a plan', () => {
    expect(view(aPlan())).toContain('0 of 2 transactions of the plan are on chain 4663.');
  });
});

describe('A failed read of an owner', () => {
  const failure = (changes: Partial<OwnerFailure>): OwnerFailure => ({
    is: 'down',
    code: 'SERVICE_UNREACHABLE',
    message: 'no answer',
    requestId: null,
    retryAfterSeconds: null,
    ...changes,
  });
  const shown = (changes: Partial<OwnerFailure>, readAt: number | null = null): string =>
    renderPage(
      () => (
        <OwnerReadFailure
          failure={failure(changes)}
          subject="this launch"
          readAt={readAt}
          absent="Check the address."
        />
      ),
      null,
    );

  it('says how old the value is that the page still shows', () => {
    const html = shown({}, RENDERED_AT - 120_000);
    expect(html).toContain('The page shows what it last read');
    expect(html).toContain('2 minutes ago');
    expect(html).toContain('role="status"');
  });

  it.each([
    [{ is: 'absent' }, 'The service does not have this launch for this account.'],
    [{ is: 'denied' }, 'sign in with the account that owns it'],
    [{ is: 'limited', retryAfterSeconds: 42 }, 'The next attempt is in 42 seconds.'],
    [{ is: 'down' }, 'The service does not answer now.'],
    [{ is: 'refused', requestId: 'req_7' }, 'req_7'],
  ] as const)('names the remedy of %j', (changes, said) => {
    expect(shown(changes)).toContain(said);
  });
});
