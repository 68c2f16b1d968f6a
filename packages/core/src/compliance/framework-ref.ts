import { BylawError } from '../errors.js';
import { nearest } from '../nearest.js';
import type { Rule } from '../rule/rule.js';
import { FRAMEWORKS, HYPHENATED } from './framework-table.js';
import { naturalOrder } from './natural-order.js';

/** A framework reference of a rule, or what a user wrote after `--framework`, taken apart. */
export interface FrameworkRef {
  /** Name and version: `CIS-K8S-1.10`, `PSS`, `NSA-K8S`. */
  framework: string;
  /** `CIS-K8S`. */
  name: string;
  /** `1.10`, or null where the reference names no edition. */
  version: string | null;
  /** `5.2.2`, or null where the reference is to the framework as a whole. */
  item: string | null;
}

const VERSION = /-(v?\d+(?:\.\d+)+|v\d+|20\d\d)$/i;

/** Takes apart `NAME-VERSION:ITEM`, `NAME:ITEM`, `NAME-VERSION`, `NAME`, and the hyphenated `PSS-BASELINE`, `PSS-BASELINE:hostPorts` and `CVE-2023-2878`. */
export function parseFrameworkRef(ref: string): FrameworkRef {
  const text = ref.trim();
  const colon = text.indexOf(':');
  const framework = colon < 0 ? text : text.slice(0, colon);
  const item = colon < 0 ? null : text.slice(colon + 1);
  const hyphenated = HYPHENATED.find((name) => framework.toUpperCase().startsWith(`${name}-`));
  if (hyphenated !== undefined) {
    const part = framework.slice(hyphenated.length + 1);
    return { framework: hyphenated, name: hyphenated, version: null, item: item === null ? part : `${part}:${item}` };
  }
  const version = Object.hasOwn(FRAMEWORKS, framework.toUpperCase()) ? undefined : VERSION.exec(framework)?.[1];
  const name = version === undefined ? framework : framework.slice(0, -version.length - 1);
  return { framework, name, version: version ?? null, item };
}

/**
 * Whether a rule maps to what a query names: a framework with or without its version or the end of its name (`CIS-K8S-1.10`, `CIS-K8S`,
 * `CIS`), and perhaps an item or a section of items (`CIS-K8S-1.10:5.2` holds 5.2.2). Letter case does not matter.
 */
export function frameworkMatches(rule: Pick<Rule, 'frameworks'>, query: string | FrameworkRef): boolean {
  const wanted = typeof query === 'string' ? parseFrameworkRef(query) : query;
  return rule.frameworks.some((ref) => refMatches(parseFrameworkRef(ref), wanted));
}

/** The same for one reference of a rule. */
export function refMatches(ref: FrameworkRef, query: FrameworkRef): boolean {
  return isUnder(ref.framework, query.framework, '-') && (query.item === null || isUnder(ref.item ?? '', query.item, '.(/-:'));
}

/**
 * The query, once it is known that some rule maps to it.
 * @throws {BylawError} `framework-unknown`, naming the nearest framework or item.
 */
export function resolveFramework(query: string, rules: readonly Pick<Rule, 'frameworks'>[]): FrameworkRef {
  const wanted = parseFrameworkRef(query);
  if (wanted.framework !== '' && rules.some((rule) => frameworkMatches(rule, wanted))) return wanted;
  throw new BylawError('framework-unknown', 'No installed rule maps to this framework.', { hint: suggestion(wanted, rules) });
}

/** Equal, or below it in a hierarchy whose steps are cut by one of `separators`. */
function isUnder(text: string, prefix: string, separators: string): boolean {
  const a = text.toUpperCase();
  const b = prefix.toUpperCase();
  return a === b || (a.startsWith(b) && separators.includes(a.charAt(b.length)));
}

/** Names items where the framework is right and only the item is not; else frameworks. */
function suggestion(wanted: FrameworkRef, rules: readonly Pick<Rule, 'frameworks'>[]): string {
  const refs = rules.flatMap((rule) => rule.frameworks.map(parseFrameworkRef));
  const items = refs.filter((ref) => ref.item !== null && refMatches(ref, { ...wanted, item: null }));
  if (wanted.item !== null && items.length > 0) {
    const known = new Set(items.map((ref) => `${ref.framework}:${ref.item}`));
    return `${didYouMean(nearest(`${wanted.framework}:${wanted.item}`, known))}\`bylaw compliance --framework ${items[0]?.framework}\` lists its items.`;
  }
  const frameworks = [...new Set(refs.map((ref) => ref.framework))].sort(naturalOrder);
  if (frameworks.length === 0) return 'No installed rule maps to any framework.';
  const near = nearest(wanted.framework, new Set([...frameworks, ...refs.map((ref) => ref.name)]));
  return `${didYouMean(near)}Known frameworks: ${frameworks.join(', ')}.`;
}

function didYouMean(near: string | undefined): string {
  return near === undefined ? '' : `Did you mean ${near}? `;
}
