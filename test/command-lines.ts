import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFormats, withIncreases } from '@bylaw/core/command/flags';
import { loadPlugins, type Plugin } from '@bylaw/core/plugin';
import { blocksOf, proseOf } from './markdown.js';
import { ROOT } from './run-cli.js';

/** A call of bylaw as a page shows it: the words after the name of the program. */
export interface CommandLine {
  shown: string;
  words: string[];
}

interface Command {
  flags: { [name: string]: { char?: string; type: 'option' | 'boolean'; options?: string[] } };
  args: object;
  strict?: boolean;
  aliases?: string[];
}

/** By identifier, as `rules:test`: those of the command line, of our plugins, and of the oclif plugins that it names. */
const COMMANDS: ReadonlyMap<string, Command> = commandsOf([
  'packages/cli',
  'packages/plugin-carbon',
  'packages/plugin-finops',
  'packages/plugin-gate',
  'packages/plugin-k8s',
  'node_modules/@oclif/plugin-autocomplete',
  'node_modules/@oclif/plugin-help',
  'node_modules/@oclif/plugin-plugins',
  'node_modules/@oclif/plugin-version',
]);

/** The calls in the blocks of a page, and in the code within its sentences. */
export function commandLinesIn(markdown: string): CommandLine[] {
  const shell = blocksOf(markdown)
    .flatMap(({ language, text }) => {
      const lines = text.replace(/\\\n/g, ' ').replace(/\|\n/g, '| ').split('\n');
      return language === 'console'
        ? lines.filter((line) => /^(\$| {2,}\S)/.test(line))
        : language === 'yaml' || language === 'sh' || language === 'bash'
          ? lines
          : [];
    })
    .flatMap((line) => (/^ *(\$|- run:|run:|entry:|script:|-|)/.test(line) ? callsIn(line) : []));
  const inline = [...proseOf(markdown).matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) =>
    /(^|\s)(bylaw(@\S+)?|bin\/(dev|run)\.js) [a-z-]/.test(code) ? callsIn(code) : [],
  );
  return [...shell, ...inline];
}

/** The plugins whose flags and formats a page may use. */
const SHIPPED = await loadPlugins(['carbon', 'finops', 'gate', 'k8s'].map((name) => join(ROOT, 'packages', `plugin-${name}`)));

/**
 * What is wrong with a call, or undefined. Names in capitals and brackets stand for values.
 * @param made plugins that the page shows the making of
 */
export function problemWith({ shown, words }: CommandLine, made: readonly { plugin: Plugin }[] = []): string | undefined {
  const found = commandOf(words, [...SHIPPED, ...made]);
  if (!found) return words.every((word) => GLOBAL.has(word)) ? undefined : `\`${shown}\`: there is no such command`;
  const { command, rest } = found;
  let positions = 0;
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? '';
    if (word === '--') break; // the rest is another command's
    const flag = flagOf(command, word);
    if (flag === 'unknown') return `\`${shown}\`: there is no flag ${word}`;
    if (flag === undefined) positions++;
    else if (flag.type === 'option' && !word.includes('=')) {
      at++;
      const value = rest[at];
      if (value !== undefined && flag.options && !flag.options.includes(value) && /^[a-z]/.test(value))
        return `\`${shown}\`: ${word} does not know ${value}`;
    }
  }
  const most = command.strict === false ? Number.POSITIVE_INFINITY : Object.keys(command.args).length;
  return positions > most ? `\`${shown}\`: it takes ${most} arguments` : undefined;
}

const GLOBAL = new Set(['--help', '-h', '--version', '-v']);

function commandsOf(folders: readonly string[]): Map<string, Command> {
  const manifests = folders.map((folder) => join(ROOT, folder, 'oclif.manifest.json'));
  const commands = new Map<string, Command>();
  for (const file of manifests) {
    const { commands: described }: { commands: { [id: string]: Command } } = JSON.parse(readFileSync(file, 'utf8'));
    for (const [id, command] of Object.entries(described)) for (const name of [id, ...(command.aliases ?? [])]) commands.set(name, command);
  }
  return commands;
}

/** The words after each `bylaw` of a shell line, up to what ends the command. */
function callsIn(line: string): CommandLine[] {
  const calls: CommandLine[] = [];
  const pattern =
    /(?:^|[\s'"(])(?:(?:\S+\/\.bin\/)?bylaw(?:@[\w.-]+)?"?|(?:node )?\S*bin\/(?:dev|run)\.js)(?=\s+\S)((?:\s+(?:'[^']*'|"[^"]*"|[^\s|<>;&#`'"]+))*)/g;
  for (const [whole, words = ''] of line.matchAll(pattern)) {
    const list = (words.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).filter((word) => word !== '…');
    if (list[0] !== undefined && /^[a-z-]/.test(list[0])) calls.push({ shown: whole.trim(), words: list });
  }
  return calls;
}

/** The longest beginning that names a command, with the flags that plugins add to it. */
function commandOf(
  words: readonly string[],
  plugins: readonly { plugin: Plugin }[],
): { command: Command; rest: readonly string[] } | undefined {
  for (let length = Math.min(3, words.length); length > 0; length--) {
    const name = words.slice(0, length).join(':');
    const command = COMMANDS.get(name);
    if (!command) continue;
    const flags = withFormats(command.flags, plugins);
    return { command: { ...command, flags: name === 'validate' ? withIncreases(flags, plugins) : flags }, rest: words.slice(length) };
  }
  return undefined;
}

/** Undefined for a word that is not a flag. */
function flagOf(command: Command, word: string): Command['flags'][string] | 'unknown' | undefined {
  if (!/^--?[a-z]/.test(word)) return undefined;
  if (GLOBAL.has(word)) return { type: 'boolean' };
  const name = word.replace(/^--?/, '').split('=')[0] ?? '';
  const known = word.startsWith('--') ? command.flags[name] : Object.values(command.flags).find(({ char }) => char === name);
  return known ?? 'unknown';
}
