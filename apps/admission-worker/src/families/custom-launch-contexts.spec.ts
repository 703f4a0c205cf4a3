import { expect, it } from '@jest/globals';
import { canonicalJsonText } from '@launch/contracts/json';
import { canonicalKeccak } from '@launch/contracts/primitives';
import { testRequest } from '../../../api-gateway/src/fixtures/test-request.js';
import { customLaunchContext } from '../../../../libs/launch-rules/src/fixtures/custom-launch-request.fixture.js';
import { customLaunchContexts } from './custom-launch-contexts.js';

const current = customLaunchContext();
const former = customLaunchContext((context) => (context.profile.profileId = 'former'));
const filed = (context: object) => ({ contextHash: canonicalKeccak(context), document: canonicalJsonText(context) });

it('The service finds the current context and those of earlier releases by hash, and none of another family.', () => {
  const contexts = customLaunchContexts(canonicalJsonText(current), [filed(former), filed(testRequest().context)]);
  expect([...contexts]).toEqual([
    [canonicalKeccak(former), former],
    [canonicalKeccak(current), current],
  ]);
  expect(customLaunchContexts(undefined, []).size).toBe(0);
});

it('The service refuses a document under another name, and a document that is not a context.', () => {
  expect(() => customLaunchContexts(undefined, [{ ...filed(former), contextHash: canonicalKeccak(current) }])).toThrow(
    /another document/,
  );
  expect(() => customLaunchContexts('{}', [])).toThrow();
});
