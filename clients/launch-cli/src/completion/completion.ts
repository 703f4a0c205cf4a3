import type { Command, CommandOption, Options, Outcome } from '../command.js';
import { COMMANDS, HELP_OPTION, JSON_OPTION } from '../commands.js';
import { EXIT } from '../launch.error.js';
import type { Shell } from './shells.js';

const optionsOf = ({ options }: Command): readonly CommandOption[] => [...options, JSON_OPTION, HELP_OPTION];
/** Quotes a text for every supported shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** `launch completion`: generates a script from the table of commands. */
export async function completion({ shell }: Options): Promise<Outcome> {
  const script = SCRIPTS[shell as Shell]();
  return { exitCode: EXIT.done, httpStatus: null, resource: { shell: shell as Shell, script }, text: script };
}

const SCRIPTS: Readonly<Record<Shell, () => string>> = { bash, zsh, fish };

/** Returns the words that may follow a command, its operand's first. */
const wordsAfter = (command: Command): string =>
  [...(command.operand?.values ?? []), ...optionsOf(command).map(({ name }) => `--${name}`)].join(' ');

const PLAN = 'plan ';
/** Returns the words that a command line begins with. */
const firstWords = (): readonly string[] => [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0]!))];
/** Returns the words that follow `plan`. */
const planWords = (): readonly string[] =>
  COMMANDS.filter(({ name }) => name.startsWith(PLAN)).map(({ name }) => name.slice(PLAN.length));

const takesFile = ({ operand }: Command): boolean => operand?.value === 'file';

/** Returns the values of options by name. Two commands may have different ones. */
function optionValues(): ReadonlyMap<string, readonly string[] | undefined> {
  const known = new Map<string, readonly string[] | undefined>();
  for (const { name, value, values } of COMMANDS.flatMap(optionsOf))
    if (value !== null) known.set(name, values && [...new Set([...(known.get(name) ?? []), ...values])]);
  return known;
}

const valueCases = (): string =>
  [...optionValues()]
    .map(([name, values]) => {
      const offered = values === undefined ? '-f' : `-W ${quoted(values.join(' '))}`;
      return `    --${name}) COMPREPLY=($(compgen ${offered} -- "$current")); return ;;\n`;
    })
    .join('');

function bash(): string {
  const names = firstWords().join(' ');
  return `_launch() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words files=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(`${names} --help`)} -- "$current")); return
  fi
  case "$previous" in
${valueCases()}  esac
  local command="\${COMP_WORDS[1]}"
  if [ "$command" = plan ]; then
    if [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W ${quoted(planWords().join(' '))} -- "$current")); return; fi
    command="plan \${COMP_WORDS[2]}"
  fi
  case "$command" in
${COMMANDS.map((command) => `    ${quoted(command.name)}) words=${quoted(wordsAfter(command))}${takesFile(command) ? ' files=-f' : ''} ;;\n`).join('')}    *) words='' ;;
  esac
  COMPREPLY=($(compgen $files -W "$words" -- "$current"))
}
complete -F _launch launch
`;
}

const summaryOf = (word: string): string =>
  COMMANDS.find(({ name }) => name === word)?.summary ?? 'plans of several steps';
const zshWord = (word: string): string => quoted(`${word}:${summaryOf(word)}`);

function zsh(): string {
  const described = ({ name, value, describes, values }: CommandOption): string => {
    const after = value === null ? '' : `:${value}:${values === undefined ? '_files' : `(${values.join(' ')})`}`;
    return quoted(`--${name}[${describes.replaceAll(/[[\]:]/g, ' ')}]${after}`);
  };
  const branch = (command: Command): string => {
    const { operand } = command;
    const first =
      operand === undefined
        ? []
        : [quoted(`1:${operand.name}:${takesFile(command) ? '_files' : `(${(operand.values ?? []).join(' ')})`}`)];
    return `    ${quoted(command.name)}) _arguments ${[...first, ...optionsOf(command).map(described)].join(' ')} ;;\n`;
  };
  return `#compdef launch
_launch() {
  if (( CURRENT == 2 )); then
    local -a commands=(${firstWords().map(zshWord).join(' ')})
    _describe command commands; return
  fi
  local command="\${words[2]}"
  shift words; (( CURRENT-- ))
  if [[ $command == plan ]]; then
    if (( CURRENT == 2 )); then compadd ${planWords().join(' ')}; return; fi
    command="plan \${words[2]}"
    shift words; (( CURRENT-- ))
  fi
  case "$command" in
${COMMANDS.map(branch).join('')}  esac
}
compdef _launch launch
`;
}

function fish(): string {
  const first = firstWords().map(
    (word) => `complete -c launch -n __fish_use_subcommand -f -a ${word} -d ${quoted(summaryOf(word))}`,
  );
  const lines = COMMANDS.flatMap((command) => {
    const { name, operand } = command;
    const [word, next] = name.split(' ') as [string, string | undefined];
    const seen = next === undefined ? word : `plan; and __fish_seen_subcommand_from ${next}`;
    const inside = `complete -c launch -n ${quoted(`__fish_seen_subcommand_from ${seen}`)}`;
    return [
      ...(next === undefined
        ? []
        : [`complete -c launch -n '__fish_seen_subcommand_from plan' -f -a ${next} -d ${quoted(command.summary)}`]),
      ...(operand?.values === undefined ? [] : [`${inside} -f -a ${quoted(operand.values.join(' '))}`]),
      ...optionsOf(command).map(({ name: option, value, values, describes }) => {
        const takes = value === null ? '' : values === undefined ? ' -r -F' : ` -x -a ${quoted(values.join(' '))}`;
        return `${inside} -l ${option}${takes} -d ${quoted(describes)}`;
      }),
    ];
  });
  return `${[...first, ...lines].join('\n')}\n`;
}
