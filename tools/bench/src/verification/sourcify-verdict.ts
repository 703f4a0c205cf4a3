import {
  setLibSourcifyLogger,
  SolidityCompilation,
  Verification,
  type ISolidityCompiler,
  type SourcifyChain,
} from '@ethereum-sourcify/lib-sourcify';

/** A contract for lib-sourcify to verify. All bytes are hex with `0x`. */
export interface SourcifyCase {
  readonly compilerVersion: string;
  /** Standard JSON input, parsed; lib-sourcify sets the output selection itself. */
  readonly standardJsonInput: Record<string, unknown>;
  readonly target: { readonly path: string; readonly name: string };
  /** Creation bytecode and constructor arguments in one, as a transaction carries them; absent: not checked. */
  readonly creation?: string;
  readonly runtime: string;
}

/** `perfect`, `partial` or null (no match) each; `error` is lib-sourcify's code when it came to no answer. */
export interface SourcifyVerdict {
  readonly runtime: string | null;
  readonly creation: string | null;
  readonly error: string | null;
}

const ADDRESS = `0x${'1'.repeat(40)}`;
const HASH = `0x${'2'.repeat(64)}`;

setLibSourcifyLogger({ logLevel: 0, log: () => undefined, setLevel: () => undefined });

/** Verifies with lib-sourcify: its own compile, its own comparison, a chain that answers from the case. */
export async function sourcifyVerdict(
  one: SourcifyCase,
  compile: (input: string) => unknown,
): Promise<SourcifyVerdict> {
  const compiler = {
    compile: (_version: string, input: unknown) => Promise.resolve(compile(JSON.stringify(input))),
  } as ISolidityCompiler;
  const chain = {
    chainId: 4663,
    getBytecode: () => Promise.resolve(one.runtime),
    getTx: () => Promise.resolve({ blockNumber: 1, from: ADDRESS }),
    getContractCreationBytecodeAndReceipt: () =>
      Promise.resolve({ creationBytecode: one.creation, txReceipt: { index: 0 } }),
  } as unknown as SourcifyChain;
  const input = structuredClone(one.standardJsonInput) as unknown as ConstructorParameters<
    typeof SolidityCompilation
  >[2];
  const compilation = new SolidityCompilation(compiler, one.compilerVersion, input, one.target);
  const verification = new Verification(compilation, chain, ADDRESS, one.creation === undefined ? undefined : HASH);
  try {
    await verification.verify();
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== 'string') throw error;
    return { ...statusOf(verification), error: code };
  }
  return { ...statusOf(verification), error: null };
}

function statusOf(verification: Verification): { runtime: string | null; creation: string | null } {
  const { runtimeMatch, creationMatch } = verification.status;
  return { runtime: runtimeMatch, creation: creationMatch };
}
