import { decodeErrorResult } from 'viem/utils';
import { hookCallbackOf } from '../create2/hook-callbacks.js';
import { isHex, type Hex } from '../encoding/hex.js';
import { LAUNCH_ERRORS_BY_SELECTOR } from './launch-errors.abi.js';

/** A decoded revert: the outermost error and the errors that it wraps. */
export interface DecodedRevert {
  /**
   * The error's name; `Error` and `Panic` are Solidity's own. Null if no reviewed contract declares the error, or
   * without data.
   */
  readonly name: string | null;
  readonly args: Readonly<Record<string, unknown>>;
  /** The error with its arguments, without the wrapped error; bounded, one line of printable characters. */
  readonly text: string;
  /** The wrapped error: of a hook, a transfer or a creation code. */
  readonly inner: DecodedRevert | null;
}

/** More levels than any reviewed contract wraps; deeper data is printed as bytes. */
const MAX_DEPTH = 6;
/** The most characters of one argument; the data of an unknown error is cut to the same length. */
const MAX_ARGUMENT = 160;

/** The argument of each error that carries another error's data. */
const WRAPPED: Readonly<Record<string, string>> = { WrappedError: 'reason', ComponentDeployFailed: 'reason' };

/** Solidity's panic codes, from its documentation. */
const PANICS: Readonly<Record<string, string>> = {
  1: 'an assertion does not hold',
  17: 'arithmetic overflow or underflow',
  18: 'division by zero',
  33: 'a value outside its enumeration',
  34: 'storage bytes are malformed',
  49: 'pop of an empty array',
  50: 'index out of bounds',
  65: 'too much memory',
  81: 'a call of an uninitialised function',
};

/**
 * Decodes and unwraps revert data. Accepts any bytes: an error that no reviewed contract declares is printed by its
 * selector.
 */
export function decodeRevert(data: Hex, depth = 0): DecodedRevert {
  if (!isHex(data) || data === '0x') return { name: null, args: {}, text: 'no reason', inner: null };
  const error = LAUNCH_ERRORS_BY_SELECTOR.get(data.slice(0, 10).toLowerCase() as Hex);
  const values = error === undefined || depth >= MAX_DEPTH ? null : argumentsOf(data);
  if (error === undefined || values === null) return { name: null, args: {}, text: unknownText(data), inner: null };
  const args = Object.fromEntries(error.inputs.map(({ name }, index) => [name ?? String(index), values[index]]));
  const carrier = WRAPPED[error.name];
  const inner = carrier === undefined ? null : decodeRevert(args[carrier] as Hex, depth + 1);
  return { name: error.name, args, text: textOf(error.name, args, carrier), inner };
}

/** Returns the innermost error, which caused all others. */
export function rootCause(revert: DecodedRevert): DecodedRevert {
  let cause = revert;
  while (cause.inner !== null) cause = cause.inner;
  return cause;
}

/**
 * Returns the whole revert in one line of at most `limit` characters, from the outermost error to its root cause, which
 * is never cut.
 */
export function revertText(revert: DecodedRevert, limit: number): string {
  const texts: string[] = [];
  for (let level: DecodedRevert | null = revert; level !== null; level = level.inner) texts.push(level.text);
  const whole = texts.join(': ');
  return whole.length <= limit ? whole : clip(`…: ${texts.at(-1)}`, limit);
}

function argumentsOf(data: Hex): readonly unknown[] | null {
  try {
    const error = LAUNCH_ERRORS_BY_SELECTOR.get(data.slice(0, 10).toLowerCase() as Hex);
    return error === undefined ? null : ((decodeErrorResult({ abi: [error], data }).args ?? []) as readonly unknown[]);
  } catch {
    // Too short, or an offset out of range: another contract's error with the same four bytes.
    return null;
  }
}

function textOf(name: string, args: Readonly<Record<string, unknown>>, carrier: string | undefined): string {
  if (name === 'Error') return `Error(${JSON.stringify(valueText(args['message']))})`;
  if (name === 'Panic') return `Panic(${valueText(args['code'])}: ${PANICS[String(args['code'])] ?? 'unknown code'})`;
  const said = Object.entries(args).filter(([argument]) => argument !== carrier);
  return `${name}(${said.map(([argument, value]) => `${argument}: ${name === 'WrappedError' ? wrappedText(argument, value) : valueText(value)}`).join(', ')})`;
}

/** Names the function and the error that V4 reports by their selectors. */
function wrappedText(argument: string, value: unknown): string {
  const selector = String(value);
  if (argument === 'selector') return hookCallbackOf(selector) ?? (selector === TRANSFER ? 'transfer' : selector);
  if (argument === 'details' && selector.length === 10)
    return LAUNCH_ERRORS_BY_SELECTOR.get(selector as Hex)?.name ?? selector;
  return valueText(value);
}
/** `transfer(address,uint256)` */
const TRANSFER = '0xa9059cbb';

const valueText = (value: unknown): string => {
  const text = typeof value === 'string' && value.startsWith('0x') ? value.toLowerCase() : String(value);
  return clip(text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '�'), MAX_ARGUMENT);
};

const unknownText = (data: Hex): string => {
  const bytes = (data.length - 2) / 2;
  return bytes < 4
    ? `an answer of ${bytes} bytes, ${data}`
    : `an error that no reviewed contract declares, ${data.slice(0, 10)}, data ${clip(data, MAX_ARGUMENT)} (${bytes} bytes)`;
};

/** Cuts a text without splitting a character. */
const clip = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
