export declare const SWEPT: readonly string[];
export declare function avoidedWords(
  text: string,
): readonly { readonly line: number; readonly word: string; readonly instead: string }[];
export declare function commentsOf(source: string): string;
export declare function checkPlainWords(named: readonly string[]): readonly string[];
