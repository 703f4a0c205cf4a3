import type { Command, CommandOption, Options, Outcome } from '../command.js';
import { COMMANDS, HELP_OPTION, JSON_OPTION } from '../commands.js';
import { EXIT } from '../launch.error.js';
import type { Shell } from './shells.js';

const optionsOf = ({ options }: Command): readonly CommandOption[] => [...options, JSON_OPTION, HELP_OPTION];
/** A text in single quotes, for every shell here. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** `launch completion`: a script made of the table of commands. */
export async function completion({ shell }: Options): Promise<Outcome> {
  const script = SCRIPTS[shell as Shell]();
  return { exitCode: EXIT.done, httpStatus: null, resource: { shell: shell as Shell, script }, text: script };
}

const SCRIPTS: Readonly<Record<Shell, () => string>> = { bash, zsh, fish };

/** The words that may follow a command, its operand's first. */
const wordsAfter = (command: Command): string =>
  [...(command.operand?.values ?? []), ...optionsOf(command).map(({ name }) => `--${name}`)].join(' ');

const takesFile = ({ operand }: Command): boolean => operand?.value === 'file';

const valueCases = (): string =>
  [...new Map(COMMANDS.flatMap((command) => optionsOf(command)).map((one) => [one.name, one])).values()]
    .filter(({ value }) => value !== null)
    .map(({ name, values }) =>
      values === undefined
        ? `    --${name}) COMPREPLY=($(compgen -f -- "$current")); return ;;\n`
        : `    --${name}) COMPREPLY=($(compgen -W ${quoted(values.join(' '))} -- "$current")); return ;;\n`,
    )
    .join('');

function bash(): string {
  const names = COMMANDS.map(({ name }) => name).join(' ');
  return `_launch() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words files=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(`${names} --help`)} -- "$current")); return
  fi
  case "$previous" in
${valueCases()}  esac
  case "\${COMP_WORDS[1]}" in
${COMMANDS.map((command) => `    ${command.name}) words=${quoted(wordsAfter(command))}${takesFile(command) ? ' files=-f' : ''} ;;\n`).join('')}    *) words='' ;;
  esac
  COMPREPLY=($(compgen $files -W "$words" -- "$current"))
}
complete -F _launch launch
`;
}

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
    return `    ${command.name}) _arguments ${[...first, ...optionsOf(command).map(described)].join(' ')} ;;\n`;
  };
  return `#compdef launch
_launch() {
  if (( CURRENT == 2 )); then
    local -a commands=(${COMMANDS.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(' ')})
    _describe command commands; return
  fi
  local command="\${words[2]}"
  shift words; (( CURRENT-- ))
  case "$command" in
${COMMANDS.map(branch).join('')}  esac
}
compdef _launch launch
`;
}

function fish(): string {
  const lines = COMMANDS.flatMap((command) => {
    const { name, summary, operand } = command;
    const inside = `complete -c launch -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
    return [
      `complete -c launch -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
      ...(operand?.values === undefined ? [] : [`${inside} -f -a ${quoted(operand.values.join(' '))}`]),
      ...optionsOf(command).map(({ name: option, value, values, describes }) => {
        const takes = value === null ? '' : values === undefined ? ' -r -F' : ` -x -a ${quoted(values.join(' '))}`;
        return `${inside} -l ${option}${takes} -d ${quoted(describes)}`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}
