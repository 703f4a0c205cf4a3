/** Launch families and the state machine of each product. Imports no library, so that workflow code can import it. */
export * from './custom-launch-states.js';
export * from './launch-families.js';
export * from './multi-role-states.js';
export * from './plan-states.js';
export * from './review-states.js';
