import type { JsonValue } from '@launch/contracts/json';
import type { PlanRequest } from '@launch/contracts/plans';
import { table, writeNewFile } from '@launch/multi-role/offline';
import type { Options, Outcome, World } from '../command.js';
import { EXIT, LaunchError } from '../launch.error.js';
import { packFrom, packPlanFrom } from './packing.js';

const PREDECESSOR = /^([0-9a-f-]{36})\/(sha256:[0-9a-f]{64})$/;

/** `launch pack`: writes the exact bytes of a create request or a plan, from a config. */
export async function pack(options: Options, world: World): Promise<Outcome> {
  const { plan, predecessor } = options;
  if (predecessor !== undefined && plan === undefined)
    throw new LaunchError('LAUNCH_CLI_ARGUMENTS_INVALID', '--predecessor needs --plan');
  const { bytes, report } =
    plan === undefined
      ? await packFrom(options, world)
      : await packPlanFrom(
          options,
          { mode: plan as PlanRequest['mode'], predecessor: predecessorOf(predecessor) },
          world,
        );
  world.signal.throwIfAborted();
  writeNewFile(options['output']!, '--output', bytes);
  const { predictedAddresses: addresses } = report;
  return {
    exitCode: EXIT.done,
    httpStatus: null,
    resource: report as unknown as JsonValue,
    text: table([
      ['request', report.requestSha256],
      ['bytes', String(report.byteLength)],
      ['steps', 'stepIds' in report ? report.stepIds.join(' ') : null],
      ['context', report.contextHash],
      ['token', addresses.token],
      ['hook', addresses.hook],
      ['initializer', addresses.initializer],
      ['fee vault', addresses.feeVault],
      ['pool', report.poolId],
      ['value', `${report.totalValueWei} wei`],
      ['idempotency key', report.idempotencyKey],
    ]),
  };
}

function predecessorOf(text: string | undefined): PlanRequest['predecessor'] {
  if (text === undefined) return null;
  const [, planId, planDigest] = PREDECESSOR.exec(text) ?? [];
  if (planId === undefined || planDigest === undefined)
    throw new LaunchError('LAUNCH_CLI_ARGUMENTS_INVALID', '--predecessor is <planId>/<planDigest>');
  return { planId, planDigest: planDigest as `sha256:${string}` };
}
