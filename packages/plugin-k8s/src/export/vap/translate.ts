import type { JsonObject, JsonValue } from '@bylaw/core/resource';
import { parseEach, type RuleLogic } from '@bylaw/core/rule';
import { type Emission, emissionOf } from './lower/emission.js';
import { lower, lowerBody } from './lower/lower.js';
import { rangeOf } from './lower/lower-loop.js';
import { listOf } from './lower/sequence.js';
import type { PodTerms } from './target/pod-terms.js';
import { and, choose, compare, conjuncts, isFalse, loop, not, TRUE } from './term/build.js';
import type { Context } from './term/context.js';
import { NotExportable } from './term/not-exportable.js';
import { readTerm } from './term/read-term.js';
import { call, countOf, freshName, literal, member, method, name, substitute, type Term } from './term/term.js';
import { ANYTHING, type ObjectType, type Scope, type Type, typeOf } from './term/type.js';

/** What a rule is translated for. */
export interface Translation {
  /** Where the Pod of the object is, or its template. */
  pod: PodTerms;
  settings: { config: JsonObject; constants: JsonObject };
}

/** The variables of a policy, in the order in which they can be made. */
export type PolicyVariables = Map<string, Term>;

export interface Translator {
  /**
   * What is wrong with an object of this type, as text; empty where nothing is. `gate` says to which objects the logic applies.
   * @throws {NotExportable}; {CelError} when an expression does not parse
   */
  violations(logic: RuleLogic, objectType: ObjectType, gate: Term, title: string): Term;
  /** A condition on the object as a whole. */
  condition(source: string, objectType: ObjectType): Term;
  /** Every variable that what was translated so far reads. */
  readonly variables: PolicyVariables;
}

export function createTranslator(translation: Translation): Translator {
  const variables: PolicyVariables = new Map();
  /** The names of the variables by what they stand for. */
  const named = new Map<string, string>();
  const fields = new Map<string, Type>();
  const scopeOf = (objectType: Type): Scope =>
    new Map<string, Type>([
      ['object', objectType],
      ['variables', { type: 'object', fields, open: true }],
    ]);
  const context: Context = {
    lower: (term, inner) => lower(term, inner, context),
    lowerBody: (term, inner) => lowerBody(term, inner, context),
    lowerRange: (term, inner) => rangeOf(term, inner, context),
    resolve: (text) => resolve(text, translation, context),
    settingOf: (term) => settingOf(term, translation.settings),
    variable: (key, base, make) => {
      const known = named.get(key);
      if (known !== undefined) return member(name('variables'), known);
      const term = make();
      if (term.is === 'literal' || term.is === 'map') return term;
      const text = freshName(base, new Set(variables.keys()));
      named.set(key, text);
      fields.set(text, TYPES_OF_POD[text]?.(translation) ?? typeOf(term, scopeOf(ANYTHING)));
      variables.set(text, term);
      return member(name('variables'), text);
    },
  };
  return {
    variables,
    violations: (logic, objectType, gate, title) => violationsOf(logic, gate, title, scopeOf(objectType), context),
    condition: (source, objectType) => lowerBody(readTerm(source), scopeOf(objectType), context),
  };
}

const TYPES_OF_POD: { readonly [variable: string]: (translation: Translation) => Type } = {
  podSpec: ({ pod }) => pod.specType,
  podMetadata: ({ pod }) => pod.metadataType,
};

/** What a logic says: where the condition holds, the text, of each of the items if there are any. */
interface Statement {
  condition: Term;
  text: Term;
  items: Term | undefined;
}

function violationsOf(logic: RuleLogic, gate: Term, title: string, scope: Scope, context: Context): Term {
  const { containers, items } = parseEach(logic.each);
  const when = logic.when === undefined ? [] : conjuncts(readTerm(logic.when), '&&');
  // What is asked of the object is asked once.
  const isWhole = (condition: Term) => PARTS.every((part) => countOf(condition, part) === 0);
  const outer = lowerBody(and(gate, ...when.filter(isWhole)), scope, context);
  if (isFalse(outer)) return literal('');
  const statement: Statement = {
    condition: and(...when.filter((condition) => !isWhole(condition)), not(readTerm(logic.expression))),
    text: logic.message === undefined ? literal(title) : readTerm(logic.message),
    items: items === undefined ? undefined : readTerm(items),
  };
  const lists = containerLists(containers, statement);
  if (lists.length === 0) return joinEmissions(outer, [ofItems(statement, scope, context)]);
  return joinEmissions(
    outer,
    lists.map(({ list, kind }) =>
      ofEach(list, 'container', kind ? replaced(statement, 'containerKind', kind) : statement, scope, context, (one, inner) =>
        ofItems(one, inner, context),
      ),
    ),
  );
}

function ofItems(statement: Statement, scope: Scope, context: Context): Emission {
  const said = ({ condition, text }: Statement, inner: Scope) => ({
    condition: lowerBody(condition, inner, context),
    text: lowerBody(text, inner, context),
  });
  return statement.items === undefined ? said(statement, scope) : ofEach(statement.items, 'item', statement, scope, context, said);
}

/** The statement about each item of a list, which the statement knows by this name. */
function ofEach(
  list: Term,
  variable: string,
  statement: Statement,
  scope: Scope,
  context: Context,
  said: (statement: Statement, scope: Scope) => Emission,
): Emission {
  const emit = (item: Term, inner: Scope) => said(replaced(statement, variable, item), inner);
  return emissionOf(listOf(list, scope, context), literal('; '), scope, context, emit, variable);
}

function replaced({ condition, text, items }: Statement, variable: string, by: Term): Statement {
  const put = (term: Term) => substitute(term, variable, by);
  return { condition: put(condition), text: put(text), items: items && put(items) };
}

/** The names of the parts of an object that a logic may look at one by one. */
const PARTS = ['container', 'containerKind', 'item'];

function joinEmissions(outer: Term, emissions: readonly Emission[]): Term {
  const [first] = emissions;
  if (first && emissions.length === 1) return choose(and(outer, first.condition), first.text, literal(''));
  const texts = emissions.map(({ condition, text }) => choose(condition, text, literal('')));
  return choose(outer, method(withoutEmpty(texts), 'join', literal('; ')), literal(''));
}

function withoutEmpty(texts: readonly Term[]): Term {
  return loop('filter', { is: 'list', items: texts }, 'text', compare('!=', name('text'), literal('')));
}

/** The lists of containers that `each` names; one by one where the rule asks for the kind of a container. */
function containerLists(each: string | undefined, { condition, text, items }: Statement): { list: Term; kind?: Term }[] {
  if (each === undefined) return [];
  const asksForKind = [condition, text, ...(items ? [items] : [])].some((term) => countOf(term, 'containerKind') > 0);
  if (each === 'anyContainer' && !asksForKind) return [{ list: call('podContainers', name('podSpec')) }];
  const lists = each === 'anyContainer' ? ['containers', 'initContainers', 'ephemeralContainers'] : [each];
  return lists.map((list) => ({
    list: call('list', { is: 'member', of: name('podSpec'), name: list, optional: true }),
    kind: kindIn(list),
  }));
}

function kindIn(list: string): Term {
  if (list !== 'initContainers') return literal(list === 'containers' ? 'app' : 'ephemeral');
  return readTerm('text(container.?restartPolicy) == "Always" ? "sidecar" : "init"');
}

function resolve(text: string, { pod }: Translation, context: Context): Term {
  switch (text) {
    case 'podSpec':
      return context.variable(text, text, () => pod.spec);
    case 'podMetadata':
      return context.variable(text, text, () => pod.metadata);
    case 'objectNamespace':
      return readTerm('object.metadata.?namespace.orValue("default")');
    case 'live':
      return TRUE;
    case 'resources':
      throw new NotExportable('set');
    default:
      return name(text);
  }
}

function settingOf(term: Term, settings: Translation['settings']): Term | undefined {
  if (term.is !== 'member' || term.of.is !== 'name' || (term.of.name !== 'config' && term.of.name !== 'constants')) return undefined;
  const values = settings[term.of.name];
  return Object.hasOwn(values, term.name) ? valueTerm(values[term.name] ?? null) : undefined;
}

function valueTerm(value: JsonValue): Term {
  if (Array.isArray(value)) return { is: 'list', items: value.map(valueTerm) };
  if (typeof value === 'number') return literal(Number.isInteger(value) ? BigInt(value) : value);
  if (value === null || typeof value !== 'object') return literal(value);
  return { is: 'map', entries: Object.entries(value).map(([key, item]) => [literal(key), valueTerm(item ?? null)] as const) };
}
