import { getOpenApi, type ApiClient } from '@launch/sdk/operations';
import { callOf, failureOf, type Read } from '../../../site/gateway.js';

export type Json = Readonly<Record<string, unknown>>;
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Json;
}
export type Content = Readonly<Record<string, { readonly schema?: Json; readonly example?: unknown }>>;
export interface ApiAnswer {
  readonly description?: string;
  readonly content?: Content;
}
export interface ApiOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly description?: string; readonly content: Content };
  readonly responses: Readonly<Record<string, ApiAnswer | { readonly $ref: string }>>;
}
/** The members of the service's OpenAPI document that the reference shows. */
export interface OpenApi {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

/** The service lets a client keep the document for this long without asking again. */
const FRESH_MS = 60_000;

/** Keeps the newest document of one gateway, at most one, and asks by its entity tag whether it is still current. */
export class OpenApiCache {
  private kept: { readonly etag: string; readonly document: OpenApi; readonly checkedAt: number } | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  async read(api: ApiClient): Promise<Read<OpenApi>> {
    const { kept } = this;
    if (kept !== undefined && this.now() - kept.checkedAt < FRESH_MS) return { is: 'value', value: kept.document };
    try {
      const answer = await callOf(api, getOpenApi, {
        header: kept === undefined ? {} : { 'If-None-Match': kept.etag },
      });
      if (answer.status === 304 && kept !== undefined) {
        this.kept = { ...kept, checkedAt: this.now() };
        return { is: 'value', value: kept.document };
      }
      if (answer.status !== 200)
        return { is: 'unavailable', code: String(answer.status), message: 'The service refused.', requestId: null };
      const document = answer.value as unknown as OpenApi;
      const etag = answer.headers.get('etag');
      if (etag !== null) this.kept = { etag, document, checkedAt: this.now() };
      return { is: 'value', value: document };
    } catch (error) {
      return failureOf(error);
    }
  }
}

/** The document of the gateway of this process. */
export const openApiCache = new OpenApiCache();

/** Follows a reference inside the document. @throws RangeError for one that leads nowhere */
export function resolveReference(document: OpenApi, reference: string): Json {
  let value: unknown = document;
  for (const name of reference.slice('#/'.length).split('/')) value = (value as Json | undefined)?.[name];
  if (typeof value !== 'object' || value === null) throw new RangeError(`${reference} leads nowhere`);
  return value as Json;
}
