import type { JsonValue } from '@launch/contracts/json';
import type { operations } from './generated/schema.js';

/** The name of a route in the OpenAPI document. */
export type OperationId = keyof operations;

type ResponsesOf<Id extends OperationId> = operations[Id]['responses'];
export type StatusOf<Id extends OperationId> = keyof ResponsesOf<Id> & number;

type JsonKey = `application/json${string}`;
type JsonIn<Content> =
  Content extends Record<string, never>
    ? undefined
    : keyof Content & JsonKey extends never
      ? undefined
      : unknown extends Content[keyof Content & JsonKey]
        ? JsonValue
        : Content[keyof Content & JsonKey];
/** The decoded JSON of an answer; `undefined` for an answer with another content type, which has bytes only. */
export type ValueOf<Id extends OperationId, Status extends StatusOf<Id>> = ResponsesOf<Id>[Status] extends {
  readonly content?: infer Content;
}
  ? JsonIn<Content>
  : undefined;

/** A validator generated from a schema. `errors` lists the faults of the last refused value. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly { readonly instancePath: string; readonly keyword: string }[] | null;
}

/** The body of one answer. `codes` are the error codes that the route has under this status. */
export type AnswerBody =
  | { readonly body: 'schema'; readonly validate: Validator; readonly codes?: readonly string[] }
  | { readonly body: 'json' | 'bytes' | 'empty' };

/** A route: its request, and every answer that the document declares. */
export interface Operation<Id extends OperationId> {
  readonly id: Id;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path after the origin, with `{name}` for a parameter. */
  readonly path: string;
  /** Whether the route takes a key. Other routes receive none. */
  readonly secured: boolean;
  readonly answers: Readonly<Record<StatusOf<Id>, AnswerBody>>;
}

type ParametersOf<Id extends OperationId> = operations[Id]['parameters'];
type Sent<Name extends string, Value> = Value extends undefined
  ? { readonly [name in Name]?: undefined }
  : Record<never, never> extends Value
    ? { readonly [name in Name]?: Value }
    : { readonly [name in Name]: Value };

/**
 * The input of each route. With `as Id`, the compiler reads this table. For a generic route it would otherwise compute the
 * intersection of all inputs, which has too many members.
 */
type Inputs = {
  readonly [Id in OperationId as Id]: Sent<'path', ParametersOf<Id>['path']> &
    Sent<'query', ParametersOf<Id>['query']> &
    Sent<'header', ParametersOf<Id>['header']> &
    (operations[Id] extends { readonly requestBody: object }
      ? { readonly body: Uint8Array<ArrayBuffer> }
      : { readonly body?: undefined });
};

/** The input of a route. A body is sent as these exact bytes, because its digest may be known already. */
export type InputOf<Id extends OperationId> = Inputs[Id];

/** One of a route's answers, distinguished by `status`. */
export type Answer<Id extends OperationId> = {
  readonly [Status in StatusOf<Id>]: {
    readonly status: Status;
    readonly headers: Headers;
    /** The answer's exact bytes. */
    readonly bytes: Uint8Array;
    readonly value: ValueOf<Id, Status>;
  };
}[StatusOf<Id>];
