import { CUSTOM_MULTI_ROLE_V2 } from './custom-multi-role-v2/multi-role.adapter.js';
import { CUSTOM_ROUTER_V1 } from './custom-router-v1/router-v1.adapter.js';
import { ETHEREUM_CUSTOM_V1 } from './ethereum-custom-v1/ethereum-router.adapter.js';
import { MODULE_FOUNDATION_V1 } from './module-foundation/foundation.adapter.js';
import { MODULE_ENGINE_V1, MODULE_NATIVE_V1, MODULE_NATIVE_V2 } from './module-native/native.adapter.js';
import type { SourceAdapter } from './source-adapter.js';

/** Every source version that this release can verify. */
export const SOURCE_ADAPTERS: readonly SourceAdapter[] = [
  MODULE_NATIVE_V1,
  MODULE_NATIVE_V2,
  MODULE_ENGINE_V1,
  MODULE_FOUNDATION_V1,
  CUSTOM_MULTI_ROLE_V2,
  CUSTOM_ROUTER_V1,
  ETHEREUM_CUSTOM_V1,
];

const BY_VERSION: ReadonlyMap<string, SourceAdapter> = new Map(
  SOURCE_ADAPTERS.map((adapter) => [adapter.sourceVersion, adapter]),
);

/**
 * Returns the adapter of a source version, or null if this release has none: such a source is refused, never guessed.
 */
export const adapterOf = (sourceVersion: string): SourceAdapter | null => BY_VERSION.get(sourceVersion) ?? null;
