/**
 * The Nexus endpoint by which launches call custody, which works in a namespace of its own. Its target is the queue
 * `launch-custody` of that namespace.
 */
export const CUSTODY_ENDPOINT = 'launch-custody';

/** The Nexus service of custody; its operations have the names of `CustodyOperations`. */
export const CUSTODY_SERVICE = 'launch-custody';
