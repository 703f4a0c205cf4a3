import { moduleBuildInputs } from '@launch/contracts/activities';
import type { ModuleBuildActivities } from '@launch/contracts/orchestration';
import { Activities, type ActivityEdge } from '@launch/worker';
import type { Attestation } from './attestation.service.js';
import type { BuildModule } from './build-module.service.js';

const FAILED = 'MODULE_BUILD_STEP_FAILED';

/** Creates the activities of `launch-module-build`. A builder without a valid attestation builds nothing. */
export function createBuilderActivities(
  { attestation, buildModule }: { readonly attestation: Attestation; readonly buildModule: BuildModule },
  onTrouble: ActivityEdge['onTrouble'],
): Activities<ModuleBuildActivities> {
  return new Activities<ModuleBuildActivities>(
    moduleBuildInputs,
    {
      async buildModule(input, { signal }) {
        await attestation.check();
        return buildModule(input, signal);
      },
      attestBuilder: (input) => attestation.attest(input),
    },
    { failures: { outage: FAILED, fault: FAILED }, onTrouble },
  );
}
