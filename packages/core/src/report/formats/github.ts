import type { InputError } from '../../errors.js';
import type { Finding } from '../../evaluate/index.js';
import type { Note } from '../../note.js';
import { printable, shorten } from '../../printable.js';
import { SEVERITIES, type Severity } from '../../rule/index.js';
import { exceptionTexts } from '../exception-text.js';
import { eachBatch, type Reporter } from '../reporter.js';
import { verdictOf } from '../verdict.js';
import { number, plural, resourceName, scoreScope, scoreText, uncheckedText, undecidedText } from '../wording.js';
import { filePath } from './uri.js';

const COMMANDS: { [severity in Severity]: string } = { CRITICAL: 'error', HIGH: 'error', MEDIUM: 'warning', LOW: 'notice', INFO: 'notice' };

/** GitHub shows ten annotations of a kind per step and fifty per job, and drops the rest: more of one severity would never be seen. */
const MAX_PER_SEVERITY = 50;
/** An annotation holds 4 KiB. */
const MAX_MESSAGE = 1_000;

/**
 * GitHub Actions workflow commands (https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions): annotations, the
 * most severe first, because only the first ones are shown; then the verdict and a line of counts.
 */
export const github: Reporter = async (events, out, { threshold = 'HIGH' }) => {
  const first = new Map<Severity, Finding[]>(SEVERITIES.map((severity) => [severity, []]));
  const end = await eachBatch(events, (findings) => {
    for (const finding of findings) {
      const list = first.get(finding.severity);
      if (list !== undefined && list.length < MAX_PER_SEVERITY && (finding.status === 'fail' || finding.status === 'error'))
        list.push(finding);
    }
  });
  await out.write(end.errors.slice(0, MAX_PER_SEVERITY).map(errorCommand).join(''));
  let shown = 0;
  for (const list of first.values()) {
    shown += list.length;
    await out.write(list.map(findingCommand).join(''));
  }
  const { summary, score, notes } = end;
  const unchecked = uncheckedText(summary);
  if (unchecked !== '') await out.write(command('notice', null, 'Not checked', unchecked));
  const undecided = undecidedText(summary);
  if (undecided !== '') await out.write(command('notice', null, 'Undecided', shorten(undecided, MAX_MESSAGE)));
  for (const text of exceptionTexts(summary)) await out.write(command('notice', null, 'Exceptions', shorten(text, MAX_MESSAGE)));
  await out.write(notes.map(noteCommand).join(''));
  const { word, why } = verdictOf(summary, threshold);
  const counts = SEVERITIES.map((severity) => `${number(summary.by_severity[severity])} ${severity.toLowerCase()}`).join(', ');
  const scored = `score ${scoreText(score.overall)}${score.grade === null ? '' : ` (${score.grade})`}${score.overall === null ? '' : scoreScope(summary)}`;
  await out.write(
    `bylaw: ${word}  ${why}\nbylaw: ${plural(summary.findings, 'finding')} (${counts}) in ${plural(summary.resources, 'resource')}, ${number(summary.suppressed)} suppressed; ${scored}\n`,
  );
  const total = summary.findings + Math.max(0, summary.errors - end.errors.length);
  if (shown < total)
    await out.write(
      `bylaw: ${plural(total - shown, 'finding has', 'findings have')} no annotation here; use the format sarif to see all findings.\n`,
    );
};

function findingCommand(finding: Finding): string {
  const what = finding.status === 'error' ? 'could not be evaluated' : printable(finding.title);
  const fix = finding.status === 'error' || finding.fix === '' ? '' : `\nFix: ${printable(finding.fix)}`;
  const message = `${resourceName(finding.resource)}: ${shorten(printable(finding.message), MAX_MESSAGE)}${fix}`;
  return command(COMMANDS[finding.severity], finding.location, `${printable(finding.rule_id)} ${what}`, message);
}

function errorCommand({ code, message, location }: InputError): string {
  return command('error', location, code, shorten(printable(message), MAX_MESSAGE));
}

function noteCommand({ code, message }: Note): string {
  return command('notice', null, code, shorten(printable(message), MAX_MESSAGE));
}

function command(name: string, location: Finding['location'], title: string, message: string): string {
  const place =
    location === null
      ? []
      : [
          `file=${property(printable(filePath(location.file)))}`,
          `line=${Math.max(1, location.line)}`,
          `col=${Math.max(1, location.column)}`,
        ];
  return `::${name} ${[...place, `title=${property(title)}`].join(',')}::${data(message)}\n`;
}

/** The escapes of the Actions toolkit: what ends a command, and in a property what ends it. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
