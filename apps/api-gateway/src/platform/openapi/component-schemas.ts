import { componentName, COMPONENTS } from '@launch/http';
import { z } from 'zod';

type Json = Readonly<Record<string, unknown>>;

/** The prefix under which zod puts parts that more than one body contains. */
const SHARED = '__shared#/$defs/';

/**
 * The named schemas of a description. `SwaggerModule` gets a reference for each schema that it meets. All are written
 * together at the end, so that a part of several bodies is written once.
 */
export class ComponentSchemas {
  private readonly named = z.registry<{ id: string }>();
  private readonly known = new Set<unknown>();

  /** Makes a schema a component and returns a reference to it. @throws TypeError for a schema that is not zod's or has no name. */
  refer(schema: unknown): { readonly schema: Json } {
    if (!(schema instanceof z.ZodType)) throw new TypeError('a body of the API is described by zod');
    const id = componentName(schema);
    if (!this.known.has(schema)) this.named.add(schema, { id });
    this.known.add(schema);
    return { schema: { $ref: `${COMPONENTS}${id}` } };
  }

  /** Returns every schema by its name, in JSON Schema draft 2020-12. */
  all(): Readonly<Record<string, Json>> {
    const { schemas } = z.toJSONSchema(this.named, {
      uri: (id) => `${COMPONENTS}${id}`,
      target: 'draft-2020-12',
      unrepresentable: 'any',
    });
    const { __shared, ...bodies } = schemas as Record<string, { readonly $defs?: Record<string, Json> }>;
    return Object.fromEntries(
      Object.entries<Json>({ ...(__shared?.$defs ?? {}), ...bodies }).map(([name, schema]) => {
        const { $schema: _dialect, $id: _id, id: _name, ...rest } = schema;
        return [name, JSON.parse(JSON.stringify(rest, ownReference)) as Json];
      }),
    );
  }
}

/** Refers to a part that more than one body contains as to any other component. */
const ownReference = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(`${COMPONENTS}${SHARED}`)
    ? `${COMPONENTS}${value.slice(`${COMPONENTS}${SHARED}`.length)}`
    : value;
