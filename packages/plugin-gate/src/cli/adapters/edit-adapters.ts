import { type Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { type AdapterEntry, secretVariable } from '../../config/index.js';
import { gateError } from '../../error-table.js';

/** A change of the list `adapters` in the text of a configuration. */
export interface EditedAdapters {
  /** The text with its comments, as far as they do not belong to what was removed. */
  text: string;
  /** As it is now, or was before it was removed. */
  entry: AdapterEntry;
}

/** Adds an adapter with a variable that no other has. @throws {BylawError} AG-CFG-002 there is one with its id, or its variable is taken */
export function addAdapter(text: string, added: Omit<AdapterEntry, 'secret_env'> & { secret_env?: string }): EditedAdapters {
  const { document, entries } = read(text);
  const { adapter_id, kind, enforcement, secret_env = secretVariable(adapter_id) } = added;
  if (entries.some((entry) => entry.adapter_id === adapter_id))
    throw gateError('AG-CFG-002', `Adapter ${adapter_id} already exists.`, {
      hint: 'To give it a new secret, run `bylaw adapter rotate`.',
    });
  if (variablesOf(entries).has(secret_env))
    throw gateError('AG-CFG-002', `The variable ${secret_env} is already used for a different secret.`, {
      hint: 'Pass a different variable with --secret-env.',
    });
  const entry: AdapterEntry = { adapter_id, kind, secret_env, ...(enforcement !== undefined && { enforcement }) };
  listOf(document).add(document.createNode(entry));
  return { text: written(document, text), entry };
}

/**
 * Begins a rotation: the variable becomes the previous one, and a new one takes its place, with `_2` at its end or without it,
 * in turn. @throws {BylawError} AG-CFG-001 no such adapter; AG-CFG-003 a rotation has begun already
 */
export function rotateAdapter(text: string, id: string): EditedAdapters {
  const { document, entries } = read(text);
  const { entry, node } = find(document, entries, id);
  if (entry.previous_secret_env !== undefined)
    throw gateError('AG-CFG-003', `A rotation of adapter ${id} is already in progress.`, {
      hint: `After the adapter has switched to the secret in ${entry.secret_env}, run: bylaw adapter finish ${id}`,
    });
  const variable = nextVariable(entry.secret_env, variablesOf(entries));
  node.set('secret_env', variable);
  node.set('previous_secret_env', entry.secret_env);
  return { text: written(document, text), entry: { ...entry, secret_env: variable, previous_secret_env: entry.secret_env } };
}

/** Ends a rotation: the previous secret verifies no more. @throws {BylawError} AG-CFG-001 no such adapter; AG-CFG-003 no rotation has begun */
export function finishAdapter(text: string, id: string): EditedAdapters & { variable: string } {
  const { document, entries } = read(text);
  const { entry, node } = find(document, entries, id);
  const { previous_secret_env: variable, ...finished } = entry;
  if (variable === undefined)
    throw gateError('AG-CFG-003', `No rotation of adapter ${id} is in progress.`, { hint: `Start one: bylaw adapter rotate ${id}` });
  node.delete('previous_secret_env');
  return { text: written(document, text), entry: finished, variable };
}

/** Removes an adapter. @throws {BylawError} AG-CFG-001 no such adapter */
export function removeAdapter(text: string, id: string): EditedAdapters {
  const { document, entries } = read(text);
  const { entry, index } = find(document, entries, id);
  listOf(document).delete(index);
  return { text: written(document, text), entry };
}

function nextVariable(current: string, taken: ReadonlySet<string>): string {
  const toggled = current.endsWith('_2') ? current.slice(0, -2) : `${current}_2`;
  if (!taken.has(toggled)) return toggled;
  for (let count = 3; ; count++) if (!taken.has(`${current}_${count}`)) return `${current}_${count}`;
}

function variablesOf(entries: readonly AdapterEntry[]): Set<string> {
  return new Set(entries.flatMap(({ secret_env, previous_secret_env }) => [secret_env, previous_secret_env ?? secret_env]));
}

/** The text was loaded as a configuration before, so the schema has said what it is. */
function read(text: string): { document: Document; entries: AdapterEntry[] } {
  const document = parseDocument(text);
  const value = document.toJS() as { adapters?: AdapterEntry[] | null } | null;
  return { document, entries: value?.adapters ?? [] };
}

function find(document: Document, entries: readonly AdapterEntry[], id: string): { entry: AdapterEntry; node: YAMLMap; index: number } {
  const index = entries.findIndex(({ adapter_id }) => adapter_id === id);
  const entry = entries[index];
  if (!entry)
    throw gateError('AG-CFG-001', `Unknown adapter "${id}".`, { hint: 'Run `bylaw adapter list` to see the registered adapters.' });
  const node = listOf(document).get(index, true);
  if (!isMap(node)) throw notPlain();
  return { entry, node, index };
}

/** The list, which is made where there is none. */
function listOf(document: Document): YAMLSeq {
  const list = document.get('adapters', true);
  if (isSeq(list)) {
    if (list.items.length === 0) list.flow = false;
    return list;
  }
  if (list !== undefined && !(isScalar(list) && list.value === null)) throw notPlain();
  const made = document.createNode([]) as YAMLSeq; // of an array
  made.flow = false;
  document.set('adapters', made);
  return made;
}

/** An alias stands where the list or one of its entries should: a change would reach other places, too. */
function notPlain() {
  return gateError('AG-CFG-004', 'A command cannot change the list `adapters`, because it uses a YAML alias.', {
    hint: 'Replace the alias in the file with its content.',
  });
}

/** In the style of the file, as far as it shows: how deep it indents, and whether lists are below their name. */
function written(document: Document, text: string): string {
  // The first line below a top-level name: further down, a line may be indented twice.
  const indent = /^[^\s#-][^\n]*:[ \t]*(?:#[^\n]*)?\n(?:[ \t]*(?:#[^\n]*)?\n)*( {2,8})[^\s#]/m.exec(text)?.[1]?.length ?? 2;
  const indentSeq = !/^[^\s#-][^\n]*:[ \t]*\n-/m.test(text);
  return document.toString({ lineWidth: 0, indent, indentSeq });
}
