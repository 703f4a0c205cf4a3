/** A JSON value. Objects that the strict parser makes have a null prototype. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object; absent members read as `undefined`. */
export interface JsonObject {
  [member: string]: JsonValue;
}
