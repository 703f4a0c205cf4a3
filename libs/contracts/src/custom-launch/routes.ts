import { CHAIN_BASE_PATH } from '../primitives/limits.js';

/** Every route of custom launches lives under this path. */
export const CUSTOM_LAUNCHES_PATH = `${CHAIN_BASE_PATH}/custom-launches`;
