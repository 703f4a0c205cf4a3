import type { LaunchCoverage } from '@launch/contracts/reports';
import type { GatesReading } from './launch-gates.service.js';

/** The recipe whose exact server proof `seedV1` describes. */
const SEED_RECIPE = 'native20-seed@1';

/** Returns the profile that scenarios may be assessed for; null unless its context, price feeds and machine contract are as bound. */
export const assessableProfile = ({ release }: GatesReading): string | null =>
  release.reasonCodes.length === 0 ? (release.bound?.profile ?? null) : null;

/** Reports whether the published context contains the templates of the recipe and is as bound. */
export const seedCoverage = (reading: GatesReading): LaunchCoverage['activatedVerifierCoverage']['seedV1'] =>
  assessableProfile(reading) !== null && reading.release.bound?.recipes.includes(SEED_RECIPE) === true
    ? 'proof-available'
    : 'unavailable';
