/**
 * The built-in plugins of the Impact Framework that a manifest of ours uses, as a manifest declares them.
 * Names of values are letters joined by `-`, `_` or `/`: everything else would be taken for arithmetic. Source: @grnsft/if 1.1.0, builtins/.
 */
export interface Builtin {
  path: 'builtin';
  method: 'Interpolation' | 'Multiply' | 'Divide' | 'Coefficient' | 'Sum' | 'Sci';
  config: { readonly [name: string]: string | number | readonly string[] | readonly number[] };
  'parameter-metadata'?: { outputs: { [name: string]: ParameterMetadata } };
}

interface ParameterMetadata {
  unit: string;
  description: string;
  'aggregation-method': { time: 'sum'; component: 'sum' };
}

/** One step from the inputs of an item to its carbon. */
export interface Step {
  /** The value that it adds, or `sci`. */
  output: string;
  builtin: Builtin;
  /** What tells it from a step with the same output in other items. */
  of?: string;
}

export function multiply(output: string, ...inputs: string[]): Step {
  return step(output, 'Multiply', { 'input-parameters': inputs, 'output-parameter': output });
}

/** With one input: that input under another name. */
export function sum(output: string, inputs: readonly string[]): Step {
  return step(output, 'Sum', { 'input-parameters': inputs, 'output-parameter': output });
}

/** The divisor must not be 0: the builtin refuses it. */
export function divide(output: string, numerator: string, denominator: string): Step {
  return step(output, 'Divide', { numerator, denominator, output });
}

export function coefficient(output: string, input: string, factor: number): Step {
  return step(output, 'Coefficient', { 'input-parameter': input, 'output-parameter': output, coefficient: factor });
}

/** On straight lines between points. Both coordinates must rise: the builtin sorts each of them by itself. */
export function interpolate(output: string, input: string, { x, y }: { x: readonly number[]; y: readonly number[] }): Step {
  return step(output, 'Interpolation', { method: 'linear', x, y, 'input-parameter': input, 'output-parameter': output });
}

/** `carbon` per functional unit, whose count must not be 0: the builtin would answer `carbon` itself. */
export function sci(functionalUnit: string): Step {
  return step('sci', 'Sci', { 'functional-unit': functionalUnit });
}

/** A step whose output is added up over items and time. The builtins do not say so of what they put out. */
export function summedUp(one: Step, unit: string, description: string): Step {
  const metadata: ParameterMetadata = { unit, description, 'aggregation-method': { time: 'sum', component: 'sum' } };
  return { ...one, builtin: { ...one.builtin, 'parameter-metadata': { outputs: { [one.output]: metadata } } } };
}

function step(output: string, method: Builtin['method'], config: Builtin['config']): Step {
  return { output, builtin: { path: 'builtin', method, config } };
}
