import { hasValue, isEmptyList, isNone, orValue } from '../term/build.js';
import { type Context, isWhole } from '../term/context.js';
import { printFlat } from '../term/print.js';
import { type Call, call, literal, type Term } from '../term/term.js';
import type { Scope } from '../term/type.js';
import { lowerAccessor } from './accessors.js';
import { definitionOf, VARIABLE_NAMES } from './definitions.js';
import { checkFunction } from './functions.js';
import { lowerJoin, materialised } from './materialise.js';
import { expandCall } from './special.js';

/** Calls of functions and methods: what the API server lacks becomes what it is defined as. */
export function lowerCall(term: Call, scope: Scope, context: Context): Term {
  // A policy sees one object, and the text is about another one.
  if (term.on?.is === 'name' && term.on.name === 'resources' && term.name === 'grantText') return literal('');
  if (term.on === undefined) {
    const accessed = lowerAccessor(term, scope, context);
    if (accessed) return accessed;
    const variable = variableOf(term, scope, context);
    if (variable) return variable;
    const expanded = expandCall(term, scope, context);
    if (expanded) return context.lower(expanded, scope);
  }
  if (term.name === 'join' && term.on) return lowerJoin(term.on, term.args, scope, context);
  if (term.name === 'first' && term.on) return context.lower({ is: 'item', of: term.on, key: literal(0n), optional: true }, scope);
  if (term.name === 'flatten' || term.name === 'distinct') return materialised(term, scope, context);
  if (term.on?.is === 'name' && term.on.name === 'math' && term.name === 'floor' && term.args[0])
    return context.lower(call('double', call('int', term.args[0])), scope);
  checkFunction(term, scope);
  const on = term.on && context.lower(term.on, scope);
  const args = term.args.map((arg) => argumentOf(term, arg, scope, context));
  if (on && term.name === 'orValue' && args[0]) return orValue(on, args[0]);
  if (on && term.name === 'hasValue') return hasValue(on);
  if (on && term.name === 'or' && args[0]) return isNone(on) ? args[0] : isNone(args[0]) ? on : { ...term, on, args };
  if (on && term.name === 'value' && on.is === 'call' && on.name === 'of' && on.args[0]) return on.args[0];
  if (term.name === 'size' && (on ?? args[0]) && isEmptyList(on ?? args[0] ?? term)) return literal(0n);
  return { ...term, on, args };
}

/** Functions that take any value in our dialect, and a text here. */
const OF_TEXTS = new Set(['isIP', 'isCIDR', 'isURL', 'url', 'isQuantity', 'quantity']);
const OF_QUANTITIES = new Set(['isQuantity', 'quantity']);

function argumentOf({ name, on }: Call, arg: Term, scope: Scope, context: Context): Term {
  if (on !== undefined || !OF_TEXTS.has(name)) return context.lower(arg, scope);
  // A quantity may be a number in a custom resource.
  return context.lower(call(OF_QUANTITIES.has(name) ? 'quantityText' : 'text', arg), scope);
}

/** A function of the whole object is a variable of the policy, which is named after it. */
function variableOf(term: Call, scope: Scope, context: Context): Term | undefined {
  const whole = term.args.length > 0 && term.args.every((arg) => isWhole(arg, scope));
  if (!whole || definitionOf(term.name) === undefined) return undefined;
  return context.variable(printFlat(term), VARIABLE_NAMES.get(term.name) ?? term.name, () => {
    const expanded = expandCall(term, scope, context);
    return expanded ? context.lower(expanded, scope) : term;
  });
}
