import { MACHINE_CONTRACT_DIGESTS } from '@launch/contracts/custom-launch';

/** The release of this program (docs/reference/custom-launch.md#launch-cli-release); package.json has the same number. */
export const VERSION = '4.1.2';
/** The funding, admission and request contract of this program; the server selects it. */
export const API_PROFILE = '4.1.0';
/** SHA-256 of the machine contract of that profile, which a deployment of the profile binds. */
export const OPENAPI_SHA256 = MACHINE_CONTRACT_DIGESTS['4.1'];
