export interface Program {
  readonly wheel?: string;
  readonly wrapper?: string;
  readonly package?: string;
}
export const WRAPPERS: Readonly<Record<string, { readonly module: string }>>;
export const PROGRAMS: Readonly<Record<string, Program>>;
export const NODE_PROGRAMS: readonly string[];
export function pinnedVersion(goMod: string, module: string): string;
export function buildArguments(program: Program | undefined, version: string, output: string): readonly string[];
