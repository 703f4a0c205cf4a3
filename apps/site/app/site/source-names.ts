import type { FoundationFactoryVersion, SourceVersion } from '@launch/contracts/index';

const NAMES: Readonly<Record<SourceVersion, string>> = {
  'module-native-v1': 'Native modules, version 1',
  'module-native-v2': 'Native modules, version 2',
  'module-engine-v1': 'Module engine',
  'module-foundation-v1': 'Foundation',
  'custom-router-v1': 'Custom router, version 1',
  'custom-multi-role-v2': 'Custom router, version 2',
  'ethereum-custom-v1': 'Ethereum router',
};

/** Returns the name of a kind of source. A version that this site does not know keeps its own name. */
export function sourceName(version: string, factory: FoundationFactoryVersion | null): string {
  const name = Object.hasOwn(NAMES, version) ? NAMES[version as SourceVersion] : version;
  return factory === null ? name : `${name} ${factory}`;
}
