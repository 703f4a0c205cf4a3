import type { QuarantineReason } from '@launch/contracts/index';
import { ADMITTED_PACKAGES } from '@launch/devnet';
import { textBytes, type NativeRecipe, type RecipeModule } from '@launch/evm/sources';
import { keccak256, stringToHex, type Hex } from 'viem';

/** The sender of a launch: the wallet itself, a relayer with the wallet's signature, a contract, or one that ends the launch's module. */
export type LaunchedBy = 'wallet' | 'relayer' | 'contract' | 'vanisher';

/** One native launch, and what is particular about it. */
export interface NativeScenario {
  readonly what: string;
  readonly by: LaunchedBy;
  readonly recipe: Partial<NativeRecipe>;
  /** The check that it fails; an index refuses it then. */
  readonly fails?: QuarantineReason;
}

const idOf = (name: string): Hex => keccak256(stringToHex(name));

/**
 * Launches of one native launcher.
 * @param instance a module that keeps a note.
 * @param vanishing a module that will be gone when the transaction of its launch ends.
 */
export function nativeScenarios(instance: Hex, vanishing: Hex, feeRecipient: Hex): readonly NativeScenario[] {
  const note = (configuration: string): RecipeModule => ({
    ...ADMITTED_PACKAGES.note,
    instance,
    configuration: textBytes(configuration),
  });
  const unknown: RecipeModule = { ...note('unknown'), packageId: idOf('nobody-knows-it@1'), familyId: idOf('nobody') };
  const said = (extraData: string, description = 'Launched to be found') => ({
    description: textBytes(description),
    website: textBytes('https://coin.example'),
    image: textBytes('ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'),
    extraData: textBytes(extraData),
  });
  return [
    {
      what: 'two modules, by its wallet',
      by: 'wallet',
      recipe: { modules: [note('first'), { ...note('second'), ...ADMITTED_PACKAGES.opening }] },
    },
    {
      what: 'relayed with its signature',
      by: 'relayer',
      recipe: { metadata: said('{"v":1,"x":"https://x.example/coin"}') },
    },
    { what: 'by a contract', by: 'contract', recipe: { modules: [note('third')] } },
    {
      what: 'no module, and a name that is taken',
      by: 'wallet',
      recipe: { name: textBytes('Twice'), symbol: textBytes('TWO') },
    },
    {
      what: 'the same name, a module that nobody knows',
      by: 'wallet',
      recipe: { name: textBytes('Twice'), symbol: textBytes('TWO'), modules: [unknown] },
    },
    {
      what: 'one family twice, fees to somebody else',
      by: 'wallet',
      recipe: { modules: [note('a'), note('b')], creatorFeeRecipient: feeRecipient },
    },
    { what: 'metadata that is malformed', by: 'wallet', recipe: { metadata: said('{') } },
    {
      what: 'metadata with a description that is too long',
      by: 'wallet',
      recipe: { metadata: said('{"v":1}', 'x'.repeat(20_000)) },
    },
    {
      what: 'a module whose code no block shows',
      by: 'vanisher',
      recipe: { name: textBytes('Gone'), modules: [{ ...note('gone'), instance: vanishing }] },
      fails: 'INSTANCE_COMMITMENT_MISMATCH',
    },
  ];
}
