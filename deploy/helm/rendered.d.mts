/** The folder of the chart. */
export const CHART: string;
/** Names of the value sets. */
export const VALUE_SETS: readonly string[];
/** Names of the sets with other kinds of objects. */
export const FURTHER_SETS: readonly string[];
export function valuesOf(set: string): string;
export function valueFilesOf(set: string): readonly string[];
export function renderedOf(set: string): string;
export function parseYaml(text: string): unknown;
export function parseManifests(text: string): readonly object[];
export function inputsOf(set: string): string;
export function recordOf(set: string, manifests: readonly object[]): string;
export function recordedInputs(text: string): string | undefined;
