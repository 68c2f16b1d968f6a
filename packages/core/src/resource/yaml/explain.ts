import { YAMLException } from 'js-yaml';
import type { CoreErrorCode, InputError } from '../../errors.js';
import { indexLines, type LineIndex } from '../text/lines.js';
import { ReadError } from '../text/read-error.js';
import { DuplicateKeyError, tooDeep } from './compose.js';
import { originOf, PaddedTextError } from './parse.js';
import type { SourceDocument } from './source-document.js';

/** Turns what a reader threw into an error that says what is wrong, where, and how to fix it. */
export function explainReadError(error: unknown, document: SourceDocument): InputError {
  const { text, padding } = error instanceof PaddedTextError ? error.padded : { text: document.text, padding: undefined };
  const lines = indexLines(text, originOf(document), padding);
  const problem = describe(error instanceof PaddedTextError ? error.cause : error, text, lines);
  return { code: problem.code, message: problem.message, location: { file: document.file, ...lines.positionAt(problem.offset) } };
}

interface Problem {
  code: CoreErrorCode;
  message: string;
  offset: number;
}

function describe(error: unknown, text: string, lines: LineIndex): Problem {
  const problem = problemOf(error);
  if (error instanceof DuplicateKeyError) return describeDuplicate(error, lines);
  if (problem.code !== 'yaml-syntax') return problem;
  const { offset } = problem;
  return (
    templateProblem(text, offset) ?? jsonProblem(text, problem) ?? tabProblem(text, offset) ?? reservedProblem(text, offset) ?? problem
  );
}

function problemOf(error: unknown): Problem {
  if (error instanceof ReadError) return error;
  if (!(error instanceof YAMLException)) throw error;
  const offset = error.mark?.position ?? 0;
  if (error.reason.startsWith('nesting exceeded')) return tooDeep(offset);
  return { code: 'yaml-syntax', message: yamlMessage(error.reason), offset };
}

/** How to fix what the parser complains about most. */
const FIXES: readonly (readonly [RegExp, string])[] = [
  [/deficient indentation/, 'Indent the lines inside brackets and quotes further than the key.'],
  [/bad indentation of a mapping entry/, 'Indent it like the entries around it, and quote a value that contains ": ".'],
  [/bad indentation of a sequence entry/, 'Align the dashes of the list.'],
  [/expected ':' after a mapping key|multiline key/, 'Write "key: value", and indent the other lines of a multi-line value.'],
  [/within a (?:single|double) quoted scalar/, 'Close the quote.'],
  [/within a flow collection/, 'Close the bracket.'],
  [/missed comma|expected the node content/, 'Put exactly one comma between two items.'],
  [/unknown escape sequence/, 'Double the backslash, or use single quotes.'],
  [/hexadecimal/, 'Write two hexadecimal digits after \\x, four after \\u, or use single quotes.'],
  [/non-printable|null byte/, 'Remove the control character.'],
  [/a line break is expected/, 'Start the text on the line after | or >.'],
  [/name of an a(?:lias|nchor) node/, 'Quote a value that starts with * or &.'],
  [/\btag\b(?! handle)/, 'Quote a value that starts with an exclamation mark.'],
  [/directive/, 'Remove the lines at the top that start with %.'],
  [
    /end of the stream or a document separator is expected/,
    'Indent it like the lines around it; if a new document starts here, put a line "---" before it.',
  ],
];

function yamlMessage(reason: string): string {
  const fix = FIXES.find(([pattern]) => pattern.test(reason))?.[1];
  return `This is not valid YAML: ${reason}.${fix === undefined ? '' : ` ${fix}`}`;
}

/** Where a value or a key starts: what is before it on its line. */
const BEFORE_VALUE = /(?:^|[:,?[{-])[ \t]*$/;

/** The parser takes a character that no value may start with for a mistake in the indentation. */
function reservedProblem(text: string, offset: number): Problem | undefined {
  const character = text.charAt(offset);
  if (!['@', '`', '%'].includes(character) || !BEFORE_VALUE.test(text.slice(lineStart(text, offset), offset).slice(-1_000)))
    return undefined;
  return {
    code: 'yaml-syntax',
    message: `This is not valid YAML: a value cannot start with ${character}. Put it in quotes; if it is a placeholder, render the template first.`,
    offset,
  };
}

function describeDuplicate(error: DuplicateKeyError, lines: LineIndex): Problem {
  const key = JSON.stringify(error.key.length > 60 ? `${error.key.slice(0, 60)}…` : error.key);
  const first = lines.positionAt(error.first).line;
  const second = lines.positionAt(error.offset).line;
  const where = first === second ? `twice on line ${second}` : `on line ${first} and again on line ${second}`;
  return {
    code: error.code,
    message: `The key ${key} occurs ${where} of the same mapping. Keep one of them.`,
    offset: error.offset,
  };
}

/** An action of a template where YAML expects a value or a key: at the start of a line, or after `: ` or `- `. */
const TEMPLATE_ACTION = /(?:^|[:-][ \t])[ \t]*\{\{/m;

function templateProblem(text: string, offset: number): Problem | undefined {
  if (!text.includes('{{')) return undefined;
  const start = lineStart(text, offset);
  const inLine = text.slice(start, lineEnd(text, offset)).indexOf('{{');
  const action = TEMPLATE_ACTION.exec(text);
  if (inLine === -1 && action === null) return undefined;
  return {
    code: 'template-not-rendered',
    message:
      'This is a template, not a manifest: {{ … }} must be rendered first. For a Helm chart: helm template <chart> | bylaw evaluate -',
    offset: inLine !== -1 ? start + inLine : text.indexOf('{{', action?.index),
  };
}

function jsonProblem(text: string, problem: Problem): Problem | undefined {
  if (!/^\s*(?:\{\s*["}]|\[\s*[{["\]])/.test(text)) return undefined;
  const message = problem.message.replace('This is not valid YAML', 'This is not valid JSON');
  return { code: 'json-syntax', message, offset: problem.offset };
}

/** A tab in the indentation is reported in many ways, often one line late. */
function tabProblem(text: string, offset: number): Problem | undefined {
  const start = lineStart(text, offset);
  for (const from of [start, start > 0 ? lineStart(text, start - 1) : start]) {
    const indentation = /^ *\t/.exec(text.slice(from, lineEnd(text, from)));
    if (indentation !== null) {
      return {
        code: 'yaml-syntax',
        message: 'This is not valid YAML: a tab cannot indent a line. Replace the tabs at the start of the line with spaces.',
        offset: from + indentation[0].length - 1,
      };
    }
  }
  return undefined;
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end;
}
