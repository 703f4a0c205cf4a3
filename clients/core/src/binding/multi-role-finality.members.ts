import type { AnyFinalityStatus, DerivedContract } from '@launch/contracts/multi-role';
import { equal, everyItem, holds, within, type BoundMember } from './bound-member.js';
import { createdAddress } from './created-address.js';
import type { MultiRoleSubject } from './multi-role.subject.js';
import type { Wire } from './wire.types.js';

type DerivedContracts = Wire<DerivedContract>[];
type Inclusion = Wire<AnyFinalityStatus>['inclusion'];

const derived = (
  name: string,
  is: string,
  condition: (one: Wire<DerivedContract>, index: number, inclusion: Inclusion) => boolean,
): BoundMember<Readonly<DerivedContracts>, Inclusion> =>
  everyItem<Readonly<DerivedContracts>, Inclusion, Wire<DerivedContract>>(
    `/*/${name}`,
    is,
    (contracts) => contracts,
    (one, index, _contracts, inclusion) => condition(one, index, inclusion),
  );

/** The members of the derived contracts of finality V3 that agree with each other and with the inclusion. */
const DERIVED_CONTRACT_MEMBERS: readonly BoundMember<Readonly<DerivedContracts>, Inclusion>[] = [
  derived(
    'account',
    'the address that CREATE gives to the parent at the nonce',
    ({ account, parent, creationNonce }) => creationNonce === null || account === createdAddress(parent, creationNonce),
  ),
  derived('resultIndex', 'the place of the contract', ({ resultIndex }, index) => resultIndex === index),
  derived(
    'proof/runtimeCodeHash',
    'runtimeCodeHash of the contract',
    ({ runtimeCodeHash, proof }) => proof === null || proof.runtimeCodeHash === runtimeCodeHash,
  ),
  ...(['blockNumber', 'blockHash'] as const).map((name) =>
    derived(
      `proof/${name}`,
      `${name} of the inclusion`,
      ({ proof }, _index, inclusion) => proof === null || proof[name] === inclusion?.[name],
    ),
  ),
];

/** The stages that may follow each state. A launch that ended otherwise has none. */
const LATER_STAGES: Readonly<Record<Wire<AnyFinalityStatus>['state'], readonly (string | null)[]>> = {
  pending: ['included', null],
  included: ['posted', 'ethereum_finalized'],
  ethereum_finalized: [null],
};

/** The members of a finality status that agree with each other, and those that the launch determines. */
export const MULTI_ROLE_FINALITY_MEMBERS: readonly BoundMember<Wire<AnyFinalityStatus>, MultiRoleSubject>[] = [
  equal(
    '/launchId',
    'the requested id',
    ({ launchId }) => launchId,
    ({ launchId }) => launchId,
  ),
  ...(['contextHash', 'onchainLaunchId'] as const).map((name) =>
    holds<Wire<AnyFinalityStatus>, MultiRoleSubject>(
      `/${name}`,
      `of finality V3: ${name} of the launch`,
      (finality, subject) =>
        finality.schemaVersion === 'service.multi-role-finality-status.v2' ||
        subject[name] === undefined ||
        finality[name] === subject[name],
    ),
  ),
  holds('/state', 'the state that the evidence shows', ({ state, inclusion, posting, checkpoint, finalizedAt }) => {
    const isFinal = state === 'ethereum_finalized';
    return (
      (state === 'pending') === (inclusion === null) &&
      (state !== 'pending' || posting === null) &&
      (!isFinal || posting !== null) &&
      isFinal === (checkpoint !== null) &&
      isFinal === (finalizedAt !== null)
    );
  }),
  holds(
    '/nextStage',
    'of finality V3: null once finalized, and a stage after the state before',
    (finality) =>
      finality.schemaVersion === 'service.multi-role-finality-status.v2' ||
      LATER_STAGES[finality.state].includes(finality.nextStage),
  ),
  ...within(
    '/derivedContracts',
    (finality: Wire<AnyFinalityStatus>) => ('derivedContracts' in finality ? finality.derivedContracts : null),
    (_subject: MultiRoleSubject, { inclusion }) => inclusion,
    DERIVED_CONTRACT_MEMBERS,
  ),
  holds(
    '/inclusion/receiptStatus',
    'success: the state of a reverted transaction is pending',
    ({ inclusion }) => inclusion === null || inclusion.receiptStatus === 'success',
  ),
  holds(
    '/transactionHash',
    'transactionHash of the inclusion',
    ({ inclusion, transactionHash }) => inclusion === null || inclusion.transactionHash === transactionHash,
  ),
];
