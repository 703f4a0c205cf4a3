import { describe, expect, it } from '@jest/globals';
import { versionOf } from './worker-version.js';

const bundle = { codePath: '/bundles/finality.0123456789abcdef.js', buildId: '0123456789abcdef' };

describe('the version of a worker', () => {
  it('is its service and the hash of its workflows', () => {
    expect(versionOf({}, 'finality-worker', bundle)).toEqual({ deployment: 'finality-worker', workflowBundle: bundle });
  });

  it('is the one by which the Worker Controller knows its pod, with the same workflows', () => {
    const config = { TEMPORAL_DEPLOYMENT_NAME: 'launch/finality', TEMPORAL_WORKER_BUILD_ID: '1-5-0-ab12' };
    expect(versionOf(config, 'finality-worker', bundle)).toEqual({
      deployment: 'launch/finality',
      workflowBundle: { ...bundle, buildId: '1-5-0-ab12' },
    });
  });

  it('is refused where one of its variables is absent, and absent without workflows', () => {
    for (const config of [{ TEMPORAL_DEPLOYMENT_NAME: 'launch/finality' }, { TEMPORAL_WORKER_BUILD_ID: '1-5-0-ab12' }])
      expect(() => versionOf(config, 'finality-worker', bundle)).toThrow(
        /^VERSION_INCOMPLETE: TEMPORAL_DEPLOYMENT_NAME and TEMPORAL_WORKER_BUILD_ID must both be set/,
      );
    expect(versionOf({}, 'module-builder', undefined).workflowBundle).toBeUndefined();
  });
});
