import type { INestApplication } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { canonicalizeJson } from '@launch/contracts/json';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { type RouteDefinition, type RouteFamily } from '@launch/http';
import { API_SUBJECT } from '../tokens.js';
import type { ApiSubject } from './api-subject.js';
import { ComponentSchemas } from './component-schemas.js';
import { shareParts } from './shared-parts.js';

/** Draft 2020-12 with the annotations of OpenAPI: the default of 3.1. */
const DIALECT = 'https://spec.openapis.org/oas/3.1/dialect/base';

interface Described {
  readonly document: OpenAPIObject;
  readonly bytes: Uint8Array;
  readonly contentSha256: Sha256Digest;
}

/** Generates the OpenAPI 3.1 document from the handlers and the schemas that validate requests, once for each process. */
@Injectable()
export class OpenApiDocument {
  private served: { readonly app: INestApplication; readonly routes: readonly RouteDefinition[] } | undefined;
  private described: Described | undefined;

  constructor(@Inject(API_SUBJECT) private readonly subject: ApiSubject) {}

  /** Takes an application whose routes are known. The first read generates the document. @param routes the routes that it serves. */
  describe(app: INestApplication, routes: readonly RouteDefinition[]): void {
    this.served = { app, routes };
    this.described = undefined;
  }

  /** Generates the document at start, so that no request waits for it and a route that cannot be described stops the start. */
  make(): void {
    void this.made;
  }

  get routes(): readonly RouteDefinition[] {
    return this.application.routes;
  }

  get document(): OpenAPIObject {
    return this.made.document;
  }

  get bytes(): Uint8Array {
    return this.made.bytes;
  }

  get contentSha256(): Sha256Digest {
    return this.made.contentSha256;
  }

  private get made(): Described {
    return (this.described ??= describe(this.application, this.subject));
  }

  private get application() {
    if (this.served === undefined) throw new TypeError('the routes are not known before the application is made');
    return this.served;
  }
}

type Application = { readonly app: INestApplication; readonly routes: readonly RouteDefinition[] };

function describe({ app, routes }: Application, subject: ApiSubject): Described {
  const document = shareParts(documentOf(app, routes, subject));
  const bytes = canonicalizeJson(document);
  return { document, bytes, contentSha256: sha256Digest(bytes) };
}

function documentOf(app: INestApplication, routes: readonly RouteDefinition[], subject: ApiSubject): OpenAPIObject {
  const families = [...new Set(routes.map(({ family }) => family))];
  const schemas = new ComponentSchemas();
  const { paths, ...rest } = SwaggerModule.createDocument(app, head(routes, families, subject), {
    autoTagControllers: false,
  });
  for (const { errors } of families) for (const form of errors.forms) form.schemas.forEach((one) => schemas.refer(one));
  for (const schema of routes.flatMap(schemasOf)) schemas.refer(schema);
  const document = {
    ...rest,
    jsonSchemaDialect: DIALECT,
    paths,
    components: { ...rest.components, schemas: schemas.all() },
  };
  // Swagger leaves `undefined` members in the document.
  return JSON.parse(JSON.stringify(document)) as OpenAPIObject;
}

/** Returns the schemas that the description of a route refers to, except those of errors. */
const schemasOf = ({ body, answers }: RouteDefinition) =>
  [body?.schema, ...Object.values(answers).map(({ schema }) => schema)].filter((schema) => schema !== undefined);

/** Builds the description of the whole API. */
function head(
  routes: readonly RouteDefinition[],
  families: readonly RouteFamily[],
  subject: ApiSubject,
): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(subject.title)
    .setVersion('4.1.0')
    .setDescription(subject.description)
    .addServer('/');
  if (subject.guide !== null) builder.setExternalDoc(subject.guide.description, subject.guide.url);
  for (const { key } of families) builder.addSecurity(key.name, key.scheme);
  for (const [name, description] of sectionsOf(routes, subject)) builder.addTag(name, description);
  const { info, ...rest } = builder.build();
  const { title, version, description = '' } = info;
  // OpenAPI 3.1 names a licence by its SPDX identifier. The builder supports neither that nor a missing contact.
  const license = { name: 'MIT', identifier: 'MIT' };
  return { ...rest, info: { title, version, description, license } };
}

/** Returns the sections that have a route, in the order of the subject. @throws TypeError for one that the subject does not list. */
function sectionsOf(
  routes: readonly RouteDefinition[],
  { sections }: ApiSubject,
): readonly (readonly [name: string, description: string])[] {
  const described = new Map(routes.map(({ tag, family }) => [tag, family.tags[tag] ?? '']));
  const unknown = [...described.keys()].filter((tag) => !sections.includes(tag));
  if (unknown.length > 0) throw new TypeError(`the description has no section ${unknown.join(', ')}`);
  return sections.flatMap((name) => {
    const description = described.get(name);
    return description === undefined ? [] : [[name, description] as const];
  });
}
