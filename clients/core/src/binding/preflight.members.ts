import type { CustomLaunchPreflight } from '@launch/contracts/custom-launch';
import { equal, everyItem, holds, type BoundMember } from './bound-member.js';
import type { SentLaunch } from './subject.js';
import type { Wire } from './wire.types.js';

/** The members that the preflights of custom launches and of plans share. */
type PreflightParts = Pick<
  Wire<CustomLaunchPreflight>,
  'requestSha256' | 'requestHash' | 'launchEligibility' | 'checks' | 'budgets' | 'checkpoint' | 'warnings'
>;

/** The members of a preflight that its request determines. The verdict has to agree with itself. */
export const PREFLIGHT_PARTS: readonly BoundMember<PreflightParts, SentLaunch>[] = [
  equal(
    '/requestSha256',
    'SHA-256 of the request',
    ({ requestSha256 }) => requestSha256,
    ({ requestSha256 }) => requestSha256,
  ),
  equal(
    '/requestHash',
    'keccak-256 of the request',
    ({ requestHash }) => requestHash,
    ({ requestHash }) => requestHash,
  ),
  equal(
    '/launchEligibility/deployable',
    'whether launchEligibility.disposition is deployable',
    ({ launchEligibility }) => launchEligibility.deployable,
    (_request, { launchEligibility }) => launchEligibility.disposition === 'deployable',
  ),
  holds(
    '/launchEligibility/disposition',
    'deployable only without a failed check',
    ({ launchEligibility, checks }) =>
      launchEligibility.disposition !== 'deployable' || checks.every(({ outcome }) => outcome !== 'fail'),
  ),
  everyItem(
    '/checks/*/checkId',
    'another one than the checks before',
    ({ checks }) => checks,
    ({ checkId }, index, { checks }) => checks.findIndex((one) => one.checkId === checkId) === index,
  ),
  equal(
    '/budgets/valueWei',
    'funding.totalValueWei of the request',
    ({ budgets }) => budgets.valueWei,
    ({ totalValueWei }) => totalValueWei,
  ),
  ...(['blockNumber', 'blockHash'] as const).map((name) =>
    equal<PreflightParts, SentLaunch>(
      `/checkpoint/${name}`,
      'the checkpoint of the request',
      ({ checkpoint }) => checkpoint[name],
      ({ checkpoint }) => checkpoint[name],
    ),
  ),
  holds(
    '/warnings',
    'TX_SIMULATION_PENDING exactly if the request is deployable',
    ({ warnings, launchEligibility }) => warnings.length === Number(launchEligibility.deployable),
  ),
];
