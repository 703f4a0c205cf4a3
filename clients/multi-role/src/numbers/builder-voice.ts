import { canonicalJsonText } from '@launch/contracts/json';
import type { LaunchNumbers } from '@launch/contracts/multi-role';
import { numbersText } from './numbers-text.js';

/** The lines that a builder writes to stderr while it works, apart from its result. */
export interface BuilderVoice {
  /** Reports the number of attempted salts. */
  readonly mining: (attempts: number) => void;
  readonly numbers: (numbers: LaunchNumbers) => void;
}

export const builderVoice = (isTerminal: boolean, write: (text: string) => void): BuilderVoice =>
  isTerminal ? textVoice(write) : jsonVoice(write);

/** Writes lines of JSON, each an object with one member. */
function jsonVoice(write: (text: string) => void): BuilderVoice {
  const line = (value: object): void => write(`${canonicalJsonText(value)}\n`);
  return {
    mining: (attempts) => line({ mining: { attempts } }),
    numbers: (numbers) => {
      for (const warning of numbers.warnings) line({ warning });
      line({ numbers });
    },
  };
}

function textVoice(write: (text: string) => void): BuilderVoice {
  return {
    mining: (attempts) => (attempts === 0 ? undefined : write(`  ${attempts} salts tried\n`)),
    numbers: (numbers) => write(numbersText(numbers)),
  };
}
