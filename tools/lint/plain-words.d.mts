export declare const SWEPT: readonly string[];
interface AvoidedWord {
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}
export declare function avoidedWords(text: string): readonly AvoidedWord[];
export declare function clauseOpenings(source: string): readonly AvoidedWord[];
export declare function commentsOf(source: string): string;
export declare function checkPlainWords(named: readonly string[]): readonly string[];
