import { visibleText } from '../site/untrusted.js';

const LONGEST_IN_LIST = 48;

/** Text of a launcher, isolated from the direction of the text around it. `absent` says that the token has none. */
export function Untrusted({ text, absent, short = false }: { text: string | null; absent: string; short?: boolean }) {
  if (text === null || text === '') return <span className="text-muted italic">{absent}</span>;
  const whole = visibleText(text);
  const shown = short ? visibleText(text, LONGEST_IN_LIST) : whole;
  return (
    <bdi className="wrap-anywhere" title={shown === whole ? undefined : whole.slice(0, 1_000)}>
      {shown}
    </bdi>
  );
}
