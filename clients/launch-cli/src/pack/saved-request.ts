import { sentLaunch, type SentLaunch } from '@launch/client-core/binding';
import { anyCustomLaunchRequestSchema } from '@launch/contracts/custom-launch';
import { planDigest, planRequestSchema } from '@launch/contracts/plans';
import { canonicalKeccak, keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import { commitmentsOf, parseDocument, validateDocument } from '@launch/multi-role/custom-launch';
import type { Options, World } from '../command.js';
import { LaunchError } from '../launch.error.js';
import { CODE, ownContext, published, readInput } from './packing.js';

type Saved = Parameters<typeof commitmentsOf>[0];

/**
 * Reads the request that `--request` names, for a comparison of answers with it. Undefined without the option. The context is
 * that of `--context`, else the published one, unless the service publishes another one by now.
 * @throws {LaunchError | PackError}
 */
export async function savedLaunch(options: Options, world: World): Promise<SentLaunch | undefined> {
  if (options['request'] === undefined) return undefined;
  const bytes = readInput(options['request'], '--request');
  const request = validateDocument(anyCustomLaunchRequestSchema, parseDocument(bytes, CODE, '--request'), CODE);
  return sentLaunch(request, { ...digestsOf(bytes), ...(await commitments(request, options, world)) });
}

/** Reads the plan that `--request` names. @throws {LaunchError | PackError} */
export async function savedPlan(options: Options, world: World): Promise<SentLaunch | undefined> {
  if (options['request'] === undefined) return undefined;
  const bytes = readInput(options['request'], '--request');
  const plan = validateDocument(planRequestSchema, parseDocument(bytes, CODE, '--request'), CODE);
  const known = { ...digestsOf(bytes), planDigest: planDigest(plan) };
  return sentLaunch(plan, { ...known, ...(await commitments(plan, options, world)) });
}

const digestsOf = (bytes: Uint8Array) => ({ requestSha256: sha256Digest(bytes), requestHash: keccak256Hex(bytes) });

/** Returns what the request commits to in its context; nothing if the context is not known. */
async function commitments(request: Saved, options: Options, world: World) {
  const own = options['context'];
  const context = own === undefined ? await published(options, world) : ownContext(own);
  if (canonicalKeccak(context) === request.contextHash)
    return { ...commitmentsOf(request, context), router: context.chainBindings.router };
  if (own === undefined) return {};
  throw new LaunchError('LAUNCH_CLI_CONFIG_INVALID', '--context is not the context of --request');
}
