// A file's suffix says what its tests need (docs/testing.md); each kind as a pattern of the path's end.
export const KINDS = {
  unit: String.raw`(?<!\.(integration|replay|e2e))\.spec\.ts$`,
  integration: String.raw`\.(integration|replay)\.spec\.ts$`,
  e2e: String.raw`\.e2e\.spec\.ts$`,
};
