import { RegExpParser, type AST } from '@eslint-community/regexpp';
import { analyse } from 'scslre';

const parser = new RegExpParser({ ecmaVersion: 2025 });
/** Characters by which it is judged whether two parts of a pattern take the same one. */
const SAMPLE: readonly string[] = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...['é', '\u200b', '\u2028', '\u{1f600}'],
];

type Takes = (character: string) => boolean;

/**
 * Whether a pattern has a super-linear worst case: as one match, or as a search that runs on from each of many places.
 * The first is found by scslre. The second it finds for patterns that begin with their run alone, so that what precedes a
 * run is judged here. A doubtful pattern counts as super-linear.
 */
export function isSuperLinear(source: string, flags: string): boolean {
  return (
    analyse({ source, flags }, { reportTypes: { Move: true, Self: true, Trade: true } }).reports.length > 0 ||
    restarts(source, flags)
  );
}

/**
 * Whether a search can begin again and again within one run: an unbounded run that also takes all that precedes it, with
 * something behind it that can fail. `\bpublic\b[^;]*=` in a text of `public ` is one.
 */
function restarts(source: string, flags: string): boolean {
  if (flags.includes('y')) return false;
  const pattern = parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const takes = takesOf(flags.replaceAll(/[gmy]/g, ''));
  return pattern.alternatives.some(({ elements }) => {
    const [first] = elements;
    if (first?.type === 'Assertion' && first.kind === 'start' && !flags.includes('m')) return false;
    return elements.some((run, index) => {
      if (index === 0 || index === elements.length - 1) return false;
      const before = elements.slice(0, index);
      return runsOf(run).some((one) => isTaken(before, takes(one), takes));
    });
  });
}

/** Unbounded repetitions in a part of a pattern. */
function runsOf(element: AST.Element): AST.QuantifiableElement[] {
  if (element.type === 'Quantifier')
    return [...(element.max === Infinity ? [element.element] : []), ...runsOf(element.element)];
  if (element.type !== 'Group' && element.type !== 'CapturingGroup') return [];
  return element.alternatives.flatMap(({ elements }) => elements.flatMap(runsOf));
}

/** Whether a run takes every character that these parts need, so that they can be repeated within it. */
function isTaken(elements: readonly AST.Element[], run: Takes, takes: (element: AST.Element) => Takes): boolean {
  return elements.every((element): boolean => {
    if (element.type === 'Assertion' || (element.type === 'Quantifier' && element.min === 0)) return true;
    const one = element.type === 'Quantifier' ? element.element : element;
    if (one.type === 'Group' || one.type === 'CapturingGroup')
      return one.alternatives.some((alternative) => isTaken(alternative.elements, run, takes));
    const needed = takes(one);
    return SAMPLE.some((character) => needed(character) && run(character));
  });
}

/** Returns a test for the characters that a part of a pattern takes. A group or a reference in a run may take any. */
const takesOf =
  (flags: string) =>
  (element: AST.Element): Takes => {
    if (element.type !== 'Character' && element.type !== 'CharacterClass' && element.type !== 'CharacterSet')
      return () => true;
    const alone = new RegExp(`^(?:${element.raw})$`, flags);
    return (character) => alone.test(character);
  };
