import { describe, expect, it } from '@jest/globals';
import { renderPage } from '../../site/render-page.fixture.js';
import { SessionProvider } from '../../session/session.js';
import { factsOf } from './launch-facts.js';
import LaunchesPage from './launches.page.js';
import { LaunchesView, NoLaunches } from './launches-view.js';
import { aFinding, aLaunch, aMultiRoleLaunch, aPlan } from './owned-launch.fixture.js';

const LATER = '2030-01-01T00:00:00.000Z';

describe('The list of my launches', () => {
  it('asks a visitor to sign in and reads nothing before', () => {
    const html = renderPage(
      () => (
        <SessionProvider>
          <LaunchesPage />
        </SessionProvider>
      ),
      null,
    );
    expect(html).toContain('<h1');
    expect(html).toContain('Sign in with your wallet');
    expect(html).toContain('needs JavaScript');
  });

  it('shows each launch with its kind, its state in plain words and its next step', () => {
    const launches = [
      aLaunch({ status: 'awaiting_wallet_signature', expiresAt: LATER }),
      aLaunch({ status: 'action_required', findings: [aFinding()] as never, launchId: 'b' }),
      aPlan({ status: 'finalized' }),
      aMultiRoleLaunch({ status: 'expired' }),
    ].map(factsOf);
    const html = renderPage(() => <LaunchesView launches={launches} onMore={null} isReading={false} />, null);
    for (const said of [
      'Custom launch',
      'Plan',
      'Multi-role launch',
      'Waits for your wallet',
      'Needs correction',
      'Final',
      'Expired',
      'Review and sign',
      'Correct the findings',
      'These are all launches of this account.',
    ])
      expect(html).toContain(said);
    expect(html).toContain(`href="/wallet/launches/${launches[0]!.id}"`);
    expect(html).toContain('href="/launches/b"');
    expect(html).not.toContain('style=');
  });

  it('offers older launches while there are some', () => {
    const html = renderPage(
      () => <LaunchesView launches={[factsOf(aLaunch())]} onMore={() => undefined} isReading={false} />,
      null,
    );
    expect(html).toContain('Show older launches');
    expect(html).not.toContain('These are all launches');
  });

  it('names the commands of a first launch where there is none', () => {
    const html = renderPage(NoLaunches, null);
    for (const command of ['launch init', 'launch pack', 'launch submit']) expect(html).toContain(command);
    expect(html).toContain('href="/docs/guides/custom-launch"');
  });
});
