import { readFileSync } from 'node:fs';
import type { ExpressionCode } from '../cel/index.js';
import { BylawError } from '../errors.js';
import type { JsonObject } from '../resource/text/json.js';
import type { Pack, PackSetting } from './pack.js';
import { type CodeHeader, packCode } from './pack-code.js';
import type { Rule, RuleDetail, RuleExample } from './rule.js';

/** Raised whenever the shape below changes, so that an old artefact is refused and not misread. */
const FORMAT = 1;

interface Header {
  format: number;
  name: string;
  settings: { [name: string]: PackSetting };
  constants: JsonObject;
  /** Absent: the expressions are data only, and are compiled at run time. */
  code?: CodeHeader;
}

/** A pack as loaded from its artefact: the examples stay text until one is requested. */
export interface LoadedPack {
  name: string;
  settings: { [name: string]: PackSetting };
  constants: JsonObject;
  rules: readonly Rule[];
  /** The expressions that were compiled when the pack was built. */
  code?: readonly ExpressionCode[];
  detail(rule: Rule): RuleDetail;
}

/**
 * Writes a pack as one text of JSON lines: the header, all rules without their examples, then one line of examples per
 * rule. Only the first two lines are parsed at load.
 * @param code of its expressions, see `writeCode`
 */
export function writeArtefact(pack: Pack, code?: CodeHeader): string {
  const { name, settings, constants } = pack;
  const header: Header = { format: FORMAT, name, settings, constants, ...(code && { code }) };
  const rules = pack.rules.map(({ examples: _, ...rule }): Rule => rule);
  return `${[header, rules, ...pack.rules.map((rule) => rule.examples)].map((line) => JSON.stringify(line)).join('\n')}\n`;
}

/**
 * Loads an artefact.
 * @throws {BylawError} `pack-unreadable` when the file is missing or was written in another format.
 */
export function loadArtefact(file: URL): LoadedPack {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new BylawError('pack-unreadable', `The compiled rule pack ${basename(file)} of ${packageOf(file)} is missing.`, {
      cause,
      hint: 'Reinstall the plugin, or run `npm run build` in a source checkout.',
    });
  }
  return parseArtefact(text, file);
}

function parseArtefact(text: string, file: URL): LoadedPack {
  const endOfHeader = text.indexOf('\n');
  const { code, ...header } = JSON.parse(text.slice(0, endOfHeader)) as Header; // written by writeArtefact
  if (header.format !== FORMAT)
    throw new BylawError('pack-unreadable', `The compiled rule pack of ${packageOf(file)} was built by a different version of bylaw.`, {
      hint: 'Install the version of the plugin that matches the version of bylaw.',
    });
  const endOfRules = text.indexOf('\n', endOfHeader + 1);
  const rules = JSON.parse(text.slice(endOfHeader + 1, endOfRules)) as Rule[]; // written by writeArtefact
  let examples: string[] | undefined;
  return {
    ...header,
    rules,
    ...(code && { code: packCode(file, code, rules) }),
    detail: (rule) => {
      examples ??= text.slice(endOfRules + 1).split('\n');
      const line = examples[rules.indexOf(rule)] ?? '[]';
      return { ...rule, examples: JSON.parse(line) as RuleExample[] }; // written by writeArtefact
    },
  };
}

function basename(file: URL): string {
  return file.pathname.slice(file.pathname.lastIndexOf('/') + 1);
}

function packageOf(file: URL): string {
  return file.pathname.split('/').slice(-3, -2).join('/');
}
