import { CelError, type Evaluator, type Program } from '../cel/evaluator.js';
import type { Expression } from '../cel/index.js';
import type { RuleLogic } from './rule.js';
import { parseTarget } from './target.js';

/** The container lists that `each` can name, and the kinds of container in each. */
export const CONTAINER_LISTS = {
  anyContainer: ['app', 'init', 'sidecar', 'ephemeral'],
  containers: ['app'],
  initContainers: ['init', 'sidecar'],
  ephemeralContainers: ['ephemeral'],
} as const;

export type ContainerList = keyof typeof CONTAINER_LISTS;

/** Cost bounds of a rule's expressions. */
export const BOUNDS = { maxNodes: 2000, maxNesting: 3 };

/** What every expression of a rule sees. */
const BASE_SCOPE = ['object', 'podSpec', 'podMetadata', 'objectNamespace', 'live', 'config', 'constants'] as const;

/** The parts of a logic that are CEL, by the name of their field. */
export type ExpressionField = 'each' | 'when' | 'expression' | 'line' | 'message' | 'caused_by' | 'edit';

/**
 * A program that rules with the same text share. `reach` says how far its result holds: for the whole resource, for one
 * container of it, or for one evaluation only.
 */
export interface SharedProgram extends Program {
  readonly reach: 'resource' | 'container' | 'once';
}

/** A logic ready to run. Each expression is parsed when it is first used. */
export interface CompiledLogic {
  readonly source: RuleLogic;
  readonly containers: ReadonlySet<string> | undefined;
  /** The CEL list of `each`, which binds `item`. */
  items(): SharedProgram | undefined;
  when(): SharedProgram | undefined;
  expression(): Program;
  line(): Program | undefined;
  message(): Program | undefined;
  readonly causes: readonly CompiledCause[];
  /** The `when` of the edit. */
  editWhen(): Program | undefined;
}

/** Rules that may be the cause of a failure. */
export interface CompiledCause {
  readonly rules: readonly string[];
  when(): Program | undefined;
}

/** Splits `each` into its container list and its CEL list. */
export function parseEach(each: RuleLogic['each']): { containers: ContainerList | undefined; items: string | undefined } {
  const parts = each === undefined ? [] : typeof each === 'string' ? [each] : each;
  const containers = parts.find((part): part is ContainerList => Object.hasOwn(CONTAINER_LISTS, part));
  return { containers, items: parts.find((part) => !Object.hasOwn(CONTAINER_LISTS, part)) };
}

export function compileLogic(source: RuleLogic, evaluator: Evaluator): CompiledLogic {
  const { containers, items } = parseEach(source.each);
  const scope = scopeOf(source);
  const outer = scope.filter((name) => name !== 'item');
  const lazily = (text: string | undefined, variables: readonly string[]) => {
    let program: SharedProgram | undefined;
    return () => {
      if (text !== undefined) program ??= sharedProgram(evaluator, text, variables);
      return program;
    };
  };
  const expression = lazily(source.expression, scope);
  return {
    source,
    containers: containers && new Set<string>(CONTAINER_LISTS[containers]),
    items: lazily(items, outer),
    when: lazily(source.when, scope),
    expression: () => expression() ?? unreachable(),
    line: lazily(source.line, scope),
    message: lazily(source.message, scope),
    causes: (source.caused_by ?? []).map(({ rules, when }) => ({ rules, when: lazily(when, scope) })),
    editWhen: lazily(source.edit?.when, scope),
  };
}

/** Every expression of a logic, with the variables that it may use. */
export function expressionsOf(source: RuleLogic): Expression[] {
  const scope = scopeOf(source);
  const conditions = [source.when, source.expression, source.line, source.message, source.edit?.when];
  const causes = (source.caused_by ?? []).map(({ when }) => when);
  const expressions = [...conditions, ...causes].map((text) => ({ text, variables: scope }));
  expressions.push({ text: parseEach(source.each).items, variables: scope.filter((name) => name !== 'item') });
  return expressions.flatMap(({ text, variables }) => (text === undefined ? [] : { source: text, variables }));
}

/** Compiles every expression of a logic and gives the errors, each with the field it is in and its path from there. */
export function checkLogic(
  source: RuleLogic,
  evaluator: Evaluator,
): { field: ExpressionField; path: (number | string)[]; error: CelError }[] {
  const compiled = compileLogic(source, evaluator);
  const parts: [field: ExpressionField, path: (number | string)[], compile: () => Program | undefined][] = [
    ['each', Array.isArray(source.each) ? [1] : [], compiled.items],
    ['when', [], compiled.when],
    ['expression', [], compiled.expression],
    ['line', [], compiled.line],
    ['message', [], compiled.message],
    ...compiled.causes.map(({ when }, index): (typeof parts)[number] => ['caused_by', [index, 'when'], when]),
    ['edit', ['when'], compiled.editWhen],
  ];
  return parts.flatMap(([field, path, compile]) => {
    try {
      compile();
      return [];
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      return [{ field, path, error }];
    }
  });
}

const shared = new WeakMap<Evaluator, Map<string, SharedProgram>>();

function sharedProgram(evaluator: Evaluator, text: string, variables: readonly string[]): SharedProgram {
  const programs = shared.get(evaluator) ?? new Map<string, SharedProgram>();
  shared.set(evaluator, programs);
  const key = `${variables.join()}\n${text}`;
  const known = programs.get(key);
  if (known) return known;
  const program = evaluator.compile(text, { variables, ...BOUNDS });
  const made = Object.assign(program, { reach: reachOf(program) });
  programs.set(key, made);
  return made;
}

const RESOURCE_SCOPE: ReadonlySet<string> = new Set(['object', 'podSpec', 'podMetadata', 'objectNamespace', 'live']);
const CONTAINER_SCOPE: ReadonlySet<string> = new Set([...RESOURCE_SCOPE, 'container', 'containerKind']);

function reachOf({ variables }: Program): SharedProgram['reach'] {
  if (within(variables, RESOURCE_SCOPE)) return 'resource';
  return within(variables, CONTAINER_SCOPE) ? 'container' : 'once';
}

function within(names: ReadonlySet<string>, scope: ReadonlySet<string>): boolean {
  return [...names].every((name) => scope.has(name));
}

function scopeOf(source: RuleLogic): string[] {
  const { containers, items } = parseEach(source.each);
  const scope: string[] = [...BASE_SCOPE];
  if (containers) scope.push('container', 'containerKind');
  if (items !== undefined) scope.push('item');
  if (source.targets.some((target) => parseTarget(target).set)) scope.push('resources');
  return scope;
}

function unreachable(): never {
  throw new Error('a rule without an expression passed the schema');
}
