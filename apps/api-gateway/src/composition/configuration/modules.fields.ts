import { NAMESPACES } from '@launch/contracts/orchestration';
import { secretTextFile, temporalNamespace } from '@launch/platform';

/** The variables of a process that also works in the namespace of modules, over the same connection settings. */
export const modulesFields = {
  TEMPORAL_MODULES_NAMESPACE: temporalNamespace(NAMESPACES.modules),
  /** Keys of that namespace's values, as in `TEMPORAL_PAYLOAD_KEYS_FILE`. */
  TEMPORAL_MODULES_PAYLOAD_KEYS_FILE: secretTextFile().optional(),
};
