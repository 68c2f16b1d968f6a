import { BylawError } from '../errors.js';
import { MOST_NAMED, type Note } from '../note.js';
import { howToInstall } from '../publication.js';
import { CATEGORIES, CATEGORY_PACKAGES, type Catalogue, knownCategory, type Rule } from '../rule/index.js';
import { type Selection, select } from './select.js';

/** The rules of a run, and what its selection asks for that this installation does not have. */
export interface RunRules {
  rules: Rule[];
  notes: Note[];
}

/**
 * The rules that a run uses. A run without rules finds nothing, which looks like a clean result: if rules are missing from the installation that is an
 * error; if the filter merely leaves none of those that are there, a note.
 * @throws {BylawError} `no-rules-selected`, naming the package that holds the rules; `category-unknown`, `severity-unknown`, `rule-unknown`, `framework-unknown`
 */
export function selectForRun(catalogue: Catalogue, selection: Selection = {}): RunRules {
  const rules = select(catalogue, selection);
  if (catalogue.rules.length === 0)
    throw new BylawError('no-rules-selected', 'No rules are installed, so nothing can be checked.', {
      hint: `Name a folder of rules, or install a plugin that has rules, such as ${CATEGORY_PACKAGES.CS}. ${howToInstall([CATEGORY_PACKAGES.CS])}`,
    });
  const missing = categoriesNotInstalled(catalogue, selection.categories);
  const others = selection.categories?.some((code) => !missing.includes(code.toUpperCase())) ?? false;
  if (missing.length > 0 && !others)
    throw new BylawError('no-rules-selected', `No rules of ${categoriesText(missing)} are installed, so nothing can be checked.`, {
      hint: packagesOf(missing),
    });
  return { rules, notes: [...(missing.length > 0 ? [missingNote(missing)] : []), ...(rules.length === 0 ? [EMPTY_SELECTION] : [])] };
}

/** Those of the categories that have no installed rule. @throws {BylawError} `category-unknown` */
export function categoriesNotInstalled(catalogue: Catalogue, categories: readonly string[] = []): string[] {
  const known = new Set(categories.map((code) => knownCategory(catalogue, code)));
  return [...known].filter((code) => !catalogue.rules.some(({ category }) => category === code));
}

const EMPTY_SELECTION: Note = {
  code: 'no-rules-selected',
  message:
    'The filter selects none of the installed rules, so nothing was checked. Relax the filter, or list the rules with `bylaw rules`.',
  count: 1,
  first: [],
};

function missingNote(missing: readonly string[]): Note {
  return {
    code: 'category-not-installed',
    message: `No rules of ${categoriesText(missing)} are installed, so ${missing.length === 1 ? 'it was' : 'they were'} not checked. ${packagesOf(missing)}`,
    count: missing.length,
    first: missing.slice(0, MOST_NAMED),
  };
}

/** `category NS (Network)`, `categories AWS (Amazon Web Services), FO (FinOps)`. */
export function categoriesText(codes: readonly string[]): string {
  const names = codes.map((code) => (isCategory(code) ? `${code} (${CATEGORIES[code]})` : code));
  return `${codes.length === 1 ? 'category' : 'categories'} ${names.join(', ')}`;
}

/** The packages that the rules of categories belong to, and how to install them, as sentences. */
export function packagesOf(codes: readonly string[]): string {
  const packages = [...new Set(codes.filter(isCategory).map((code) => CATEGORY_PACKAGES[code]))].sort();
  const reason = packages.length === 1 ? 'is not installed or does not' : 'are not installed or do not';
  return `The rules of ${codes.join(', ')} belong to ${packages.join(' and ')}, which ${reason} have them yet. ${howToInstall(packages)}`;
}

function isCategory(code: string): code is keyof typeof CATEGORIES {
  return Object.hasOwn(CATEGORIES, code);
}
