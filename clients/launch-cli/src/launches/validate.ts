import { preflightCustomLaunch, type components } from '@launch/api-client';
import { CUSTOM_LAUNCH_PREFLIGHT_MEMBERS } from '@launch/client-core/binding';
import type { JsonValue } from '@launch/contracts/json';
import { plain, table } from '@launch/multi-role/offline';
import type { Options, Outcome, World } from '../command.js';
import { readApiKey } from '../credential/key-store.js';
import { EXIT } from '../launch.error.js';
import { repack } from '../pack/packing.js';
import { ask, openService, patienceOf, requireBound, requireOpenGates } from '../service.js';

type Preflight = components['schemas']['CustomLaunchPreflight'];

/** `launch validate`: compares the file with the packed config, and with `--remote` reads the service's verdict. */
export async function validate(options: Options, world: World): Promise<Outcome> {
  const { bytes, report, sent } = await repack(options, world);
  if (options['remote'] === undefined)
    return {
      exitCode: EXIT.done,
      httpStatus: null,
      resource: report as unknown as JsonValue,
      text: table([
        ['request', report.requestSha256],
        ['as packed', 'yes'],
        ['asked the service', 'no, see --remote'],
      ]),
    };
  const patient = patienceOf(options, world);
  const service = openService(world, () => readApiKey(world.environment));
  await requireOpenGates(service, patient);
  const answer = await ask(service, preflightCustomLaunch, { body: bytes }, patient);
  requireBound(CUSTOM_LAUNCH_PREFLIGHT_MEMBERS, answer, sent);
  const { status, value } = answer;
  return {
    exitCode: value.launchEligibility.deployable ? EXIT.done : EXIT.refused,
    httpStatus: status,
    resource: value as unknown as JsonValue,
    text: textOf(value),
  };
}

function textOf({ requestSha256, classification, launchEligibility, budgets, warnings }: Preflight): string {
  const findings = launchEligibility.findings.map(
    ({ code, path, message, remediation }) => `  ${plain(`${code} ${path} ${message} ${remediation.detail}`)}\n`,
  );
  const rows = table([
    ['request', requestSha256],
    ['deployable', launchEligibility.deployable ? 'yes' : `no, ${classification}`],
    ['value', `${budgets.valueWei} wei`],
    ['warnings', warnings.map(({ code }) => code).join(' ') || 'none'],
    ['findings', String(findings.length)],
  ]);
  return `${rows}${findings.join('')}`;
}
