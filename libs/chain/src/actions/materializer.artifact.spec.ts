import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { MATERIALIZER_ABI, MATERIALIZER_RUNTIME_CODE } from './materializer.artifact.js';

const artifact = new URL('../../../../solidity/artifacts/Materializer.json', import.meta.url);

describe('the Materializer of this library', () => {
  it('equals the artifact that the repository compiles', () => {
    expect(existsSync(artifact)).toBe(true);
    const compiled = JSON.parse(readFileSync(artifact, 'utf8')) as { abi: unknown; runtimeCode: string };
    expect(MATERIALIZER_RUNTIME_CODE).toBe(compiled.runtimeCode);
    expect(MATERIALIZER_ABI).toEqual(compiled.abi);
  });
});
