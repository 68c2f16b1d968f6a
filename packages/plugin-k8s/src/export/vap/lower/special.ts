import { CHANNEL_SUFFIX } from '@bylaw/core/cel';
import { FALSE, isCheap } from '../term/build.js';
import type { Context } from '../term/context.js';
import { type Call, call, countOf, literal, method, substitute, type Term } from '../term/term.js';
import { isOptional, type Scope, type Type, typeOf } from '../term/type.js';
import { definitionOf } from './definitions.js';

/** Functions whose arguments decide what they become. */
export function expandSpecial(term: Extract<Term, { is: 'call' }>, scope: Scope, context: Context): Term | undefined {
  const [first, second, third] = term.args;
  if (term.on || first === undefined) return undefined;
  switch (term.name) {
    case 'effective':
      return second && third ? effective(first, second, third) : undefined;
    case 'addsCapability':
      return second && addsCapability(first, context.lower(second, scope));
    case 'volumeName':
      return call('text', isNamed(typeOf(context.lower(first, scope), scope)) ? optionalMember(first, 'name') : first);
    case 'isUnder':
      return second && isUnder(first, context.lower(second, scope), scope);
    case 'isAbove':
      return second && isAbove(first, context.lower(second, scope), scope);
    case 'isChannelTag':
      return second && isChannelTag(first, context.lower(second, scope));
    default:
      return undefined;
  }
}

function effective(container: Term, podSpec: Term, field: Term): Term | undefined {
  if (field.is !== 'literal' || typeof field.value !== 'string') return undefined;
  const steps = ['securityContext', ...field.value.split('.')];
  const at = (from: Term) => steps.reduce<Term>(optionalMember, from);
  return method(at(container), 'or', at(podSpec));
}

function optionalMember(of: Term, field: string): Term {
  return { is: 'member', of, name: field, optional: true };
}

/** Capabilities may be written with the prefix of the kernel's names, and in any case. */
function addsCapability(container: Term, names: Term): Term {
  const added = call('list', ['securityContext', 'capabilities', 'add'].reduce<Term>(optionalMember, container));
  const capability: Term = { is: 'name', name: 'capability' };
  const texts = textsOf(names);
  const known: Term =
    texts === undefined ? names : { is: 'list', items: [...texts, ...texts.map((text) => `CAP_${text}`)].map((text) => literal(text)) };
  const written = texts === undefined ? call('capabilityName', capability) : method(capability, 'upperAscii');
  return {
    is: 'loop',
    macro: 'exists',
    over: added,
    variable: 'capability',
    body: { is: 'binary', operator: 'in', left: written, right: known },
  };
}

function isNamed(type: Type): boolean {
  return (isOptional(type) ? type.of : type).type === 'object';
}

/** The type of a text that `cleanPath` would leave as it is. Only this very value says so. */
export const CLEAN_PATH: Type = { type: 'string' };

/** Functions that give such a text. */
export const GIVES_CLEAN_PATH = new Set(['hostPathOf', 'cleanPath', 'imageCanonical', 'imageRepository']);

function isUnder(path: Term, prefixes: Term, scope: Scope): Term {
  const clean = cleaned(path, scope);
  const texts = textsOf(prefixes);
  if (texts === undefined) return call('isBelow', clean, prefixes);
  return texts.length === 0 ? FALSE : method(clean, 'matches', literal(patternOf(texts)));
}

function isAbove(directory: Term, paths: Term, scope: Scope): Term | undefined {
  const texts = textsOf(paths);
  if (texts === undefined) return undefined;
  const directories = [...new Set(texts.flatMap(directoriesAbove))];
  return directories.length === 0
    ? FALSE
    : method(cleaned(directory, scope), 'matches', literal(`^(${directories.map(segmentsPattern).join('|')})$`));
}

/** `/var` and `/var/lib` of `/var/lib/etcd`. */
function directoriesAbove(path: string): string[] {
  const segments = path.replace(/\/+$/, '').split('/');
  return segments.slice(2).map((_, index) => segments.slice(0, index + 2).join('/'));
}

/** Tags are short: what the channels and their suffixes are is one pattern. */
function isChannelTag(tag: Term, channels: Term): Term | undefined {
  const texts = textsOf(channels);
  if (texts === undefined || texts.length === 0) return undefined;
  const names = texts.map((text) => escaped(text.toLowerCase())).join('|');
  const pattern = `^((${names})|(${names}|latest)(${CHANNEL_SUFFIX})+)$|-snapshot$`;
  return method(method(call('text', tag), 'lowerAscii'), 'matches', literal(pattern));
}

function cleaned(path: Term, scope: Scope): Term {
  return isClean(path, scope) ? path : call('cleanPath', path);
}

function isClean(path: Term, scope: Scope): boolean {
  if (path.is === 'name') return scope.get(path.name) === CLEAN_PATH;
  if (path.is === 'call' && path.on === undefined) return GIVES_CLEAN_PATH.has(path.name);
  // `image(x).canonical`, in lower case or not, and a host before a repository
  if (path.is === 'member') return path.of.is === 'call' && path.of.name === 'image';
  if (path.is === 'call' && path.name === 'lowerAscii' && path.on) return isClean(path.on, scope);
  return path.is === 'binary' && isClean(path.left, scope);
}

/** One pattern for all prefixes: `*` stands for one segment. */
function patternOf(prefixes: readonly string[]): string {
  if (prefixes.includes('/')) return '^/';
  const parts = prefixes.map((prefix) => segmentsPattern(prefix.replace(/\/+$/, '')));
  return `^(${parts.join('|')})(/|$)`;
}

function segmentsPattern(path: string): string {
  return escaped(path).replaceAll('\\*', '[^/]+');
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The text, or the texts of a list and of the lists in it, where all of them are known. */
function textsOf(term: Term): string[] | undefined {
  const items = term.is === 'list' ? term.items.flatMap((item) => (item.is === 'list' ? item.items : [item])) : [term];
  const texts = items.flatMap((item) => (item.is === 'literal' && typeof item.value === 'string' ? [item.value] : []));
  return texts.length === items.length ? texts : undefined;
}

/** What a function that the API server lacks stands for, with its arguments in place; undefined for any other. */
export function expandCall(term: Call, scope: Scope, context: Context): Term | undefined {
  const special = expandSpecial(term, scope, context);
  if (special) return special;
  const definition = definitionOf(term.name);
  if (definition === undefined || definition.parameters.length !== term.args.length) return undefined;
  return definition.parameters.reduce<Term>((body, parameter, index) => {
    const arg = term.args[index] ?? term;
    const inPlace = isCheap(arg) || countOf(body, parameter) <= 1;
    return inPlace ? substitute(body, parameter, arg) : { is: 'bind', variable: parameter, value: arg, body };
  }, definition.body);
}
