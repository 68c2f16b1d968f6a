import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** Words and turns that no native technical writer would use, each with what to write instead. */
const HABITS: readonly (readonly [habit: RegExp, instead: string])[] = [
  [/\bmend(?:s|ed|ing)?\b/, 'fix'],
  [/\bjudg(?:e|es|ed|ing|ements?|ments?)\b/, 'check or evaluate'],
  [/\bdearer\b/, 'more expensive'],
  [/\bgravest\b/, 'most severe'],
  [/\bstands? (?:in|on|at|under|behind|before|after|there|twice|beside|besides|with|alone|open|between|above|below)\b/, 'is in, appears'],
  [
    /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more than\b|less than\b|fewer than\b|older than\b|later than\b|different\b|better\b|worse\b)/,
    'must be, is not a',
  ],
  [/(?<!\bthere )\b(?:is|are) none\b/, 'is not one'],
  [/\b(?:has|have|had) none\b/, 'does not have one'],
  [/\bwhere (?:several|both|one|none|all) (?:hold|holds|apply|applies)\b/, 'if several apply'],
  [/\btells? of\b/, 'report'],
  [/\bfor want of\b/, 'because … is missing'],
  [/\bbesides\b/, 'also, in addition to'],
  [/\bupon\b/, 'on'],
  [/\b(?:go|goes|going|gone|went) on with\b/, 'continue'],
  [/\b(?:foretell|foretold|foretells)\b/, 'forecast'],
  [/\b(?:thereof|therein|wherein|whence|lest|naught|nought|hitherto|herein)\b/, 'a common word'],
  [/\b(?:is|are) said\b/, 'state it: the message says'],
  [/\bsays? nothing of\b/, 'does not say'],
  [/\b(?:is|are) (?:looked|asked|waited|cared) for\b/, 'the active voice'],
  [/\bis held for\b/, 'counts as'],
  [/\bin the house\b/, 'in the project'],
  [/\bthe like\b/, 'name it'],
  [/\bas it were\b/, 'leave it out'],
];

/** A sentence inside OSCAL documents. Verifiers compare these byte for byte, so a new wording would break earlier exports. */
const FROZEN = 'The gate judges every proposed action as it comes. There is no assessment plan that these results follow.';

/** A text that a person reads, and where it is. */
interface Passage {
  place: string;
  text: string;
}

function linesOf(file: string): Passage[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((text, index) => ({ place: `${file}:${index + 1}`, text }));
}

/** What a program writes: its strings, but not its comments. */
function stringsOf(source: ts.SourceFile): Passage[] {
  const found: Passage[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      if (node.text.includes(' ') && node.text !== FROZEN) found.push({ place: `${source.fileName}:${line + 1}`, text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The comments of a program, each as one line. */
function commentsOf(source: ts.SourceFile): Passage[] {
  const ends = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []) ends.set(pos, end);
    for (const { pos, end } of ts.getTrailingCommentRanges(source.text, node.getEnd()) ?? []) ends.set(pos, end);
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...ends].map(([pos, end]) => ({
    place: `${source.fileName}:${source.getLineAndCharacterOfPosition(pos).line + 1}`,
    text: inOneLine(source.text.slice(pos, end)),
  }));
}

function inOneLine(text: string): string {
  return text.replace(/\n\s*(?:\*|\/\/)?\s?/g, ' ');
}

/** Parsing takes its time: only files are parsed that have a habit somewhere. */
function parsed(files: readonly string[]): ts.SourceFile[] {
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return habitsIn([{ place: file, text: inOneLine(text) }]).length === 0 ? [] : [sourceFile(file, text)];
  });
}

function sourceFile(name: string, text: string): ts.SourceFile {
  return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
}

function habitsIn(passages: readonly Passage[]): string[] {
  return passages.flatMap(({ place, text }) =>
    HABITS.flatMap(([habit, instead]) => {
      const [match] = new RegExp(habit, 'i').exec(text) ?? [];
      return match === undefined ? [] : [`${place}: “${match}”; write: ${instead}`];
    }),
  );
}

const not = (pattern: RegExp) => (file: string) => !pattern.test(file);

describe('the language that users read', () => {
  it('finds a habit where there is one', () => {
    const found = habitsIn([
      { place: 'a', text: '--threshold is no number.' },
      { place: 'b', text: 'There is no such file. It is no longer needed.' },
    ]);
    expect(found).toEqual(['a: “is no ”; write: must be, is not a']);
  });

  it('finds it in comments and in what is written, each in its place', () => {
    const source = sourceFile('a.ts', "/**\n * A text that is\n * no number.\n */\nconst a = 'a dearer one'; // mend it\nf(/* upon */);\n");
    expect(habitsIn(commentsOf(source))).toEqual([
      'a.ts:1: “is no ”; write: must be, is not a',
      'a.ts:5: “mend”; write: fix',
      'a.ts:6: “upon”; write: on',
    ]);
    expect(habitsIn(stringsOf(source))).toEqual(['a.ts:5: “dearer”; write: more expensive']);
  });

  it('is plain in the guides', () => {
    const files = globSync(['*.md', 'docs/**/*.md', 'verifier/*.md', 'examples/**/*.md', '.github/**/*.md', 'packages/*/README.md']).filter(
      not(/node_modules/),
    );
    expect(files.length).toBeGreaterThan(40);
    expect(habitsIn(files.flatMap(linesOf))).toEqual([]);
  });

  it('is plain in the rules', () => {
    const files = globSync('packages/*/rules/**/*.yaml');
    expect(files.length).toBeGreaterThan(190);
    expect(habitsIn(files.flatMap(linesOf))).toEqual([]);
  });

  it('is plain in what the programs write', () => {
    const files = globSync(['packages/*/src/**/*.ts', 'packages/*/bin/**/*.js', 'bin/*.js', 'scripts/*.{ts,js}']).filter(
      not(/\.test[.-]|vendor|\/data\/|dist/),
    );
    expect(files.length).toBeGreaterThan(500);
    expect(habitsIn(parsed(files).flatMap(stringsOf))).toEqual([]);
  });

  it('is plain in comments', () => {
    const files = globSync([
      'packages/*/src/**/*.ts',
      'packages/*/bin/**/*.js',
      '{bin,scripts}/*.{js,ts}',
      'bench/*.ts',
      'test/**/*.ts',
    ]).filter(not(/vendor|\/data\/|dist|node_modules/));
    expect(files.length).toBeGreaterThan(1000);
    expect(habitsIn(parsed(files).flatMap(commentsOf))).toEqual([]);
  });
});
