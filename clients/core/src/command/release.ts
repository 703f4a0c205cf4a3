/** The release of all programs and libraries of one tree. The module CLI has releases of its own. */
export const RELEASE = '4.1.2';
