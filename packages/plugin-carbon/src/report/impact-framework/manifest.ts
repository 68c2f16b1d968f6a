import { plural } from '@bylaw/core/plural';
import { stringify } from 'yaml';
import type { EstimationResult, ItemEstimation } from '../../estimate/index.js';
import { GRID_ATTRIBUTION } from '../../factors/index.js';
import type { Builtin, Step } from './builtin.js';
import { childNames } from './child-names.js';
import { itemSteps } from './item-steps.js';

/** An estimate with the time that it is about. */
export interface ExportedEstimate {
  result: EstimationResult;
  /** First instant of the period, ISO 8601. Absent: the estimate is of no particular time, and the manifest has the start of Unix time. */
  start?: string;
}

export interface ImpactFrameworkOptions {
  title: string;
}

/**
 * A manifest of the Impact Framework (@grnsft/if 1.1): one child per item, whose pipeline computes the central values of the estimate again, to the
 * digit before rounding. Carbon in g CO2e, energy in kWh, SCI in g CO2e per functional unit. Of a comparison only what is there now.
 * Several estimates become groups, one each.
 * @throws {RangeError} for a functional unit whose count is not above 0
 */
export function impactFramework(estimates: readonly ExportedEstimate[], { title }: ImpactFrameworkOptions): string {
  const plugins = new Plugins();
  const tree = treeOf(estimates, plugins);
  const isEmpty = Object.keys(tree.children).length === 0;
  const hasSci = estimates.length === 1 && estimates[0]?.result.parameters.functional_unit !== null;
  return yamlText({
    name: title,
    description: descriptionOf(estimates),
    tags: { kind: 'carbon estimate', category: 'infrastructure' },
    // The framework cannot add up nothing. A sum of SCIs is one only where all are for the same units.
    ...(!isEmpty && { aggregation: { metrics: ['carbon', 'energy', ...(hasSci ? ['sci'] : [])], type: 'both' } }),
    initialize: { plugins: plugins.declared() },
    tree,
  });
}

/** Children by their names, which are plain words, so that none of them is a prototype. */
interface Tree {
  children: { [name: string]: object };
}

/** One estimate is the tree; several are groups of it. A group needs a child. */
function treeOf(estimates: readonly ExportedEstimate[], plugins: Plugins): Tree {
  const trees = estimates.map((estimate) => itemTree(estimate, plugins));
  const [only] = trees;
  if (only !== undefined && trees.length === 1) return only;
  const groups = trees.map((tree, index) => [`period-${index + 1}`, tree] as const);
  return { children: Object.fromEntries(groups.filter(([, { children }]) => Object.keys(children).length > 0)) };
}

function itemTree({ result, start }: ExportedEstimate, plugins: Plugins): Tree {
  const { parameters, current } = result;
  const units = parameters.functional_unit?.count;
  if (units !== undefined && !(units > 0)) throw new RangeError('The count of the functional unit must be above 0.');
  const time = { timestamp: start ?? '1970-01-01T00:00:00Z', duration: secondsOf(parameters.period_hours) };
  const names = childNames(current.items.map(({ item }) => item.id));
  const children = current.items.map((estimation, index) => [names[index], childOf(estimation, time, units, plugins)]);
  return { children: Object.fromEntries(children) };
}

/** Nothing is computed from it. The builtin Sci refuses less than a second. */
function secondsOf(hours: number): number {
  return Math.max(1, hours * 3600);
}

/** What the framework does not know is beside the inputs, and not in them: there it would be evaluated. */
function childOf(estimation: ItemEstimation, time: object, functionalUnits: number | undefined, plugins: Plugins): object {
  const { id, provider, region, instanceType } = estimation.item;
  const { inputs, steps } = itemSteps(estimation, functionalUnits);
  return {
    ...{ id, provider, region, ...(instanceType !== undefined && { 'instance-type': instanceType }) },
    pipeline: { compute: steps.map((step) => plugins.nameOf(step)) },
    inputs: [{ ...time, ...inputs }],
  };
}

/** Every plugin is declared once; items that need the same share it. */
class Plugins {
  readonly #names = new Map<string, string>();
  readonly #builtins = new Map<string, Builtin>();

  nameOf({ output, builtin, of }: Step): string {
    const content = JSON.stringify([output, of, builtin]);
    const known = this.#names.get(content);
    if (known !== undefined) return known;
    const plain = of !== undefined && /^[\w .-]{1,60}$/.test(of) ? `${output} of ${of}` : output;
    let name = plain;
    for (let number = 2; this.#builtins.has(name); number += 1) name = `${plain} (${number})`;
    this.#names.set(content, name);
    this.#builtins.set(name, builtin);
    return name;
  }

  declared(): { [name: string]: Builtin } {
    return Object.fromEntries(this.#builtins);
  }
}

function descriptionOf(estimates: readonly ExportedEstimate[]): string {
  const units = estimates.flatMap(({ result }) => result.parameters.functional_unit ?? []);
  const sources = new Set(estimates.flatMap(({ result }) => result.current.items.flatMap(sourcesOf)));
  const unestimated = estimates.reduce((sum, { result }) => sum + result.current.unestimated.length, 0);
  return [
    'Central estimate by bylaw: carbon in g CO2e, energy in kWh.',
    ...[...new Set(units.map(({ name }) => `Functional unit: ${name}.`))],
    ...(unestimated > 0 ? [`Not estimated and not included: ${plural(unestimated, 'item')}.`] : []),
    `Sources: ${[...sources].sort().join('; ')}.`,
    GRID_ATTRIBUTION,
  ].join(' ');
}

function sourcesOf({ factors }: ItemEstimation): string[] {
  return Object.values(factors).flatMap((factor) => (factor === undefined || factor.class === 'given' ? [] : [factor.source]));
}

/**
 * YAML that readers of 1.1 and 1.2 understand alike: every text is quoted, so that none is a date, a number or a merge for one of them, and what
 * a reader may refuse is escaped. Keys must be plain words. Numbers are written with all their digits.
 */
function yamlText(document: object): string {
  const text = stringify(document, {
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
  return text.replaceAll(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What is left of it is in quoted texts only. Source: YAML 1.2.2, 5.1 Character Set. */
const UNPRINTABLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;
