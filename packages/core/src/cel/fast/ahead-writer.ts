import { callCost } from '../budget/costs.js';
import { FUNCTIONS } from '../functions.js';
import { Pattern } from '../pattern/pattern.js';
import { quoted } from '../quoted.js';
import { HELPERS } from '../runtime/helpers.js';
import { LIBRARY_FUNCTIONS } from '../runtime/library-functions.js';
import { STAND_INS } from '../runtime/stand-ins.js';
import { getterSource } from './getters.js';
import type { Declaration } from './library.js';
import { type Bind, type Code, Writer } from './writer.js';

const HELPER_NAMES = namesOf(HELPERS);
const OPERATOR_NAMES = namesOf(STAND_INS);
const FUNCTION_NAMES: ReadonlyMap<unknown, string> = new Map(FUNCTIONS.map(({ signature, call }) => [call, signature]));

function namesOf(table: { readonly [name: string]: unknown }): ReadonlyMap<unknown, string> {
  return new Map(Object.entries(table).map(([name, value]) => [value, name]));
}

/** The names that the functions of one module share, and what is behind each of them, as source. */
export class ModuleNames {
  readonly #names = new Map<string, string>();
  readonly #declarations: string[] = [];

  nameOf(source: string): string {
    const name = this.#names.get(source) ?? this.newNameOf(source);
    this.#names.set(source, name);
    return name;
  }

  /** For a value that is not to be the same as any other. */
  newNameOf(source: string): string {
    const name = `m${this.#declarations.length}`;
    this.#declarations.push(`const ${name} = ${source};`);
    return name;
  }

  /** The declarations of the names, for the top of the module. */
  get declarations(): readonly string[] {
    return this.#declarations;
  }
}

/**
 * What code does with something unknown. It gives up, or it sets the unknown aside as compiled code sets an error aside, because another operand may
 * decide; then only calls can find something unknown (`calls`), or every value that is read (`reading`).
 */
export type Unknowns = 'give up' | 'calls' | 'reading';

/**
 * Writes a function that another process runs. It reaches everything by names of the runtime (see `Runtime`). What has no name there, the code
 * cannot do, and it gives up instead. Whatever it throws but an unknown means just that, so it sets no other error aside and notes no places.
 */
export class AheadWriter extends Writer {
  readonly tellsTypes = true;
  protected readonly setsErrorsAside: boolean;

  constructor(
    private readonly names: ModuleNames,
    private readonly unknowns: Unknowns,
  ) {
    super();
    this.setsErrorsAside = unknowns !== 'give up';
  }

  helper(helper: (...args: never[]) => unknown): string {
    const operator = OPERATOR_NAMES.get(helper);
    if (operator !== undefined) return this.names.nameOf(`runtime.operators[${quoted(operator)}]`);
    const name = HELPER_NAMES.get(helper);
    if (name === undefined) throw new Error(`${helper.name} is not among the helpers of the runtime`);
    return this.names.nameOf(`runtime.helpers.${name}`);
  }

  cost(name: string): string {
    if (callCost(name) === undefined) throw new Error(`calls of ${name} have no cost`);
    return this.names.nameOf(`runtime.cost(${quoted(name)})`);
  }

  getter(key: string): string {
    return this.names.nameOf(getterSource(key));
  }

  constant(value: unknown): string {
    const source = sourceOf(value);
    if (source === undefined) return this.library();
    // To compare a list with itself takes fewer steps.
    if (Array.isArray(value)) return this.names.newNameOf(source);
    return value instanceof Pattern || value instanceof Set ? this.names.nameOf(source) : source;
  }

  node(): string {
    return 'undefined';
  }

  overload({ handler, signature }: Declaration): string | undefined {
    const own = FUNCTION_NAMES.get(handler);
    if (own !== undefined) return this.names.nameOf(`runtime.functions[${quoted(own)}]`);
    return LIBRARY_FUNCTIONS[signature] && this.names.nameOf(`runtime.library[${quoted(signature)}]`);
  }

  library(_write?: (bind: Bind) => string, standIn?: () => string): string {
    return standIn?.() ?? `${this.helper(HELPERS.giveUp)}()`;
  }

  place(): string {
    this.canThrow();
    return '0';
  }

  attempt(lines: readonly string[], error: string): void {
    if (this.unknowns === 'give up') this.lines(lines);
    else
      this.line(`try {\n${lines.join('\n')}\n} catch (thrown) { ${error} = ${this.helper(HELPERS.setUnknownAside)}(thrown, ${error}); }`);
  }

  protected override get throws(): boolean {
    return super.throws || this.unknowns === 'reading';
  }

  /** The source of the function. */
  build(first: readonly string[], result: Code): string {
    return this.functionOf(this.bodyOf(first, result));
  }
}

function sourceOf(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (value instanceof Pattern) return `runtime.pattern(${[quoted(value.source), ...filterOf(value)].join(', ')})`;
  if (Array.isArray(value)) return listed(value);
  if (!(value instanceof Set)) return undefined;
  const items = listed([...value]);
  return items && `new Set(${items})`;
}

function listed(items: readonly unknown[]): string | undefined {
  const sources = items.map(sourceOf);
  return sources.includes(undefined) ? undefined : `[${sources.join(', ')}]`;
}

/** What rules out texts that cannot match, for patterns that need RE2. */
function filterOf({ filter }: Pattern): string[] {
  return filter === undefined ? [] : [quoted(filter)];
}
