import type { Compiler } from '@launch/compiler';
import type { CreateRequest } from '@launch/contracts/multi-role';
import { matchBytecode } from '@launch/evm';

export interface Verified {
  readonly verdict: 'pass' | 'fail';
  /** The first component's interface. */
  readonly abi: readonly unknown[];
}

/** Compile and match as admission does it: one compilation a unit, only the targets generated, every component exact. */
export async function verifyRequest(request: CreateRequest, compiler: Compiler): Promise<Verified> {
  const { compilationUnits, components } = request.compilerVerification;
  let abi: readonly unknown[] | undefined;
  for (const unit of compilationUnits) {
    const ofUnit = components.filter((component) => component.target.compilationUnitId === unit.compilationUnitId);
    const compiled = await compiler.compile({
      version: unit.compilerVersion,
      standardJsonInput: Buffer.from(unit.standardJsonInputBase64, 'base64'),
      targets: ofUnit.map(({ target }) => ({ path: target.path, contract: target.contract })),
    });
    if (compiled.verdict === 'failed') return { verdict: 'fail', abi: [] };
    for (const { componentId, target, runtimeMaterialization } of ofUnit) {
      const component = request.graphBundle.components.find((one) => one.componentId === componentId);
      const contract = compiled.output.contracts.find(
        (one) => one.path === target.path && one.contract === target.contract,
      );
      if (component === undefined || contract === undefined) return { verdict: 'fail', abi: [] };
      const { verdict } = matchBytecode({
        compiled: contract,
        libraries: runtimeMaterialization.libraries.map((library) => ({ ...library, address: library.address })),
        creationBytecode: component.creationBytecode,
        constructorArgs: component.constructorArgs,
        runtimeBytecode: component.expectedRuntimeCode,
        address: component.predictedAddress,
      });
      if (verdict !== 'pass') return { verdict: 'fail', abi: [] };
      abi ??= contract.abi;
    }
  }
  return { verdict: 'pass', abi: abi ?? [] };
}
