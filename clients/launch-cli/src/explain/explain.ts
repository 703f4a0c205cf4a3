import { createRequestSchema } from '@launch/contracts/multi-role';
import { customLaunchContextSchema } from '@launch/contracts/launch';
import type { JsonValue } from '@launch/contracts/json';
import {
  agreesThroughout,
  deploymentOfContext,
  judgeChainReads,
  readChain,
  reviewHandoff,
  type ChainCheck,
  type HandoffCheck,
  type HandoffClaim,
  type HandoffFact,
  type HandoffReview,
  type TrustedDeployment,
} from '@launch/handoff';
import { parseDocument, validateDocument } from '@launch/multi-role/custom-launch';
import { plain, table } from '@launch/multi-role/offline';
import type { Options, Outcome, World } from '../command.js';
import { EXIT, LaunchError } from '../launch.error.js';
import { CODE, ownContext, published, readInput } from '../pack/packing.js';
import { rpcFailure, rpcProvider } from './rpc-provider.js';

/** A hand-off contains a transaction of at most 128 KiB, or a batch of at most 17. */
const MAX_HANDOFF_BYTES = 8 * 1024 * 1024;

/** `launch explain`: compares a kept hand-off with its request, and says in plain words what the controller would sign. */
export async function explain(options: Options, world: World): Promise<Outcome> {
  const claim = await claimOf(options, world);
  const review = reviewHandoff(claim);
  const chain = options['rpc'] === undefined ? [] : await chainChecks(options['rpc'], review, claim.trusted, world);
  const isAgreed = agreesThroughout(review) && chain.every(({ verdict }) => verdict !== 'blocks');
  const facts = review.transaction?.facts ?? [];
  return {
    exitCode: isAgreed ? EXIT.done : EXIT.refused,
    httpStatus: null,
    resource: { family: review.family, agrees: isAgreed, facts, checks: review.checks, chain } as unknown as JsonValue,
    text: textOf(facts, review.checks, chain),
  };
}

async function claimOf(options: Options, world: World): Promise<HandoffClaim> {
  const handed = handedIn(parseDocument(readInput(options['file']!, '<file>', MAX_HANDOFF_BYTES), CODE, '<file>'));
  const requestBytes = readInput(options['request']!, '--request');
  if (handed.family === 'multi-role') {
    const request = parseDocument(requestBytes, CODE, '--request');
    const { context } = validateDocument(createRequestSchema, request, CODE);
    return { ...handed, requestBytes, context, trusted: [deploymentOfContext('multi-role', context)] };
  }
  const own = options['context'];
  const context = own === undefined ? await published(options, world) : ownContext(own);
  const document = validateDocument(customLaunchContextSchema, context, CODE);
  return { ...handed, requestBytes, context, trusted: [deploymentOfContext('custom-launch', document)] };
}

/** Returns the family of a kept file, by its form. @throws {LaunchError} for another form */
function handedIn(document: unknown): Pick<HandoffClaim, 'family' | 'handoff' | 'stepId'> {
  const { schemaVersion, stepId, authorization } = document as Readonly<Record<string, unknown>>;
  if (schemaVersion === 'service.custom-launch-wallet-handoff.v4')
    return { family: 'custom-launch', handoff: document };
  if (schemaVersion === 'service.multi-role-wallet-handoff.v2') return { family: 'multi-role', handoff: document };
  if (typeof stepId === 'string' && authorization !== undefined)
    return { family: 'plan', handoff: authorization, stepId };
  throw new LaunchError(
    'LAUNCH_CLI_CONFIG_INVALID',
    '<file> is neither the hand-off of a launch nor the step of a plan, as status --output and plan status --output write them',
  );
}

async function chainChecks(
  endpoint: string,
  review: HandoffReview,
  trusted: readonly TrustedDeployment[],
  world: World,
): Promise<readonly ChainCheck[]> {
  const { transaction } = review;
  if (transaction === null) return [];
  try {
    const reads = await readChain(rpcProvider(endpoint, transaction.controller, world), transaction);
    // An endpoint has no selected account, so there is none to compare.
    return judgeChainReads(review, reads, trusted).filter(({ id }) => id !== 'account');
  } catch (error) {
    throw rpcFailure(error);
  }
}

/** Characters of a value on a terminal; calldata is longer. */
const SHOWN = 120;
const clipped = (value: string): string => (value.length <= SHOWN ? value : `${value.slice(0, SHOWN)}…`);

function textOf(facts: readonly HandoffFact[], checks: readonly HandoffCheck[], chain: readonly ChainCheck[]): string {
  const differing = checks.filter(({ verdict }) => verdict !== 'agrees');
  const failing = chain.filter(({ verdict }) => verdict !== 'passes');
  return [
    table(facts.map(({ label, display }): [string, string] => [label, plain(display)])),
    `${checks.length - differing.length} of ${checks.length} values agree with the request\n`,
    ...differing.map(
      ({ id, subject, claimed, computed, verdict, remedy }) =>
        `  ${plain(`${id} ${verdict}: ${subject}, claimed ${clipped(claimed)}, computed ${clipped(computed)}. ${remedy}`)}\n`,
    ),
    ...(chain.length === 0 ? [] : [`${chain.length - failing.length} of ${chain.length} conditions on chain hold\n`]),
    ...failing.map(({ id, sentence, remedy }) => `  ${plain(`${id}: ${sentence} ${remedy ?? ''}`.trimEnd())}\n`),
  ].join('');
}
