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
/** What an answer's JSON says; `undefined` where the answer is something else, whose bytes are all there is. */
export type ValueOf<Id extends OperationId, Status extends StatusOf<Id>> = ResponsesOf<Id>[Status] extends {
  readonly content?: infer Content;
}
  ? JsonIn<Content>
  : undefined;

/** A validator that was generated of a schema; `errors` says what the last value was refused for. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly { readonly instancePath: string; readonly keyword: string }[] | null;
}

/** The body of one answer. `codes` are the error codes that the route has under this status. */
export type AnswerBody =
  | { readonly body: 'schema'; readonly validate: Validator; readonly codes?: readonly string[] }
  | { readonly body: 'json' | 'bytes' | 'empty' };

/** A route: what is sent, and every answer that the document names. */
export interface Operation<Id extends OperationId> {
  readonly id: Id;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the origin on, with `{name}` for a parameter. */
  readonly path: string;
  /** Whether it takes a key; to any other route no key is sent. */
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
 * Of each route by itself; `as Id` has the compiler look it up here. For a route that is not known yet it would else make the
 * intersection anew, of as many types as the inputs of all routes make combinations.
 */
type Inputs = {
  readonly [Id in OperationId as Id]: Sent<'path', ParametersOf<Id>['path']> &
    Sent<'query', ParametersOf<Id>['query']> &
    Sent<'header', ParametersOf<Id>['header']> &
    (operations[Id] extends { readonly requestBody: object }
      ? { readonly body: Uint8Array<ArrayBuffer> }
      : { readonly body?: undefined });
};

/** The input of a route. A body is sent as these very bytes, since its digest may be known already. */
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
