import { isAscii, isUtf8 } from 'node:buffer';
import type { Json } from '@bylaw/core/json';

/** Bounds of a text that is read. Those of the number of elements hold for one array and for one object. */
export const BOUNDS = { depth: 32, arrayLength: 1000, members: 256, stringBytes: 8192 } as const;

/** The bytes are not I-JSON text, or go over a bound. The message is one of ours: no piece of the input is in it. */
export class IJsonError extends Error {
  override readonly name = 'IJsonError';
}

/**
 * Reads one I-JSON text (RFC 7493) so that it has one meaning only: what is not valid UTF-8 or JSON, a byte order mark, a
 * member that occurs twice, a lone surrogate, a member `__proto__` and a number that a double cannot hold exactly as an
 * integer (beyond ±(2^53−1), however it is written) are refused, and so is what goes over `BOUNDS`. Strings below
 * `/action/parameters` and `/proposal/action/parameters` may have any length. Minus zero is read as zero, as it is recorded.
 * @throws {IJsonError}
 */
export function parseIJson(bytes: Uint8Array): Json {
  const text = decode(bytes);
  const walk: Walk = { members: 0, escapes: text.includes('\\u') };
  const value = checked(parse(text), walk);
  // The parser keeps the last of two members of one name, so that fewer arrive than the text has.
  if (walk.members !== membersIn(bytes)) throw new IJsonError('An object has two members with the same name.');
  return value;
}

interface Walk {
  /** Found so far. */
  members: number;
  /** Whether the text has any: only those can bring a lone surrogate into well-formed UTF-8. */
  readonly escapes: boolean;
}

function decode(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return buffer.toString('latin1');
  if (!isUtf8(buffer)) throw new IJsonError('The text is not valid UTF-8.');
  return buffer.toString('utf8');
}

/** The parser's own message quotes the text. A byte order mark is not white space of JSON. */
function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new IJsonError(text === '' ? 'The text is empty.' : 'The text is not valid JSON.');
  }
}

function checked(value: Json, walk: Walk): Json {
  if (typeof value === 'string') checkString(value, walk, false);
  else if (typeof value === 'number') checkNumber(value);
  else if (typeof value === 'object' && value !== null) checkContainer(value, 1, START, walk);
  return value === 0 ? 0 : value;
}

/** Where strings may have any length: the way from the root, one number per step. */
const START = 0;
const IN_PROPOSAL = 1;
const IN_ACTION = 2;
const IN_PARAMETERS = 3;
const ELSEWHERE = 4;

function stepInto(place: number, name: string): number {
  if (place === ELSEWHERE || place === IN_PARAMETERS) return place;
  if (place === IN_ACTION) return name === 'parameters' ? IN_PARAMETERS : ELSEWHERE;
  if (name === 'action') return IN_ACTION;
  return place === START && name === 'proposal' ? IN_PROPOSAL : ELSEWHERE;
}

function checkContainer(container: object, depth: number, place: number, walk: Walk): void {
  if (depth > BOUNDS.depth) throw new IJsonError(`The text is nested more than ${BOUNDS.depth} levels deep.`);
  if (Array.isArray(container)) checkArray(container, depth, place === IN_PARAMETERS ? place : ELSEWHERE, walk);
  else checkObject(container as { [name: string]: Json }, depth, place, walk); // it came out of the JSON parser
}

function checkArray(list: Json[], depth: number, place: number, walk: Walk): void {
  if (list.length > BOUNDS.arrayLength) throw new IJsonError(`An array has more than ${BOUNDS.arrayLength} elements.`);
  for (let index = 0; index < list.length; index++) {
    const value = list[index];
    if (typeof value === 'string') checkString(value, walk, place === IN_PARAMETERS);
    else if (typeof value === 'number') {
      checkNumber(value);
      if (value === 0) list[index] = 0; // it may be −0, which equals 0
    } else if (typeof value === 'object' && value !== null) checkContainer(value, depth + 1, place, walk);
  }
}

function checkObject(object: { [name: string]: Json }, depth: number, place: number, walk: Walk): void {
  let members = 0;
  // Twice as fast as a list of the names; nothing is inherited that can be listed.
  for (const name in object) {
    if (++members > BOUNDS.members) throw new IJsonError(`An object has more than ${BOUNDS.members} members.`);
    if (name === '__proto__') throw new IJsonError('No member may be named `__proto__`.');
    checkString(name, walk, place === IN_PARAMETERS);
    const value = object[name];
    const inside = stepInto(place, name);
    if (typeof value === 'string') checkString(value, walk, inside === IN_PARAMETERS);
    else if (typeof value === 'number') {
      checkNumber(value);
      if (value === 0) object[name] = 0;
    } else if (typeof value === 'object' && value !== null) checkContainer(value, depth + 1, inside, walk);
  }
  walk.members += members;
}

function checkString(text: string, walk: Walk, anyLength: boolean): void {
  if (walk.escapes && !text.isWellFormed()) throw new IJsonError('A string has a lone surrogate.');
  // A code unit takes at most three bytes.
  if (anyLength || text.length * 3 <= BOUNDS.stringBytes) return;
  if (Buffer.byteLength(text) > BOUNDS.stringBytes) throw new IJsonError(`A string is longer than ${BOUNDS.stringBytes} bytes.`);
}

/** Every double beyond 2^53 is an integer, so one comparison finds those that are too large, and the infinite. */
function checkNumber(value: number): void {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new IJsonError('A number is outside ±(2^53−1).');
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Members of a text that is valid JSON: the colons outside of strings. In UTF-8, no part of another character looks like these. */
function membersIn(bytes: Uint8Array): number {
  let members = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === COLON) members++;
    else if (byte === QUOTE)
      for (index++; bytes[index] !== QUOTE; index++) {
        if (bytes[index] === BACKSLASH) index++;
      }
  }
  return members;
}
