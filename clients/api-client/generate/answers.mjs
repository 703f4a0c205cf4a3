/**
 * Reads response bodies from the document and generates their validation code, so a client compiles no schema when it starts.
 */
import Ajv2020 from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';

const COMPONENTS = '#/components/schemas/';
const isJson = (mediaType) => /^application\/json(;|$)/.test(mediaType);

/**
 * The body of an answer.
 * @param {{content?: Record<string, {schema?: object}>}} response as the document has it
 * @returns {{kind: 'schema' | 'json' | 'bytes' | 'empty', schema?: object, component?: string, codes?: string[]}} `schema` is
 * the validated schema, `component` its name if it has one, and `codes` the error codes of the route.
 */
export function bodyOf({ content = {} }) {
  if (Object.keys(content).length === 0) return { kind: 'empty' };
  const mediaType = Object.keys(content).find(isJson);
  if (mediaType === undefined) return { kind: 'bytes' };
  const { schema } = content[mediaType];
  if (schema === undefined) return { kind: 'json' };
  const [first, second, ...more] = schema.allOf ?? [];
  const codes = second?.properties?.error?.properties?.code?.enum;
  // A route's error body: the component's, with a list of codes.
  if (first?.$ref !== undefined && codes !== undefined && more.length === 0)
    return { kind: 'schema', schema: first, component: nameOf(first), codes };
  return { kind: 'schema', schema, component: nameOf(schema) };
}

const nameOf = ({ $ref }) => ($ref?.startsWith(COMPONENTS) ? $ref.slice(COMPONENTS.length) : undefined);

/**
 * Returns the code of a module that exports `validate`.
 * @param {Record<string, object>} components the document's named schemas
 * @param {object} schema the schema to validate
 * @param {boolean} isClosed whether members that a schema does not name are wrong
 * @throws Error for an unknown keyword, so no part of a schema goes unchecked
 */
export function validatorCode(components, schema, isClosed) {
  const inForm = (one) => (isClosed ? one : opened(one));
  const ajv = new Ajv2020({ ...options, code: { source: true, esm: true, lines: true }, validateSchema: false });
  ajv.addSchema(namedSchemas(components, isClosed));
  ajv.addSchema(wellFormed(inAjv({ ...inForm(schema), $id: 'answer' })));
  const code = standaloneCode.default(ajv, { validate: 'answer' });
  if (/\brequire\(/.test(code)) throw new Error('a validator needs a library at run time');
  const read = withoutUnreadMembers(code);
  return read.endsWith('\n') ? read : `${read}\n`;
}

/**
 * Removes what no client reads of an error: the place in the schema and the parameters, with the parts of schemas that only they
 * name. A third of a client's code is otherwise this.
 */
const withoutUnreadMembers = (code) =>
  code.replaceAll(/schemaPath:"(?:[^"\\]|\\.)*",/g, '').replaceAll(/,params:\{(?:"(?:[^"\\]|\\.)*"|[^"{}])*\}/g, '');

const options = {
  // Lengths are UTF-16 code units, as the service counts them. Ajv marks the option as deprecated.
  unicode: false,
  logger: false,
  strictTypes: false,
  messages: false,
};

/** Validates schemas against their dialect. Compiled once: each validator's compiler would compile it again. */
const dialect = new Ajv2020(options);
function wellFormed(schema) {
  dialect.validateSchema(schema, true);
  return schema;
}

/**
 * The components that validators refer to, one set for closed and one for open responses, shared by a document's hundred
 * responses.
 */
const readComponents = new Map();
function namedSchemas(components, isClosed) {
  if (readComponents.get(isClosed)?.components !== components) {
    const named = Object.entries(components).map(([name, one]) => [name, isClosed ? one : opened(one)]);
    readComponents.set(isClosed, {
      components,
      schema: wellFormed(inAjv({ $id: 'api', $defs: Object.fromEntries(named) })),
    });
  }
  return readComponents.get(isClosed).schema;
}

/** Returns a copy without descriptions that refers to the components as parts of the schema `api`. */
const inAjv = (schema) =>
  JSON.parse(
    JSON.stringify(schema, (name, value) =>
      name === 'description' && typeof value === 'string'
        ? undefined
        : typeof value === 'string' && value.startsWith(COMPONENTS)
          ? `api#/$defs/${value.slice(COMPONENTS.length)}`
          : value,
    ),
  );

/** Returns the schema without the restrictions that exclude members and codes of later releases. */
function opened(schema) {
  if (Array.isArray(schema)) return schema.map(opened);
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(key === 'additionalProperties' && value === false))
      .map(([key, value]) => [key, key === 'properties' ? openedMembers(value) : opened(value)]),
  );
}

const CODE = '^[A-Z][A-Z0-9_]*$';
const isErrorCode = (name, { enum: values }) =>
  name === 'code' && Array.isArray(values) && values.every((one) => new RegExp(CODE).test(one));

const openedMembers = (members) =>
  Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [
      name,
      isErrorCode(name, schema) ? { type: 'string', pattern: CODE, maxLength: 128 } : opened(schema),
    ]),
  );
