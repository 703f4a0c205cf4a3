/** Error catalogues, findings and coded errors. Imports no library, so that workflow code can import it. */
export * from './catalogue.js';
export * from './coded-error.js';
export * from './custom-launch.catalogue.js';
export * from './finding.js';
export * from './make-finding.js';
export * from './modules.catalogue.js';
export * from './reason.catalogue.js';
export * from './reviewer-codes.js';
export * from './reviewer.catalogue.js';
