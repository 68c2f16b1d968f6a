import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import {
  type CompilerName,
  compilerName,
  type ExpressionCode,
  isThisCompiler,
  modulePrograms,
  type Precompiled,
  writeExpressionModule,
} from '../cel/index.js';
import { codeGroups } from './code-groups.js';
import { BOUNDS } from './logic.js';
import type { Rule } from './rule.js';

/** What the header of a pack says about the code of its expressions. */
export interface CodeHeader {
  compiler: CompilerName;
  /** The SHA-256 digest of the module of each group, in hexadecimal. */
  modules: { [group: string]: string };
}

/** A module of a pack: `<group>.cjs` in the folder `pack` beside the artefact. */
export interface CodeModule {
  file: string;
  text: string;
}

const FOLDER = 'pack';

/** Compiles the expressions of rules: same rules and compiler, same bytes. @throws {CelError} for an expression that does not compile */
export function writeCode(rules: readonly Pick<Rule, 'logic'>[]): { header: CodeHeader; modules: CodeModule[] } {
  const groups = [...codeGroups(rules)].map(([group, expressions]) => ({ group, text: writeExpressionModule(expressions, BOUNDS) }));
  return {
    header: { compiler: compilerName(), modules: Object.fromEntries(groups.map(({ group, text }) => [group, hash('sha256', text)])) },
    modules: groups.map(({ group, text }) => ({ file: `${FOLDER}/${fileOf(group)}`, text })),
  };
}

/**
 * The code of a pack; nothing if another compiler made it. A group is loaded when one of its expressions is needed first. A module that is missing, or
 * is not the one that the pack was built with, does not run: its expressions are compiled at run time, with the same results.
 * @param artefact the address of the pack
 */
export function packCode(artefact: URL, { compiler, modules }: CodeHeader, rules: readonly Rule[]): ExpressionCode[] {
  if (!isThisCompiler(compiler)) return [];
  const loaded = new Map<string, ReadonlyMap<string, Precompiled>>();
  let groups: ReadonlyMap<string, string> | undefined;
  return [
    {
      find(source) {
        groups ??= groupsBySource(rules);
        const group = groups.get(source);
        if (group === undefined) return undefined;
        const programs = loaded.get(group) ?? load(new URL(`${FOLDER}/${fileOf(group)}`, artefact), modules[group]);
        loaded.set(group, programs);
        return programs.get(source);
      },
    },
  ];
}

function fileOf(group: string): string {
  return `${group}.cjs`;
}

function groupsBySource(rules: readonly Rule[]): ReadonlyMap<string, string> {
  return new Map([...codeGroups(rules)].flatMap(([group, expressions]) => expressions.map(({ source }) => [source, group] as const)));
}

function load(file: URL, digest: string | undefined): ReadonlyMap<string, Precompiled> {
  const text = textOf(file);
  if (text === undefined || hash('sha256', text) !== digest) return new Map();
  return modulePrograms(createRequire(file)(fileURLToPath(file)));
}

function textOf(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
