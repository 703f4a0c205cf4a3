// Workflows of a release that cannot continue the admissions of the older one: it waits without their timer.
import { observeLaunch } from './older-release.bundle.js';

export { observeLaunch };

export const admitLaunch = observeLaunch;
