import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { blocksOf } from './markdown.js';
import { folderOf, ROOT } from './run-cli.js';

/** A command that a page shows after `$ `, with the output that it shows below. */
export interface ShownCommand {
  command: string;
  output: string;
  /** Of the block, from 1. */
  line: number;
}

/** A command with what it really wrote, as far as the page could be followed. */
export interface RanCommand extends ShownCommand {
  actual: string;
  matches: boolean;
}

/** The commands in the console blocks of a page, in order. */
export function commandsShown(markdown: string): ShownCommand[] {
  return blocksOf(markdown)
    .filter(({ language }) => language === 'console')
    .flatMap(({ text, line }) => {
      const [, ...parts] = `\n${text}`.split(/\n\$ /);
      return parts.map((part) => {
        const [command = '', ...output] = part.replace(/\n$/, '').split('\n');
        return { command, output: output.join('\n'), line };
      });
    });
}

/** The JSON files that a page shows: a block, and the last name in code in the paragraph above it. */
export function jsonFilesShown(markdown: string): { [name: string]: string } {
  const lines = markdown.split('\n');
  return Object.fromEntries(
    blocksOf(markdown).flatMap(({ language, text, line }) => {
      const name = [...(lines[line - 3] ?? '').matchAll(/`([\w-]+\.json)`/g)].at(-1)?.[1];
      return language === 'json' && name !== undefined ? [[name, text]] : [];
    }),
  );
}

/**
 * Follows a page as a person would: runs its commands one after the other in one shell, in one folder, up to the first whose output
 * is not the one that the page shows. In output, `…` stands for any text in a line or, alone, for any lines; white space may differ.
 * In a command, a word with `…` is completed from what was written before. A command that ends with `&` runs until the end; the
 * next command comes once it has written what the page shows.
 */
export async function followPage(markdown: string, files: { readonly [name: string]: string }): Promise<RanCommand[]> {
  const shell = await startShell(files);
  const ran: RanCommand[] = [];
  let written = '';
  for (const shown of commandsShown(markdown)) {
    const command = completed(shown.command, written).replaceAll(':8000', `:${shell.port}`);
    const expected = patternOf(shown.output);
    const background = command.endsWith('&');
    const actual = background ? await shell.start(command, expected) : await shell.run(command);
    written += `${actual}\n`;
    ran.push({ ...shown, actual, matches: expected.test(plain(actual)) });
    if (!ran.at(-1)?.matches) break;
  }
  await shell.stop();
  return ran;
}

/** How long a command may write nothing. */
const PATIENCE_MS = 60_000;

interface Shell {
  port: number;
  /** Runs a command to its end. @returns what it wrote to both streams */
  run(command: string): Promise<string>;
  /** Starts a command in the background, and waits until it has written this or has ended. */
  start(command: string, expected: RegExp): Promise<string>;
  stop(): Promise<void>;
}

async function startShell(files: { readonly [name: string]: string }): Promise<Shell> {
  const programs = folderOf();
  const cwd = folderOf(files);
  const port = await freePort();
  const { PATH = '' } = process.env;
  const env = { PATH: `${programs}${delimiter}${PATH}`, HOME: programs, SVC_PORT: String(port) };
  // In a process group of its own, so that nothing that it has started stays.
  const bash = spawn('bash', ['-s'], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const killAll = () => {
    try {
      if (bash.pid !== undefined) process.kill(-bash.pid, 'SIGKILL');
    } catch {
      // All of them have ended.
    }
  };
  onTestFinished(killAll);
  let output = '';
  const ended = once(bash, 'exit');
  const more = () =>
    Promise.race([once(bash.stdout, 'data', { signal: AbortSignal.timeout(PATIENCE_MS) }).then(() => true), ended.then(() => false)]);
  bash.stdout.on('data', (chunk) => {
    output += String(chunk).replaceAll(`:${port}`, ':8000');
  });
  const until = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(plain(output)))
      if (!(await more().catch(() => false))) throw new Error(`waited for ${pattern}, and this was written: ${output}`);
    const text = output;
    output = '';
    return text;
  };
  let count = 0;
  const run = async (command: string) => {
    count++;
    bash.stdin.write(`${command}\nprintf '\\n-- end %s --\\n' ${count}\n`);
    const end = `-- end ${count} --`;
    const text = await until(new RegExp(end));
    return text.slice(0, text.lastIndexOf(`\n${end}`)).replace(/\n$/, '');
  };
  const start = async (command: string, expected: RegExp) => {
    bash.stdin.write(`${command}\n`);
    return until(new RegExp(expected.source.replace(/^\^|\$$/g, ''), 'u'));
  };
  const stop = async () => {
    bash.stdin.end('kill $(jobs -p) 2> /dev/null; wait\n');
    await ended;
    killAll();
  };
  const bin = join(ROOT, 'bin', 'run.js');
  await run(
    `exec 2>&1; printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' '${process.execPath}' '${bin}' > '${programs}/bylaw'; chmod +x '${programs}/bylaw'`,
  );
  return { port, run, start, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  server.close();
  await once(server, 'close');
  return port;
}

/** Each word with `…` becomes the last word that was written in this form; of `NAME=…`, the value alone may do. */
function completed(command: string, written: string): string {
  const words = written.split(/\s+/).reverse();
  const find = (form: string) => words.find((word) => new RegExp(`^${escaped(form).replaceAll('…', '.+')}$`, 'u').test(word));
  return command.replace(/\S*…\S*/g, (form) => {
    const [, name = '', value = form] = /^(\w+=)(.*)$/.exec(form) ?? [];
    return find(form) ?? name + (find(value) ?? value);
  });
}

/** Without the log of a server in the background, and with single spaces. */
function plain(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('{"level":'))
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .join('\n')
    .trim();
}

function patternOf(output: string): RegExp {
  const source = plain(output)
    .split('\n')
    .map((line) => (line === '…' ? '(?:.*\\n)*?.*' : escaped(line).replaceAll('…', '.*')))
    .join('\n');
  return new RegExp(`^${source}$`, 'u');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
