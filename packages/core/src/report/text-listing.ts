import type { Finding } from '../evaluate/index.js';
import { type Page, padded, severityLabel, wrapped } from './page.js';
import { printable, shorten } from './printable.js';
import { NO_FILE, plural, resourceName } from './wording.js';

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
/** Columns before the message: indent, severity, identifier and place, two apart. */
const MESSAGE_COLUMN = INDENT + 8 + 2 + 7 + 2 + 7 + 2;
/** Where the message would get fewer columns than this, it starts on a line of its own. */
const MIN_MESSAGE = 36;
/** A message quotes the input, which may hold a megabyte in one string. */
const MAX_MESSAGE = 1_000;

/** Writes one finding after another, with the headings where file or resource changes, and the fix where a rule is met first. */
function entries(page: Page): (finding: Finding) => string {
  const explained = new Set<string>();
  let file: string | undefined;
  let resource: string | undefined;

  return (finding) => {
    let text = '';
    const nextFile = finding.location === null ? NO_FILE : printable(finding.location.file);
    if (nextFile !== file) {
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
      text += wrapped(page, `fix: ${printable(finding.fix)}`, messageIndent(page), page.chalk.dim);
    }
    return text;
  };
}

function line(page: Page, finding: Finding): string {
  const place = finding.location === null ? '' : `${finding.location.line}:${finding.location.column}`;
  const head = `${' '.repeat(INDENT)}${severityLabel(page, finding)}  ${padded(printable(finding.rule_id), 7)}`;
  const message = shorten(printable(finding.message), MAX_MESSAGE);
  const indent = messageIndent(page);
  if (indent < MESSAGE_COLUMN) return `${head}${place === '' ? '' : `  ${page.chalk.dim(place)}`}\n${wrapped(page, message, indent)}`;
  return wrapped(page, message, indent, undefined, `${head}  ${page.chalk.dim(padded(place, 7))}  `);
}

function messageIndent(page: Page): number {
  return page.width - MESSAGE_COLUMN >= MIN_MESSAGE ? MESSAGE_COLUMN : INDENT + 2;
}
