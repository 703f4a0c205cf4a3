import { describe, expect, it } from '@jest/globals';
import { factsOf } from './launch-facts.js';
import { nextStepOf, reasonOf } from './next-step.js';
import { aFinding, aLaunch, aMultiRoleLaunch, aPlan } from './owned-launch.fixture.js';

const BEFORE_THE_END = Date.parse('2020-01-01T00:00:00.000Z');
const AFTER_THE_END = Date.parse('2100-01-01T00:00:00.000Z');

describe('The next step of a launch', () => {
  it('is the wallet page while the wallet can sign', () => {
    const launch = factsOf(aLaunch({ status: 'awaiting_wallet_signature' }));
    expect(nextStepOf(launch, BEFORE_THE_END).action).toEqual({
      is: 'page',
      to: `/wallet/launches/${launch.id}`,
      label: 'Review and sign',
    });
    const plan = factsOf(aPlan());
    const step = nextStepOf(plan, BEFORE_THE_END);
    expect(step.action).toMatchObject({ to: `/wallet/plans/${plan.id}` });
    expect(step.sentence).toContain('transaction 1 of 2');
  });

  it('never leads to the wallet after the permit window', () => {
    for (const owned of [aLaunch({ status: 'awaiting_wallet_signature' }), aPlan()]) {
      const step = nextStepOf(factsOf(owned), AFTER_THE_END);
      expect(step.action).toBeNull();
      expect(step.sentence).toContain('Sign nothing');
    }
  });

  it('is to wait, without an action, while the service or the chain works', () => {
    for (const status of ['admitting', 'authorized', 'submitted', 'sequencer_soft_confirmed'] as const)
      expect(nextStepOf(factsOf(aLaunch({ status })), BEFORE_THE_END)).toMatchObject({
        action: null,
        sentence: expect.stringMatching(/^Wait/),
      });
  });

  it('warns of a second transaction while the first can still be included', () => {
    expect(nextStepOf(factsOf(aLaunch({ status: 'submitted' })), BEFORE_THE_END).sentence).toContain(
      'Send no second transaction',
    );
  });

  it('is a command after findings', () => {
    const launch = factsOf(aLaunch({ status: 'action_required', findings: [aFinding()] as never }));
    const step = nextStepOf(launch, BEFORE_THE_END);
    expect(step.sentence).toContain('Correct the findings');
    expect(step.action).toEqual({
      is: 'command',
      command: 'launch pack --config launch.json --output corrected.json',
    });
    const multiRole = factsOf(aMultiRoleLaunch({ status: 'action_required' }));
    expect(nextStepOf(multiRole, BEFORE_THE_END).action).toMatchObject({
      command: 'node client.mjs preflight --request corrected.json',
    });
  });

  it('names the ended plan as the predecessor of its successor', () => {
    const plan = factsOf(aPlan({ status: 'expired' }));
    expect(nextStepOf(plan, AFTER_THE_END).action).toMatchObject({
      command: expect.stringMatching(/ --plan sequential .*--predecessor [0-9a-f-]{36}\/sha256:[0-9a-f]{64}$/),
    });
  });

  it('is nothing after finality', () => {
    expect(nextStepOf(factsOf(aLaunch({ status: 'finalized' })), BEFORE_THE_END).action).toBeNull();
  });
});

describe('The reason of a launch that waits', () => {
  it('has the sentence and the remedy of the reference', () => {
    expect(reasonOf('CONTROLLER_FUNDS_MISSING')).toEqual({
      message: 'The controller does not hold the value of the launch and its gas bound.',
      remedy: 'Send native currency to launchWallet before the permit window ends.',
    });
  });

  it('is shown by its code if the site does not know it', () => {
    expect(reasonOf('NEW_REASON')).toEqual({ message: 'The service gives the reason NEW_REASON.', remedy: null });
  });
});
