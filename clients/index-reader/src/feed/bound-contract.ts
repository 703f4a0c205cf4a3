import { CUSTOM_LAUNCH_FEED_PATH, type CustomLaunchFinalizedList } from '@launch/contracts/custom-launch';
import type { JsonValue } from '@launch/contracts/json';
import { CAIP2, sha256Digest, sha256DigestSchema, type Sha256Digest } from '@launch/contracts/primitives';
import { launchReportPath } from '@launch/contracts/reports';
import { z } from 'zod';
import { FeedError } from './feed.error.js';
import type { ServiceRead } from './service-read.js';

/** The part of readiness that a reader needs. It is open: a later service may add members. */
const readinessSchema = z.looseObject({
  chainId: z.string(),
  caip2: z.string(),
  openApiUrl: z.string().nullable(),
  openApiSha256: sha256DigestSchema.nullable(),
});

const componentRef = z.string().regex(/^#\/components\/schemas\/[A-Za-z0-9_]+$/);
/** The place of the feed's answer in the machine contract; the rest is not read. */
const contractSchema = z.looseObject({
  paths: z.looseObject({
    [CUSTOM_LAUNCH_FEED_PATH]: z.looseObject({
      get: z.looseObject({
        responses: z.looseObject({
          200: z.looseObject({
            content: z.looseObject({
              'application/json': z.looseObject({ schema: z.looseObject({ $ref: componentRef }) }),
            }),
          }),
        }),
      }),
    }),
  }),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
});

/** The contract that readiness binds, with its check of pages. */
export interface BoundContract {
  readonly sha256: Sha256Digest;
  /** @throws {FeedError} `PAGE_INVALID` */
  page(json: JsonValue): CustomLaunchFinalizedList;
}

/**
 * Reads readiness and the machine contract that it binds by the digest of its exact bytes.
 * @throws {FeedError} if readiness is of another chain or binds no contract, or if the bytes differ.
 */
export async function readBoundContract(service: ServiceRead): Promise<BoundContract> {
  const readiness = readinessSchema.safeParse((await service.get(launchReportPath('readiness'))).json);
  if (!readiness.success) throw new FeedError('READINESS_INVALID', 'readiness has another form');
  const { chainId, caip2, openApiUrl, openApiSha256 } = readiness.data;
  if (`eip155:${chainId}` !== CAIP2 || caip2 !== CAIP2)
    throw new FeedError('CHAIN_WRONG', `readiness is not of ${CAIP2}`);
  if (openApiUrl === null || openApiSha256 === null)
    throw new FeedError('CONTRACT_UNBOUND', 'readiness binds no machine contract');
  if (!URL.canParse(openApiUrl, service.origin) || new URL(openApiUrl, service.origin).origin !== service.origin)
    throw new FeedError('CONTRACT_ELSEWHERE', 'the machine contract is not at the origin that was asked');

  const { bytes, json } = await service.get(openApiUrl);
  if (sha256Digest(bytes) !== openApiSha256)
    throw new FeedError('CONTRACT_BYTES_DIFFER', 'the machine contract has other bytes than readiness binds');
  const judge = pageSchema(json);
  return {
    sha256: openApiSha256,
    page: (answer) => {
      if (!judge.safeParse(answer).success)
        throw new FeedError('PAGE_INVALID', 'a page breaks the machine contract of its own service');
      // The frozen contract is written from this type, and the page has passed the contract.
      return answer as unknown as CustomLaunchFinalizedList;
    },
  };
}

/** Returns the contract's schema of a page, with the schemas that it refers to. */
function pageSchema(contract: JsonValue): z.ZodType {
  const read = contractSchema.safeParse(contract);
  if (!read.success) throw new FeedError('CONTRACT_WITHOUT_FEED', 'the machine contract has no answer of the feed');
  const { $ref } = read.data.paths[CUSTOM_LAUNCH_FEED_PATH].get.responses[200].content['application/json'].schema;
  try {
    return z.fromJSONSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...(moved({ $ref, $defs: read.data.components.schemas }) as object),
    });
  } catch (error) {
    throw new FeedError('CONTRACT_WITHOUT_FEED', 'the schema of the feed cannot be used', { cause: error });
  }
}

/** Moves references: OpenAPI keeps schemas under components, JSON Schema under `$defs`. */
function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string'
        ? member.replace(/^#\/components\/schemas\//, '#/$defs/')
        : moved(member),
    ]),
  );
}
