/**
 * Every error that core can give, with its stable code, in one table. `docs/reference/errors.md` is generated from it.
 *
 * `exit` is the process's exit code when the error ends a command: 2 usage or input, 3 configuration, 4 store, 70 internal.
 * Errors about one document or one rule do not end anything: they are collected and reported beside the findings.
 */
export const CORE_ERRORS = errorTable({
  // input
  'path-not-found': { exit: 2, summary: 'A path given on the command line does not exist.' },
  'path-unreadable': { exit: 2, summary: 'A file or directory cannot be read.' },
  'link-not-followed': {
    exit: 2,
    summary: 'A symbolic link below a folder cannot be followed, or points outside the folder and its Git repository.',
  },
  'not-a-file': { exit: 2, summary: 'A pipe, socket or device below a folder has the name of a manifest.' },
  'checks-undecided': { exit: 2, summary: 'Checks could not be decided, and `--undecided fail` is set.' },
  'input-skipped': { exit: 2, summary: 'Input that may contain manifests was not read, and `--fail-on-skipped` is set.' },
  'no-manifests': { exit: 2, summary: 'A directory or pattern contains no file that can be evaluated.' },
  'format-not-read': { exit: 2, summary: 'A file has a format that no installed plugin reads.' },
  'input-too-large': {
    exit: 2,
    summary: 'Standard input or a pipe is longer than 256 MiB and must be read twice, or a file is too large for a server.',
  },
  'binary-content': { exit: 2, summary: 'A file contains binary data, not YAML or JSON text.' },
  'not-utf8': { exit: 2, summary: 'A file is not valid UTF-8.' },
  'document-too-large': { exit: 2, summary: 'A document is larger than the limit of 16 MiB.' },
  'document-too-deep': { exit: 2, summary: 'A document is nested more than 100 levels deep.' },
  'too-many-nodes': { exit: 2, summary: 'A document expands to too many nodes (an alias bomb).' },
  'yaml-syntax': { exit: 2, summary: 'A document is not valid YAML.' },
  'json-syntax': { exit: 2, summary: 'A document is not valid JSON.' },
  'duplicate-key': { exit: 2, summary: 'A mapping contains the same key twice.' },
  'template-not-rendered': { exit: 2, summary: 'A file is a Helm template that has not been rendered.' },
  'render-failed': { exit: 2, summary: 'A chart or kustomization cannot be rendered.' },
  'render-limit': { exit: 2, summary: 'A chart or kustomization takes too long to render, or produces too much output.' },
  'render-network': { exit: 2, summary: 'A chart or kustomization needs the network, which rendering is not allowed to use.' },
  'render-program-missing': { exit: 2, summary: 'The program that renders a chart or kustomization is not installed.' },
  'not-a-resource': { exit: 2, summary: 'A document has no apiVersion and kind, so it is not a Kubernetes object.' },
  'kind-not-listed': { exit: 2, summary: 'The objects of a kind could not be listed from the cluster.' },
  'scan-interrupted': { exit: 2, summary: 'The cluster stopped responding during a scan.' },
  malformed: {
    exit: 2,
    summary: 'A field is missing or has a value of the wrong type, or the kind does not exist.',
  },
  // git
  'git-missing': { exit: 2, summary: 'Git is not installed.' },
  'git-failed': { exit: 2, summary: 'Git cannot read the repository.' },
  'git-ref-unknown': { exit: 2, summary: 'The commit does not exist, or the clone does not contain enough history.' },
  'no-repository': { exit: 2, summary: 'A folder is not in a Git repository.' },
  // rules
  'rule-schema': { exit: 3, summary: 'A rule file does not match the rule schema.' },
  'rule-expression': { exit: 3, summary: 'A CEL expression of a rule does not compile.' },
  'rule-duplicate': { exit: 3, summary: 'Two rules have the same identifier.' },
  'rule-unknown': { exit: 2, summary: 'No installed rule has this identifier.' },
  'rule-failed': { exit: 2, summary: 'A rule could not be evaluated on a resource.' },
  'nothing-evaluated': { exit: 2, summary: 'The input has nothing to evaluate, so there is no score to record.' },
  'no-rules-selected': { exit: 2, summary: 'No rule is installed for the request, so nothing can be checked.' },
  'category-unknown': { exit: 2, summary: 'No such rule category.' },
  'severity-unknown': { exit: 2, summary: 'No such severity.' },
  'framework-unknown': { exit: 2, summary: 'No installed rule maps to this framework.' },
  'pack-unreadable': { exit: 3, summary: 'A compiled rule pack is missing or was built by a different version.' },
  // exceptions
  'exception-without-reason': { exit: 2, summary: 'An exception names a rule but gives no reason.' },
  'exception-invalid': { exit: 3, summary: 'An exception in the configuration is not valid.' },
  'baseline-invalid': { exit: 3, summary: 'The baseline file cannot be read.' },
  // configuration
  'config-not-found': { exit: 3, summary: 'The configuration file does not exist.' },
  'config-invalid': { exit: 3, summary: 'The configuration file is not valid.' },
  'config-path-outside': {
    exit: 3,
    summary: 'A configuration that was found in a repository, not named, has a path that leads out of it.',
  },
  'plugin-invalid': { exit: 3, summary: 'An installed plugin does not follow the plugin contract.' },
  // history of scores
  'project-unknown': { exit: 2, summary: 'The history of scores does not contain this project.' },
  'scores-unusable': { exit: 4, summary: 'The history of scores cannot be read or written.' },
  // usage and service
  usage: { exit: 2, summary: 'The command line is not valid.' },
  'output-unwritable': { exit: 2, summary: 'The output file cannot be written.' },
  'graph-format-unknown': { exit: 2, summary: 'The name of the file for a graph does not end with .svg, .json or .mmd.' },
  'address-unavailable': { exit: 2, summary: 'The server cannot listen on the address.' },
  'remote-unreachable': { exit: 2, summary: 'The remote server cannot be reached or does not respond.' },
  'remote-refused': { exit: 2, summary: 'The remote server refused the request.' },
  internal: { exit: 70, summary: 'An internal error: a bug in bylaw.' },
});

export type CoreErrorCode = keyof typeof CORE_ERRORS;

/** What can be wrong with the choice of rules, alike in commands, requests and tools. Their hints name known names only, never the caller's. */
export const SELECTION_ERRORS = [
  'category-unknown',
  'severity-unknown',
  'rule-unknown',
  'framework-unknown',
  'no-rules-selected',
] as const satisfies CoreErrorCode[];

export type SelectionErrorCode = (typeof SELECTION_ERRORS)[number];

export function isSelectionError(code: string): code is SelectionErrorCode {
  return SELECTION_ERRORS.some((known) => known === code);
}

/** An error that a plugin adds to the table: its stable code, and the exit code of a command that it ends. */
export interface ErrorKind {
  code: string;
  exit: 1 | 2 | 3 | 4 | 70;
}

/** The errors of a package by their stable codes: the exit code of a command that each ends, and what it means. */
export interface ErrorTable {
  readonly [code: string]: { readonly exit: ErrorKind['exit']; readonly summary: string };
}

/** A table whose codes are known to the compiler. */
export function errorTable<const Table extends ErrorTable>(table: Table): Table {
  return table;
}

/**
 * What makes errors of a table.
 * @param defaults options of every error that are not given
 */
export function errorsOf<Table extends ErrorTable>(
  table: Table,
  defaults: BylawErrorOptions = {},
): (code: keyof Table & string, message: string, options?: BylawErrorOptions) => BylawError {
  const known: { readonly [code in keyof Table]: ErrorTable[string] } = table;
  return (code, message, options = {}) => new BylawError({ code, exit: known[code].exit }, message, { ...defaults, ...options });
}

/** Where in an input something is. `line` and `column` count from 1. */
export interface Location {
  file: string;
  line: number;
  column: number;
  /**
   * The chart or kustomization that the thing was rendered from, under the name the user knows. `file` is then the template, base or overlay that
   * it was made from, and line and column are 1: what is rendered has no lines there.
   */
  rendered_from?: string;
}

export interface BylawErrorOptions {
  location?: Location;
  hint?: string;
  path?: string;
  cause?: unknown;
}

/** Known in every copy of this package: a plugin that was installed on its own brings one. */
const BRAND = Symbol.for('bylaw.error');

/** An error that a user can fix: says what, where, and how. Its message never carries a stack trace or a secret. */
export class BylawError extends Error {
  override readonly name = 'BylawError';
  readonly [BRAND] = true;
  readonly code: string;
  readonly exitCode: ErrorKind['exit'];
  readonly location: Location | undefined;
  /** How to fix it, one sentence, or absent when the message says so already. */
  readonly hint: string | undefined;
  /** JSON Pointer into the request that it is about. It goes into problem documents, so it holds no names of the caller's. */
  readonly path: string | undefined;

  constructor(kind: CoreErrorCode | ErrorKind, message: string, options: BylawErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = typeof kind === 'string' ? kind : kind.code;
    this.exitCode = typeof kind === 'string' ? CORE_ERRORS[kind].exit : kind.exit;
    this.location = options.location;
    this.hint = options.hint;
    this.path = options.path;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/** An error about a part of the input. It is reported beside the findings; all other parts are still evaluated. */
export interface InputError {
  code: CoreErrorCode;
  /** What is wrong and how to fix it. */
  message: string;
  location: Location | null;
}
