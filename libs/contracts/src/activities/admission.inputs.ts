import { z } from 'zod';
import type { AdmissionActivities } from '../orchestration/admission.types.js';
import {
  addressSchema,
  bytes32Schema,
  hexBytesSchema,
  sha256DigestSchema,
  slugSchema,
  uint256Schema,
  unixSecondsSchema,
  uuidSchema,
} from '../primitives/scalars.schema.js';
import { ERROR_CODES } from '../errors/catalogue.js';
import { CUSTOM_LAUNCH_CODES } from '../errors/custom-launch.catalogue.js';
import { inputsOf } from './activity-inputs.js';
import { findingsSchema, launchFamilySchema, launchRefSchema } from './launch.inputs.js';

const SIGNATURE_BYTES = 65;

/** A permit as the services exchange it. */
export const permitFieldsSchema = z.strictObject({
  controller: addressSchema,
  requestHash: bytes32Schema,
  contextHash: bytes32Schema,
  economicsHash: bytes32Schema,
  instructionPolicyHash: bytes32Schema,
  graphHash: bytes32Schema,
  poolHash: bytes32Schema,
  callHash: bytes32Schema,
  value: uint256Schema,
  nonce: uint256Schema,
  validAfter: unixSecondsSchema,
  deadline: unixSecondsSchema,
});
/** A permit of router V1 as the services exchange it. */
export const permitFieldsV1Schema = z.strictObject({
  ...permitFieldsSchema.shape,
  profile: bytes32Schema,
  mode: z.number().int().min(0).max(255),
  stepsHash: bytes32Schema,
});
const signedPermitSchema = z.strictObject({
  permitDigest: bytes32Schema,
  permit: z.union([permitFieldsSchema, permitFieldsV1Schema]),
  signature: hexBytesSchema(SIGNATURE_BYTES),
});

const compilationVerdictSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('compiled'),
    compiled: z.strictObject({
      schemaVersion: z.literal('service.compiled-launch.v1'),
      components: z
        .array(z.strictObject({ componentId: slugSchema, hookCallbacks: z.array(z.string().max(64)).max(16) }))
        .max(16),
    }),
  }),
  z.strictObject({ kind: z.literal('refused'), findings: findingsSchema }),
]);

/** Argument schemas of the activities of `launch-admission`. */
export const admissionInputs = inputsOf<AdmissionActivities>()({
  judgeRequest: z.tuple([launchRefSchema, compilationVerdictSchema]),
  judgePreflight: z.tuple([launchRefSchema, compilationVerdictSchema]),
  issueRefusal: z.tuple([
    z.strictObject({
      launchId: uuidSchema,
      family: launchFamilySchema.optional(),
      requestSha256: sha256DigestSchema,
      requestHash: bytes32Schema,
      codes: z
        .array(z.union([z.enum(ERROR_CODES), z.enum(CUSTOM_LAUNCH_CODES)]))
        .min(1)
        .max(64),
    }),
  ]),
  rehearseLaunch: z.tuple([launchRefSchema, bytes32Schema]),
  readUsdReference: z.tuple([launchRefSchema]),
  simulateHandoff: z.tuple([launchRefSchema, signedPermitSchema, sha256DigestSchema.optional()]),
});
