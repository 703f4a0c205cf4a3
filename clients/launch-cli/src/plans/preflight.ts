import { preflightPlan } from '@launch/api-client';
import { PLAN_PREFLIGHT_MEMBERS } from '@launch/client-core/binding';
import type { JsonValue } from '@launch/contracts/json';
import { plain, table } from '@launch/multi-role/offline';
import type { Options, Outcome, World } from '../command.js';
import { readApiKey } from '../credential/key-store.js';
import { EXIT } from '../launch.error.js';
import { repackPlan } from '../pack/packing.js';
import { ask, openService, patienceOf, requireBound, requireOpenGates } from '../service.js';
import { CHAIN, requireVersion, VERSION } from './plan.js';

/** `launch plan preflight`: reads the service's verdict on a plan, which the service does not store. */
export async function preflight(options: Options, world: World): Promise<Outcome> {
  const { bytes, sent } = await repackPlan(options, world);
  const patient = patienceOf(options, world);
  const service = openService(world, () => readApiKey(world.environment));
  await requireOpenGates(service, patient);
  const answer = await ask(service, preflightPlan, { path: CHAIN, header: VERSION, body: bytes }, patient);
  requireVersion(answer);
  requireBound(PLAN_PREFLIGHT_MEMBERS, answer, sent);
  const { status, value } = answer;
  const { deployable, disposition } = value.launchEligibility;
  const findings = value.findings.map(({ code, path, message }) => `  ${plain(`${code} ${path} ${message}`)}\n`);
  return {
    exitCode: deployable ? EXIT.done : EXIT.refused,
    httpStatus: status,
    resource: value as unknown as JsonValue,
    text: `${table([
      ['plan', value.planDigest],
      ['deployable', deployable ? 'yes' : `no, ${disposition}`],
      ['steps', value.steps.map(({ stepId }) => stepId).join(' ')],
      ['findings', String(findings.length)],
    ])}${findings.join('')}`,
  };
}
