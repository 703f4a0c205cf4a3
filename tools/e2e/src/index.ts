export { packReference, type ReferenceChoices } from './reference-request.js';
export { editStandardJson, relocate, requestOf, reseal, thaw, type MutableRequest } from './request-mutation.js';
