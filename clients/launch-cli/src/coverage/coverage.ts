import { getLaunchCoverage, type components } from '@launch/api-client';
import { LAUNCH_COVERAGE_MEMBERS } from '@launch/client-core/binding';
import { table, writeNewFile } from '@launch/multi-role/offline';
import type { JsonValue } from '@launch/contracts/json';
import type { Options, Outcome, World } from '../command.js';
import { EXIT } from '../launch.error.js';
import { ask, openService, patienceOf, requireBound } from '../service.js';

type LaunchCoverage = components['schemas']['LaunchCoverage'];

/** `launch coverage`: reads the public report, which authorizes nothing. */
export async function coverage(options: Options, world: World): Promise<Outcome> {
  const answer = await ask(openService(world), getLaunchCoverage, {}, patienceOf(options, world));
  requireBound(LAUNCH_COVERAGE_MEMBERS, answer, undefined);
  const { status, value, bytes } = answer;
  if (options['output'] !== undefined) writeNewFile(options['output'], '--output', bytes);
  return { exitCode: EXIT.done, httpStatus: status, resource: value as unknown as JsonValue, text: textOf(value) };
}

function textOf(report: LaunchCoverage): string {
  const { profile, serviceReadiness, representableArchitecture: architecture, activatedVerifierCoverage } = report;
  const { status, reasonCodes } = serviceReadiness;
  return table([
    ['profile', profile ?? 'none'],
    ['service', [status, ...reasonCodes].join(' ')],
    ['official pools', architecture === null ? null : `${architecture.officialPools}, ${architecture.poolPair}`],
    ['pool fee', architecture === null ? null : `${architecture.poolFee}, tick spacing ${architecture.tickSpacing}`],
    ['native seed recipe', activatedVerifierCoverage.seedV1],
    ['authorizes a request', 'no'],
  ]);
}
