/**
 * The process that runs one solc. It starts with an empty environment and may read only this file and the compiler, and
 * write none. It exchanges frames on standard input and output: 4 bytes of length, for a job 4 more with its processor
 * time in ms, then the bytes. While a job runs it reports its processor time in ms on the lifeline pipe, 4 bytes at a
 * time. It imports no other file of this repository, so that it runs from source and from the build alike.
 */
import { createHash } from 'node:crypto';
import { read, readFileSync, readSync, write, writeSync } from 'node:fs';
import { constants, createContext, runInContext } from 'node:vm';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

type Soljson = {
  readonly HEAPU8: { readonly buffer: ArrayBuffer };
  _solidity_alloc(byteLength: number): number;
  _solidity_compile(input: number, callback: number, context: number): number;
  _solidity_reset(): void;
  _solidity_version(): number;
};
/** Processor time of the process, microseconds, past which the job under way is ended. */
type Guard = { readonly endMicros: BigInt64Array };

const IDLE = -1n;
const HEADER_BYTES = 8;
const GUARD_INTERVAL_MS = 50;
const REPORT_INTERVAL_MS = 250;
const LIFELINE = 3;
const MAX_ERRORS = 256;

function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/**
 * A separate thread, because a compilation never yields. It ends the process when the parent is gone, which closes the
 * lifeline pipe, or when a job has used up its processor time. It reports that time while the job runs.
 */
function guard({ endMicros }: Guard): void {
  const die = (signal: NodeJS.Signals): void => void process.kill(process.pid, signal);
  read(LIFELINE, Buffer.alloc(1), 0, 1, null, () => die('SIGKILL'));
  setInterval(() => {
    const end = Atomics.load(endMicros, 0);
    if (end !== IDLE && cpuMicros() > Number(end)) die('SIGVTALRM');
  }, GUARD_INTERVAL_MS);
  let isReporting = false;
  setInterval(() => {
    // Not `writeSync`: a parent that does not read must not keep the guard from ending the job. Without one the read ends it.
    if (isReporting || Atomics.load(endMicros, 0) === IDLE) return;
    const report = Buffer.alloc(4);
    report.writeUInt32BE(Math.floor(cpuMicros() / 1_000));
    isReporting = true;
    write(LIFELINE, report, () => (isReporting = false));
  }, REPORT_INTERVAL_MS);
}

function retryWhenBusy(step: () => number): number {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      return step();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}

/** Reads exactly `byteLength` bytes from standard input; undefined if it ended. */
function readExactly(byteLength: number): Buffer | undefined {
  const bytes = Buffer.alloc(byteLength);
  for (let have = 0; have < byteLength;) {
    const count = retryWhenBusy(() => readSync(0, bytes, have, byteLength - have, null));
    if (count === 0) return undefined;
    have += count;
  }
  return bytes;
}

/** Writes an answer. One that is too deep for JSON is unreadable: a main thread that threw would wait for the guard. */
function textOf(answer: unknown): string {
  try {
    return JSON.stringify(answer);
  } catch (error) {
    if ((error as { readonly name?: unknown } | null)?.name !== 'RangeError') throw error;
    return JSON.stringify({ kind: 'unreadable', reusable: false, cpuMs: 0 });
  }
}

function writeFrame(answer: unknown): void {
  const body = Buffer.from(textOf(answer), 'utf8');
  const frame = Buffer.alloc(4 + body.byteLength);
  frame.writeUInt32BE(body.byteLength, 0);
  body.copy(frame, 4);
  for (let sent = 0; sent < frame.byteLength;) {
    sent += retryWhenBusy(() => writeSync(1, frame, sent));
  }
}

/**
 * Evaluates the compiler's file in a separate realm: JavaScript and WebAssembly without Node, without code from
 * strings, without `import()`. Only numbers and bytes enter the realm, so it has no object of this realm to escape by.
 */
function loadSoljson(file: string, sha256: string): Soljson {
  const code = readFileSync(file);
  if (createHash('sha256').update(code).digest('hex') !== sha256) throw new Error('altered compiler');
  const realm = createContext(constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: true } });
  runInContext('var Module = { print() {}, printErr() {}, noExitRuntime: true, quit() {} };', realm);
  runInContext(code.toString('utf8'), realm, { filename: 'soljson.js' });
  return (realm as { readonly Module: Soljson }).Module;
}

/** Returns a view of the compiler's memory, created each time because a compilation may grow it. */
const memoryOf = (solc: Soljson): Buffer => Buffer.from(solc.HEAPU8.buffer);

function textAt(solc: Soljson, pointer: number): string {
  const memory = memoryOf(solc);
  return memory.toString('utf8', pointer, memory.indexOf(0, pointer));
}

function compile(solc: Soljson, input: Buffer): string {
  const pointer = solc._solidity_alloc(input.byteLength + 1);
  const memory = memoryOf(solc);
  memory.set(input, pointer);
  memory[pointer + input.byteLength] = 0;
  // There is no import callback: an import that was not submitted is an error of the source.
  const output = textAt(solc, solc._solidity_compile(pointer, 0, 0));
  solc._solidity_reset();
  return output;
}

/* This process, which may be killed, reduces the compiler's output to the form that the parent's schema accepts. */

type Fields = { readonly [key: string]: unknown };

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((inner, key) => fieldsOf(inner)[key], value);

function reduceErrors(errors: readonly unknown[]): unknown[] {
  return errors.slice(0, MAX_ERRORS).map((error) => {
    const { type, errorCode, sourceLocation } = fieldsOf(error);
    const { file, start, end } = fieldsOf(sourceLocation);
    return {
      type: String(type ?? 'Error'),
      errorCode: typeof errorCode === 'string' ? errorCode : null,
      sourceLocation:
        sourceLocation === undefined ? null : { file: String(file), start: Number(start), end: Number(end) },
    };
  });
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);
const declarationOf = (identifier: unknown): unknown => at(identifier, 'referencedDeclaration');

function* nodesBelow(root: unknown): Generator<Fields> {
  const open = [root];
  while (open.length > 0) {
    const node = fieldsOf(open.pop());
    yield node;
    for (const value of Object.values(node)) if (typeof value === 'object') open.push(value);
  }
}

/** The uses of a constructor's own parameters: arguments of base constructors, and values of immutables. */
type Constructed = {
  readonly path: string;
  readonly contract: unknown;
  readonly bases: readonly unknown[];
  readonly parameters: readonly unknown[];
  readonly handed: readonly { readonly base: unknown; readonly values: readonly unknown[] }[];
  readonly assigned: readonly { readonly immutable: unknown; readonly value: unknown }[];
};

const IDENTITY = /^t_(?:address|contract)/;

/** Returns the declaration whose value an expression has, unchanged or converted to another kind of address. */
function sourceOf(expression: unknown): unknown {
  if (at(expression, 'nodeType') === 'Identifier') return declarationOf(expression);
  const [only, ...more] = listOf(at(expression, 'arguments'));
  const types = [expression, only].map((one) => String(at(one, 'typeDescriptions', 'typeIdentifier')));
  const converts = at(expression, 'kind') === 'typeConversion' && more.length === 0;
  return converts && types.every((type) => IDENTITY.test(type)) ? sourceOf(only) : undefined;
}

/** Nodes by which a body may end early. */
const ENDS = new Set<unknown>(['Return', 'InlineAssembly']);

/** Returns the assignments that a constructor certainly makes: those before its body may end, none if it may not run. */
function assignmentsOf(constructor: Fields, always: boolean): Constructed['assigned'] {
  const assigned: { immutable: unknown; value: unknown }[] = [];
  for (const statement of always ? listOf(at(constructor, 'body', 'statements')) : []) {
    for (const node of nodesBelow(statement)) if (ENDS.has(node['nodeType'])) return assigned;
    const { nodeType, operator, leftHandSide, rightHandSide } = fieldsOf(at(statement, 'expression'));
    if (at(statement, 'nodeType') === 'ExpressionStatement' && nodeType === 'Assignment' && operator === '=')
      assigned.push({ immutable: declarationOf(leftHandSide), value: sourceOf(rightHandSide) });
  }
  return assigned;
}

function constructedBy(path: string, contract: Fields): Constructed {
  const constructor = fieldsOf(listOf(contract['nodes']).find((node) => at(node, 'kind') === 'constructor'));
  const bases = listOf(contract['linearizedBaseContracts']);
  const invocations = listOf(constructor['modifiers']).map((one) => ({ name: at(one, 'modifierName'), one }));
  const specifiers = listOf(contract['baseContracts']).map((one) => ({ name: at(one, 'baseName'), one }));
  const handedBy = (list: typeof invocations): Constructed['handed'] =>
    list.flatMap(({ name, one }) => {
      const base = declarationOf(name);
      return bases.includes(base) ? [{ base, values: listOf(at(one, 'arguments')).map(sourceOf) }] : [];
    });
  const inModifiers = handedBy(invocations);
  return {
    path,
    contract: contract['name'],
    bases,
    parameters: listOf(at(constructor, 'parameters', 'parameters')).map((parameter) => at(parameter, 'id')),
    handed: [...inModifiers, ...handedBy(specifiers)],
    assigned: assignmentsOf(constructor, inModifiers.length === invocations.length),
  };
}

const CHANGES = new Set<unknown>(['++', '--', 'delete']);

/** Counts the writes of each variable: assignments, also in tuples, `++`, `--`, `delete`, its initial value, assembly. */
function countWrites(node: Fields, writes: Map<unknown, number>): void {
  const write = (id: unknown): void => void writes.set(id, (writes.get(id) ?? 0) + 1);
  const written: unknown[] = [];
  if (node['nodeType'] === 'Assignment') written.push(node['leftHandSide']);
  if (node['nodeType'] === 'UnaryOperation' && CHANGES.has(node['operator'])) written.push(node['subExpression']);
  if (node['nodeType'] === 'VariableDeclaration' && at(node, 'value', 'nodeType') !== undefined) write(node['id']);
  for (const reference of listOf(node['externalReferences'])) write(at(reference, 'declaration'));
  while (written.length > 0) {
    const expression = written.pop();
    if (declarationOf(expression) !== undefined) write(declarationOf(expression));
    written.push(...listOf(at(expression, 'components')));
  }
}

const MAX_ARGUMENTS = 4_096;

/**
 * Returns the immutables by the AST ids of immutableReferences, with name and file, and with the constructors that set
 * each to one of their arguments only.
 */
function immutableNames(sources: unknown): unknown[] {
  const found: { astId: unknown; name: unknown; path: string; arguments: unknown[] }[] = [];
  const contracts = new Map<unknown, Constructed>();
  const writes = new Map<unknown, number>();
  for (const [path, source] of Object.entries(fieldsOf(sources))) {
    for (const node of nodesBelow(at(source, 'ast'))) {
      if (node['nodeType'] === 'VariableDeclaration' && node['mutability'] === 'immutable')
        found.push({ astId: node['id'], name: node['name'], path, arguments: [] });
      if (node['nodeType'] === 'ContractDefinition') contracts.set(node['id'], constructedBy(path, node));
      countWrites(node, writes);
    }
  }
  const immutables = new Map(found.map((one) => [one.astId, one.arguments]));
  let left = MAX_ARGUMENTS;
  for (const { path, contract, bases, parameters } of contracts.values()) {
    const indexes = new Map(parameters.map((id, index) => [id, index]));
    for (const base of bases) {
      const { handed = [], assigned = [] } = contracts.get(base) ?? {};
      const indexOf = (id: unknown): number | undefined => (writes.has(id) ? undefined : indexes.get(id));
      for (const { base: above, values } of handed)
        values.forEach((value, place) => {
          const index = indexOf(value);
          const parameter = contracts.get(above)?.parameters[place];
          if (index !== undefined && parameter !== undefined) indexes.set(parameter, index);
        });
      for (const { immutable, value } of assigned) {
        const index = indexOf(value);
        if (index === undefined || writes.get(immutable) !== 1 || left === 0) continue;
        left -= 1;
        immutables.get(immutable)?.push({ path, contract, index });
      }
    }
  }
  return found;
}

const SEVERITIES = new Set<unknown>(['error', 'warning']);

/** Returns solc's diagnostics about a source that compiles. */
const reduceDiagnostics = (listed: readonly unknown[]): unknown[] =>
  reduceErrors(listed).map((reduced, index) => {
    const severity = at(listed[index], 'severity');
    return { severity: SEVERITIES.has(severity) ? severity : 'info', ...fieldsOf(reduced) };
  });

/** Only a build requests metadata. */
const isBuild = (contracts: unknown): boolean =>
  Object.values(fieldsOf(contracts)).some((byName) =>
    Object.values(fieldsOf(byName)).some((output) => at(output, 'metadata') !== undefined),
  );

const builtFields = (output: unknown): object => ({
  storageLayout: {
    storage: at(output, 'storageLayout', 'storage') ?? [],
    types: at(output, 'storageLayout', 'types') ?? null,
  },
  metadata: at(output, 'metadata') ?? '',
});

function reduceContracts(contracts: unknown, fieldsBeside: (output: unknown) => object = () => ({})): unknown[] {
  const reduced: unknown[] = [];
  for (const [path, byName] of Object.entries(fieldsOf(contracts))) {
    for (const [contract, output] of Object.entries(fieldsOf(byName))) {
      const creation = at(output, 'evm', 'bytecode');
      const runtime = at(output, 'evm', 'deployedBytecode');
      // A contract that was not requested may appear without bytecode.
      if (creation === undefined || runtime === undefined) continue;
      reduced.push({
        path,
        contract,
        abi: at(output, 'abi') ?? [],
        creation: { object: at(creation, 'object'), linkReferences: at(creation, 'linkReferences') ?? {} },
        runtime: {
          object: at(runtime, 'object'),
          linkReferences: at(runtime, 'linkReferences') ?? {},
          immutableReferences: at(runtime, 'immutableReferences') ?? {},
        },
        ...fieldsBeside(output),
      });
    }
  }
  return reduced;
}

const hasAst = (sources: unknown): boolean =>
  Object.values(fieldsOf(sources)).some((source) => at(source, 'ast') !== undefined);

/** Parses the compiler's output; undefined if it is not JSON. */
function parsed(text: string): { readonly output: unknown } | undefined {
  try {
    return { output: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** After an exception inside the compiler its state is undefined, so the answer marks this process as not reusable. */
function reduce(text: string): {
  readonly kind: string;
  readonly reusable: boolean;
  readonly [field: string]: unknown;
} {
  const read = parsed(text);
  if (read === undefined) return { kind: 'unreadable', reusable: false };
  const listed = at(read.output, 'errors');
  const said = Array.isArray(listed) ? (listed as readonly unknown[]) : [];
  const errors = said.filter((error) => at(error, 'severity') === 'error');
  const outOfMemory = errors.some((error) => String(at(error, 'message')).includes('bad_alloc'));
  if (outOfMemory) return { kind: 'limit', limit: 'memory', reusable: false };
  if (errors.length > 0) {
    const internal = errors.some((error) =>
      /^(InternalCompilerError|Exception|CodeGenerationError|YulException)$/.test(String(at(error, 'type'))),
    );
    return { kind: 'errors', errors: reduceErrors(errors), reusable: !internal };
  }
  const sources = at(read.output, 'sources');
  if (hasAst(sources)) return { kind: 'named', immutables: immutableNames(sources), reusable: true };
  const contracts = at(read.output, 'contracts');
  if (!isBuild(contracts)) return { kind: 'compiled', contracts: reduceContracts(contracts), reusable: true };
  const diagnostics = reduceDiagnostics(said);
  return { kind: 'built', contracts: reduceContracts(contracts, builtFields), diagnostics, reusable: true };
}

function answerJob(solc: Soljson, input: Buffer): object {
  try {
    return reduce(compile(solc, input));
  } catch (error) {
    // A stack overflow, or the abort of the WebAssembly code when its memory cannot grow. The error belongs to the
    // compiler's realm, so it is identified by name.
    const limit = (error as { readonly name?: unknown } | null)?.name === 'RangeError' ? 'stack' : 'memory';
    return { kind: 'limit', limit, reusable: false };
  }
}

function main(): void {
  const [file, sha256] = process.argv.slice(2);
  const endMicros = new BigInt64Array(new SharedArrayBuffer(8));
  Atomics.store(endMicros, 0, IDLE);
  new Worker(new URL(import.meta.url), { workerData: { endMicros } satisfies Guard });
  const solc = loadSoljson(file!, sha256!);
  writeFrame({ kind: 'ready', version: textAt(solc, solc._solidity_version()) });
  for (;;) {
    const header = readExactly(HEADER_BYTES);
    const input = header === undefined ? undefined : readExactly(header.readUInt32BE(0));
    // Not process.exit: it would wait for the guard's pending read, which ends only with the parent.
    if (header === undefined || input === undefined) return void process.kill(process.pid, 'SIGKILL');
    const start = cpuMicros();
    Atomics.store(endMicros, 0, BigInt(start + header.readUInt32BE(4) * 1_000));
    const answer = answerJob(solc, input);
    Atomics.store(endMicros, 0, IDLE);
    writeFrame({ ...answer, cpuMs: Math.ceil((cpuMicros() - start) / 1_000) });
  }
}

if (isMainThread) main();
else guard(workerData as Guard);
