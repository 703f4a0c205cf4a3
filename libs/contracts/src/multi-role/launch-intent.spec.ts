import { describe, expect, it } from '@jest/globals';
import { canonicalKeccak } from '../primitives/digest.js';
import { launchIntentHash } from './launch-intent.js';

const intent = {
  behaviorScenarioInputs: { attestation: 1, launchIntentHash: '"launchIntentHash":' },
  nonce: '1',
  source: { text: 'ü,"launchIntentHash":"0x00"' },
};
const whole = { ...intent, attestation: { checks: [] }, launchIntentHash: '0x00' };
const hashOf = (request: object) => launchIntentHash(request as never);

describe('launchIntentHash', () => {
  it.each([
    ['both members', whole],
    ['no attestation', { ...intent, launchIntentHash: '0x00' }],
    ['neither member', intent],
  ])('leaves its own member and the attestation out of a request with %s', (_name, request) => {
    expect(hashOf(request)).toBe(canonicalKeccak(intent));
  });

  it('binds members of the same names inside other members', () => {
    const changed = { ...whole, behaviorScenarioInputs: { ...intent.behaviorScenarioInputs, attestation: 2 } };
    expect(hashOf(changed)).not.toBe(hashOf(whole));
  });
});
