import type { OpenAPIObject } from '@nestjs/swagger';
import { canonicalizeJson } from '@launch/contracts/json';
import { sha256Digest } from '@launch/contracts/primitives';
import { SharedSchemas, type Json } from './shared-schemas.js';

type Responses = Record<string, Json>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
const keyOf = (part: unknown): string => Buffer.from(canonicalizeJson(part)).toString();
/** Returns a suffix that depends on the part alone, not on the rest of the document. */
const suffixOf = (key: string): string => sha256Digest(Buffer.from(key)).slice('sha256:'.length, 'sha256:'.length + 8);

/**
 * Writes each repeated part of a document once, as a component, and refers to it: headers, the responses that operations
 * have in common (nearly every error), and schemas that several bodies contain. The document keeps its meaning.
 */
export function shareParts(document: OpenAPIObject): OpenAPIObject {
  const headers = new NamedParts();
  const responses = new NamedParts();
  const operations = Object.values(document.paths as Record<string, Record<string, { responses: Responses }>>).flatMap(
    (item) => METHODS.flatMap((method) => item[method] ?? []),
  );
  const times = new Map<string, number>();
  for (const operation of operations) {
    for (const [status, { headers: own, ...rest }] of Object.entries(operation.responses)) {
      const shared = Object.entries((own ?? {}) as Json).map(([name, header]) => [
        name,
        { $ref: `#/components/headers/${headers.nameOf(name, header)}` },
      ]);
      const response = { ...rest, ...(own === undefined ? {} : { headers: Object.fromEntries(shared) as Json }) };
      operation.responses[status] = response;
      times.set(keyOf(response), (times.get(keyOf(response)) ?? 0) + 1);
    }
  }
  for (const operation of operations) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (times.get(keyOf(response)) === 1) continue;
      const name = responses.nameOf(`Status${status}_${suffixOf(keyOf(response))}`, response);
      operation.responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  const { schemas = {}, ...components } = document.components ?? {};
  return {
    ...document,
    components: {
      ...components,
      headers: headers.all(),
      responses: responses.all(),
      schemas: new SharedSchemas(schemas as Record<string, Json>).all(),
    },
  } as OpenAPIObject;
}

/** Parts by name. A name that another part already has gets a suffix. */
class NamedParts {
  private readonly names = new Map<string, string>();
  private readonly parts = new Map<string, unknown>();

  nameOf(wanted: string, part: unknown): string {
    const key = `${wanted} ${keyOf(part)}`;
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const name = this.parts.has(wanted) ? `${wanted}_${suffixOf(key)}` : wanted;
    this.names.set(key, name);
    this.parts.set(name, part);
    return name;
  }

  all(): Record<string, unknown> {
    return Object.fromEntries(this.parts);
  }
}
