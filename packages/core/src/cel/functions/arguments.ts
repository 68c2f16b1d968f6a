import type { CelFunction } from '../function.js';
import { madeFrom } from '../origin.js';
import { type CelMap, listOf, path, present } from '../standard/values.js';
import { commandSecrets } from './secrets/command-secrets.js';
import { hasSecretValue, secretValueLine } from './secrets/secret-value.js';
import { lineAt } from './secrets/text-lines.js';

const EXAMPLE = '{"command": ["server"], "args": ["--port=80", "--token", "abcd"]}';

/** The arguments of the commands of a container, one by one, whatever its shape. */
export const commandArguments: readonly CelFunction[] = [
  {
    signature: 'commandArguments(dyn): list<dyn>',
    summary: 'The items of `command` and `args` of a container, as {text}. In `each`, a finding is located at the argument.',
    example: `commandArguments(${EXAMPLE}).map(a, a.text) == ["server", "--port=80", "--token", "abcd"]`,
    call: (container: unknown) =>
      argumentsAt(present(container), [['command'], ['args']]).map(({ text, pointer }) => madeFrom({ text }, present(container), pointer)),
  },
  {
    signature: 'argumentSecrets(dyn): list<dyn>',
    summary:
      'The arguments of every command of a container (`command` and `args`, hooks, probes, and the script of a Tekton step or an Argo template), as {secrets, line}: the parts that contain a secret in plain text (see commandSecrets), and the number of the first line with a secret, or 0. In `each`, a finding is located at the argument.',
    example: `argumentSecrets(${EXAMPLE}).filter(a, size(a.secrets) > 0) == [{"secrets": ["--token"], "line": 1}]`,
    call: (container: unknown) => COMMANDS.flatMap((lists) => secretsIn(argumentsAt(present(container), lists), present(container))),
  },
];

const exec = (...steps: string[]) => [[...steps, 'exec', 'command']];

/** Where the commands of a container are: each is made of the items of its lists. */
const COMMANDS: readonly (readonly string[][])[] = [
  [['command'], ['args']],
  [['script']],
  [['source']],
  exec('lifecycle', 'postStart'),
  exec('lifecycle', 'preStop'),
  exec('livenessProbe'),
  exec('readinessProbe'),
  exec('startupProbe'),
];

interface Argument {
  text: string;
  /** Its JSON Pointer below the container. */
  pointer: string;
}

function argumentsAt(container: unknown, lists: readonly string[][]): Argument[] {
  return lists.flatMap((steps) => {
    const [value, pointer] = [path(container, ...steps), `/${steps.join('/')}`];
    if (typeof value === 'string') return [{ text: value, pointer }];
    return listOf(value).flatMap((item, index) => (typeof item === 'string' ? [{ text: item, pointer: `${pointer}/${index}` }] : []));
  });
}

/** The name of a credential that is known by its own form. */
export const KNOWN_FORM = 'a credential of a known form';

function secretsIn(items: readonly Argument[], container: unknown): CelMap[] {
  const command = items.map(({ text }) => text).join(' ');
  const named = commandSecrets(command).sort((a, b) => a.offset - b.offset);
  const hasKnownForm = hasSecretValue(command);
  let [start, next] = [0, 0];
  return items.map(({ text, pointer }) => {
    const from = next;
    while ((named[next]?.offset ?? Number.POSITIVE_INFINITY) < start + text.length) next++;
    const [first, ...others] = named.slice(from, next);
    const line = first ? lineAt(text, first.offset - start) : hasKnownForm ? secretValueLine(text) : 0;
    const names = first ? [first, ...others].map(({ name }) => name) : line > 0 ? [KNOWN_FORM] : [];
    start += text.length + 1;
    return madeFrom({ secrets: [...new Set(names)], line: BigInt(line) }, container, pointer);
  });
}
