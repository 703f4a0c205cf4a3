import {
  commandsOf,
  isSingle,
  optionsOf,
  type CommandDeclaration,
  type OptionDeclaration,
  type PositionalDeclaration,
  type ProgramDeclaration,
  type Shell,
} from './declaration.js';

/** Returns a script that completes commands, options and their accepted values in a shell. */
export const completionScript = (program: ProgramDeclaration, shell: Shell): string => SCRIPTS[shell](program);

const SCRIPTS: Readonly<Record<Shell, (program: ProgramDeclaration) => string>> = { bash, zsh, fish };

/** Quotes a text for every supported shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const identifier = ({ name }: ProgramDeclaration): string => name.replaceAll('-', '_');

/** Returns the words that a command line begins with, each with its summary. */
function firstWords(program: ProgramDeclaration): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const { name, summary } of commandsOf(program)) {
    const [first, second] = name.split(' ') as [string, string | undefined];
    if (first !== '') words.set(first, second === undefined ? summary : (program.groups?.[first] ?? summary));
  }
  return words;
}

/** Returns the commands of each group by its word. */
function groupsOf(program: ProgramDeclaration): ReadonlyMap<string, readonly CommandDeclaration[]> {
  const groups = new Map<string, CommandDeclaration[]>();
  for (const command of program.commands) {
    const [first, second] = command.name.split(' ') as [string, string | undefined];
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), command]);
  }
  return groups;
}

const secondWord = ({ name }: CommandDeclaration): string => name.split(' ')[1]!;

const takesFile = ({ positionals = [] }: CommandDeclaration): boolean => positionals.some(({ isFile }) => isFile);
const positionalValues = ({ positionals = [] }: CommandDeclaration): readonly string[] => positionals[0]?.values ?? [];

function bash(program: ProgramDeclaration): string {
  const lines = (words: Iterable<string>): string => quoted([...words].join('\n'));
  const offer = (words: Iterable<string>): string => `COMPREPLY=($(compgen -W ${lines(words)} -- "$current"))`;
  const valueCase = (command: CommandDeclaration, { name, value, values }: OptionDeclaration): string => {
    const offered =
      values !== undefined ? offer(values) : value === 'file' || value === 'folder' ? 'offer_files' : 'COMPREPLY=()';
    return `    ${quoted(`${command.name}:--${name}`)}) ${offered.replace('offer_files', `_${identifier(program)}_files`)}; return ;;\n`;
  };
  const commands = commandsOf(program);
  const values = commands.flatMap((command) =>
    optionsOf(program, command)
      .filter(({ value }) => value !== undefined)
      .map((option) => valueCase(command, option)),
  );
  const first = (command: CommandDeclaration): string =>
    positionalValues(command).length === 0
      ? ''
      : ` [ "$COMP_CWORD" -eq ${command.name.split(' ').length + 1} ] && words="$words"$'\\n'${lines(positionalValues(command))};`;
  const cases = commands.map(
    (command) =>
      `    ${quoted(command.name)}) words=${lines(optionsOf(program, command).map(({ name }) => `--${name}`))};${first(command)}${takesFile(command) ? ' files=yes' : ''} ;;\n`,
  );
  const groups = [...groupsOf(program)].map(
    ([group, members]) =>
      `  if [ "$command" = ${quoted(group)} ]; then
    if [ "$COMP_CWORD" -eq 2 ]; then ${offer(members.map(secondWord))}; return; fi
    command="$command \${COMP_WORDS[2]}"
  fi
`,
  );
  const start = isSingle(program)
    ? `  [ "$command" = completion ] && [ "$COMP_CWORD" -gt 1 ] || command=''\n`
    : `  if [ "$COMP_CWORD" -eq 1 ]; then ${offer([...firstWords(program).keys(), '--help', '--version'])}; return; fi\n`;
  const name = identifier(program);
  return `_${name}_files() {
  compopt -o filenames 2>/dev/null
  COMPREPLY=("\${COMPREPLY[@]}" $(compgen -f -- "$current"))
}
_${name}() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="\${COMP_WORDS[1]}" words='' files=''
  COMPREPLY=()
${start}${groups.join('')}  case "$command:$previous" in
${values.join('')}  esac
  case "$command" in
${cases.join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ -n "$files" ]; then _${name}_files; fi
}
complete -F _${name} ${program.name}
`;
}

/** Returns what zsh offers for a value. */
const zshAction = ({ values }: OptionDeclaration | PositionalDeclaration, kind: string | undefined): string => {
  if (values !== undefined) return `(${values.join(' ')})`;
  return kind === 'file' ? '_files' : kind === 'folder' ? '_files -/' : ' ';
};

function zsh(program: ProgramDeclaration): string {
  const described = (option: OptionDeclaration): string => {
    const { name, value, summary } = option;
    const after = value === undefined ? '' : `:${value}:${zshAction(option, value)}`;
    return quoted(`--${name}[${summary.replaceAll(/[[\]:]/g, ' ')}]${after}`);
  };
  const positional = (one: PositionalDeclaration, index: number): string =>
    quoted(`${index + 1}:${one.name}:${zshAction(one, one.isFile ? 'file' : undefined)}`);
  const argumentsOf = (command: CommandDeclaration): string =>
    [...(command.positionals ?? []).map(positional), ...optionsOf(program, command).map(described)].join(' ');
  const word = ([name, summary]: readonly [string, string]): string => quoted(`${name}:${summary}`);
  const groups = [...groupsOf(program)].map(
    ([group, members]) =>
      `  if [[ $command == ${quoted(group)} ]]; then
    if (( CURRENT == 2 )); then
      local -a members=(${members.map((one) => word([secondWord(one), one.summary])).join(' ')})
      _describe command members; return
    fi
    command="$command \${words[2]}"
    shift words; (( CURRENT-- ))
  fi
`,
  );
  const start = isSingle(program)
    ? `  if [[ \${words[2]} != completion ]]; then _arguments ${argumentsOf(program.commands[0]!)}; return; fi\n`
    : `  if (( CURRENT == 2 )); then
    local -a commands=(${[...firstWords(program)].map(word).join(' ')})
    _describe command commands; return
  fi
`;
  const cases = commandsOf(program)
    .filter(({ name }) => name !== '')
    .map((command) => `    ${quoted(command.name)}) _arguments ${argumentsOf(command)} ;;\n`);
  const name = identifier(program);
  return `#compdef ${program.name}
_${name}() {
${start}  local command="\${words[2]}"
  shift words; (( CURRENT-- ))
${groups.join('')}  case "$command" in
${cases.join('')}  esac
}
compdef _${name} ${program.name}
`;
}

function fish(program: ProgramDeclaration): string {
  const name = identifier(program);
  const line = `complete -c ${program.name}`;
  const within = ({ name: command }: CommandDeclaration): string =>
    `${line} -n ${quoted(command === '' ? `not __${name}_in completion` : `__${name}_in ${command}`)}`;
  const first = [...firstWords(program)].map(
    ([word, summary]) => `${line} -n ${quoted(`__${name}_in`)} -a ${word} -d ${quoted(summary)}`,
  );
  const groups = [...groupsOf(program)].flatMap(([group, members]) =>
    members.map(
      (one) => `${line} -n ${quoted(`__${name}_at ${group}`)} -a ${secondWord(one)} -d ${quoted(one.summary)}`,
    ),
  );
  const valueOf = ({ value, values }: OptionDeclaration): string => {
    if (value === undefined) return '';
    if (values !== undefined) return ` -x -a ${quoted(values.join(' '))}`;
    return value === 'file' || value === 'folder' ? ' -r -F' : ' -x';
  };
  const commands = commandsOf(program).flatMap((command) => [
    ...(positionalValues(command).length === 0
      ? []
      : [`${line} -n ${quoted(`__${name}_at ${command.name}`)} -a ${quoted(positionalValues(command).join(' '))}`]),
    ...(takesFile(command) ? [`${within(command)} -F`] : []),
    ...optionsOf(program, command).map(
      (option) => `${within(command)} -l ${option.name}${valueOf(option)} -d ${quoted(option.summary)}`,
    ),
  ]);
  return `function __${name}_in
  set -l line (string join ' ' -- (commandline -opc)[2..-1])
  test -z "$argv"; and test -z "$line"; and return 0
  test -n "$argv"; and string match -q -- "$argv *" "$line "
end
function __${name}_at
  test (string join ' ' -- (commandline -opc)[2..-1]) = "$argv"
end
${line} -f
${[...first, ...groups, ...commands].join('\n')}
`;
}
