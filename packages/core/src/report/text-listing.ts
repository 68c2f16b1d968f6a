import type { Finding } from '../evaluate/index.js';
import { printable, shorten } from '../printable.js';
import { type Page, padded, severityLabel, wrapped } from './page.js';
import { fileOf, NO_FILE, plural, resourceName } from './wording.js';

/** The findings of a run under headings of file and resource, as they come. */
export interface Listing {
  /** What these findings add to the page. */
  take(findings: readonly Finding[]): string;
  /** What was held back until the end of the run was known. */
  end(): string;
}

/** A run with no more findings than this is listed in full; in a larger one the first of each rule speak for the rest. */
const SMALL_RUN = 100;
const FIRST_PER_RULE = 5;

export function newListing(page: Page, all: boolean): Listing {
  const entry = entries(page);
  const listed = new Map<string, number>();
  let held: Finding[] | null = all ? null : [];
  let hidden = 0;

  const list = (findings: readonly Finding[]) => findings.map(entry).join('');
  const firstOfRule = (finding: Finding) => {
    const before = listed.get(finding.rule_id) ?? 0;
    listed.set(finding.rule_id, before + 1);
    if (before < FIRST_PER_RULE) return true;
    hidden += 1;
    return false;
  };

  return {
    take(findings) {
      const shown = findings.filter(({ status }) => status === 'fail' || status === 'error');
      if (all) return list(shown);
      if (held === null) return list(shown.filter(firstOfRule));
      for (const finding of shown) held.push(finding);
      if (held.length <= SMALL_RUN) return '';
      const large = held;
      held = null;
      return list(large.filter(firstOfRule));
    },
    end() {
      const rest = list(held ?? []);
      if (hidden === 0) return rest;
      const note = `${plural(hidden, 'more finding')} ${hidden === 1 ? 'is' : 'are'} not listed: the first ${FIRST_PER_RULE} of each rule are. --verbose lists all.`;
      return `${rest}\n${wrapped(page, note, 2, page.chalk.dim)}`;
    },
  };
}

const RESOURCE_INDENT = 2;
const INDENT = 4;
/** Columns before the message: indent, severity and identifier, two apart, and the place where there is one. */
const HEAD_COLUMNS = INDENT + 8 + 2 + 7 + 2;
const PLACE_COLUMNS = 7 + 2;
/** Where the message would get fewer columns than this, it starts on a line of its own. */
const MIN_MESSAGE = 36;
/** A message quotes the input, which may hold a megabyte in one string. */
const MAX_MESSAGE = 1_000;

/**
 * Writes one finding after another, with the headings where file or resource changes, and the fix where a rule is met first. Resources
 * without a file get a heading of their own only after those of a file.
 */
function entries(page: Page): (finding: Finding) => string {
  const explained = new Set<string>();
  let file: string | undefined;
  let resource: string | undefined;

  return (finding) => {
    let text = '';
    const nextFile = finding.location !== null ? fileOf(finding.location) : file === undefined ? undefined : NO_FILE;
    if (nextFile !== undefined && nextFile !== file) {
      text += `\n${page.chalk.bold.underline(nextFile)}\n`;
      file = nextFile;
      resource = undefined;
    }
    const nextResource = resourceName(finding.resource);
    if (nextResource !== resource) {
      text += `\n${wrapped(page, nextResource, RESOURCE_INDENT, page.chalk.bold)}`;
      resource = nextResource;
    }
    text += line(page, finding);
    if (finding.status === 'fail' && !explained.has(finding.rule_id)) {
      explained.add(finding.rule_id);
      text += wrapped(page, `fix: ${printable(finding.fix)}`, messageIndent(page, finding), page.chalk.dim);
    }
    return text;
  };
}

function line(page: Page, finding: Finding): string {
  const place = placeInFile(finding);
  const head = `${' '.repeat(INDENT)}${severityLabel(page, finding)}  ${padded(printable(finding.rule_id), 7)}`;
  const message = shorten(printable(finding.message), MAX_MESSAGE);
  const indent = messageIndent(page, finding);
  if (indent < HEAD_COLUMNS) return `${head}${place === '' ? '' : `  ${page.chalk.dim(place)}`}\n${wrapped(page, message, indent)}`;
  return wrapped(page, message, indent, undefined, `${head}  ${place === '' ? '' : `${page.chalk.dim(padded(place, 7))}  `}`);
}

function messageIndent(page: Page, finding: Finding): number {
  const column = HEAD_COLUMNS + (placeInFile(finding) === '' ? 0 : PLACE_COLUMNS);
  return page.width - column >= MIN_MESSAGE ? column : INDENT + 2;
}

/** Line and column, where the file has them. */
function placeInFile({ location }: Finding): string {
  return location === null || location.rendered_from !== undefined ? '' : `${location.line}:${location.column}`;
}
