import { describe, expect, it } from '@jest/globals';
import { canonicalizeJson, parseCanonicalJson } from '../json/index.js';
import { launchIntentHash, launchIntentHashOfBytes } from './launch-intent.js';

describe('The intent hash of a request', () => {
  const intent = {
    behaviorScenarioInputs: { attestation: 1, launchIntentHash: '"launchIntentHash":' },
    nonce: '1',
    source: { text: 'ü,"launchIntentHash":"0x00"' },
  };
  const whole = { ...intent, attestation: { checks: [] }, launchIntentHash: '0x00' };

  it.each([
    ['both members', whole],
    ['no attestation', { ...intent, launchIntentHash: '0x00' }],
    ['neither member', intent],
  ])('is the same from the bytes and from the value of a request with %s', (_name, request) => {
    const bytes = canonicalizeJson(request);
    expect(launchIntentHashOfBytes(bytes, parseCanonicalJson(bytes))).toBe(launchIntentHash(whole as never));
  });
});
