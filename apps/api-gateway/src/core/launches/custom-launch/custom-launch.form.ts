import { anyCustomLaunchRequestSchema } from '@launch/contracts/custom-launch';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import type { CustomLaunchFinding } from '@launch/contracts/errors';
import { keccak256Hex, type Hex } from '@launch/contracts/primitives';
import type { LaunchFamily } from '@launch/contracts/states';
import { type CustomLaunchBody, judgedCustomLaunch, launchV1Commitments } from '@launch/evm';
import { readSchema, readStrictJson } from '@launch/http/requests';
import { inflateNatively } from '@launch/images/node';
import { CUSTOM_LAUNCH_FORM, judge } from '@launch/launch-rules';
import type { z } from 'zod';
import type { RequestForm } from '../../../platform/request-forms/request-form.js';
import { imageBytesOf } from '../request-image.js';

/**
 * The contents of a custom-launch or plan body, with every fault of form that is independent of the chain and this
 * deployment. Plain data, so that another thread can compute it.
 */
export interface CustomLaunchForm {
  readonly requestHash: Hex;
  readonly artifactHash: Hex;
  readonly onchainLaunchId: Hex;
  readonly launchWallet: Hex;
  readonly nonce: string;
  readonly permitWindow: CustomLaunchBody['permitWindow'];
  readonly profile: CustomLaunchBody['profile'];
  /** The context that the body names, which may differ from the one it was read with. */
  readonly contextHash: Hex;
  readonly checkpoint: CustomLaunchBody['checkpoint'];
  readonly funding: CustomLaunchBody['funding'];
  readonly budgets: CustomLaunchBody['budgets'];
  readonly components: readonly {
    readonly componentId: string;
    readonly account: Hex;
    readonly runtimeCodeHash: Hex;
  }[];
  /** The bytes of the admitted image; null when a finding gives the reason. */
  readonly image: Uint8Array | null;
  readonly findings: readonly CustomLaunchFinding[];
}

/** A body that was read, with its form. */
export interface ReadBody<Body extends CustomLaunchBody> {
  readonly body: Body;
  readonly form: CustomLaunchForm;
}

/**
 * Reads a body: checks bytes, then schema, then its statements about itself.
 * @param context the context that enters its hashes.
 * @throws ApiError for bytes (400) and schema (422), each with every finding.
 */
export function readCustomLaunchBody<Body extends CustomLaunchBody>(
  schema: z.ZodType<Body>,
  bytes: Uint8Array,
  context: CustomLaunchContext,
): ReadBody<Body> {
  const body = readSchema(schema, readStrictJson(bytes));
  const image = imageBytesOf(body);
  const findings = judge(CUSTOM_LAUNCH_FORM, {
    request: judgedCustomLaunch(body, context),
    image,
    inflate: inflateNatively,
  });
  const { artifactHash, onchainLaunchId } = launchV1Commitments(body, context);
  const { launchWallet, nonce, permitWindow, profile, contextHash, checkpoint, funding, budgets, graphBundle } = body;
  return {
    body,
    form: {
      requestHash: keccak256Hex(bytes),
      artifactHash,
      onchainLaunchId,
      launchWallet,
      nonce,
      permitWindow,
      profile,
      contextHash,
      checkpoint,
      funding,
      budgets,
      components: graphBundle.components.map(({ componentId, predictedAddress, expectedRuntimeCodeHash }) => ({
        componentId,
        account: predictedAddress,
        runtimeCodeHash: expectedRuntimeCodeHash,
      })),
      image,
      findings,
    },
  };
}

/** The families whose bodies name a custom-launch context by its hash. */
export type CustomLaunchFamily = Extract<LaunchFamily, 'custom-launch.v4' | 'plan.v1'>;

/** Reads bodies of one of these families with the context that this deployment publishes. */
export interface CustomLaunchRequestForm<Form extends CustomLaunchForm> extends RequestForm<CustomLaunchContext, Form> {
  readonly name: CustomLaunchFamily;
}

/** The request of a custom launch, of either profile. */
export const customLaunchForm: CustomLaunchRequestForm<CustomLaunchForm> = {
  name: 'custom-launch.v4',
  read: (bytes, context) => readCustomLaunchBody(anyCustomLaunchRequestSchema, bytes, context).form,
};
