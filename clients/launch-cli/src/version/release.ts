/** The release of this program (docs/reference/custom-launch.md#launch-cli-release); package.json has the same number. */
export const VERSION = '4.1.2';
/** The funding, admission and request contract of this program; the server selects it. */
export const API_PROFILE = '4.1.0';
