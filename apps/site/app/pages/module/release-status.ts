import type { Tone } from '../../ui/status.js';

/** The state of a release: its tone, its name, and its meaning for launches. */
export const RELEASE_STATUS = {
  active: ['good', 'Active', 'The service means it for new launches.'],
  current: ['good', 'Current', 'The service means it for new launches.'],
  retained: ['neutral', 'Retained', 'Its coins stay listed; new launches use another release.'],
  disabled: ['caution', 'Disabled', 'The operator takes no new launches from it; its coins stay listed.'],
} as const satisfies Record<string, readonly [Tone, string, string]>;
