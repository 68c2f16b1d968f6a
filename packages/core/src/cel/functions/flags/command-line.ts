import { member } from '../../standard/values.js';
import { commandsOfScript, type Word } from './script-words.js';
import { addFlag, type Flag, flagName, newFlag, type Setup } from './setup.js';

const COMPONENTS: ReadonlySet<string> = new Set([
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'etcd',
  'kubelet',
]);

/** Programs that start another one: the component is any word after their name. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'go-runner',
  'hyperkube',
  'tini',
  'dumb-init',
  'env',
  'nice',
  'ionice',
  'exec',
  'flock',
  'chroot',
]);

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'ash', 'dash', 'ksh', 'zsh']);

/** Words of a script after which a command begins. */
const BEFORE_COMMAND: ReadonlySet<string> = new Set(['exec', 'nohup', 'sudo', 'time', 'then', 'do', 'else', 'if', '{', '!']);

/** The components that the containers of a Pod run, each once: the first container of a component counts. */
export function setupsOfPod(spec: unknown, pointer: string): Setup[] {
  const found = new Map<string, Setup>();
  const containers = member(spec, 'containers');
  if (!Array.isArray(containers)) return [];
  for (const [index, container] of containers.entries()) {
    const setup = setupOfContainer(container, `${pointer}/containers/${index}`);
    if (setup && !found.has(setup.component)) found.set(setup.component, setup);
  }
  return [...found.values()];
}

function setupOfContainer(container: unknown, pointer: string): Setup | undefined {
  const items = [...textsOf(container, 'command', pointer), ...textsOf(container, 'args', pointer)];
  const command = commandOf(items) ?? etcdByName(container, items);
  if (command === undefined) return undefined;
  const { component, words } = command;
  const holder = words.at(0)?.pointer.replace(/\/\d+$/, '') ?? `${pointer}/command`;
  const { flags, unknown } = readFlags(words, literalEnv(container));
  if (component === 'etcd') addEtcdVariables(flags, member(container, 'env'), `${pointer}/env`);
  const reason = unknown ?? (component === 'etcd' ? unknownOfEtcd(flags, container) : undefined);
  return {
    component,
    flags,
    // A kubelet takes most settings from its file, which is not in the input.
    complete: component !== 'kubelet',
    ...(reason !== undefined && { unknown: reason }),
    ...(typeof container === 'object' && container !== null && { container }),
    pointer: holder,
    place: (name) => ({ label: `--${name}`, pointer: holder }),
  };
}

function textsOf(container: unknown, key: string, pointer: string): Word[] {
  const list = member(container, key);
  if (!Array.isArray(list)) return [];
  return list.flatMap((text: unknown, index) =>
    typeof text === 'string' ? [{ text, pointer: `${pointer}/${key}/${index}`, line: 0 }] : [],
  );
}

/** The component that a command line starts, and the words after its name; the first word is the name itself. */
function commandOf(items: readonly Word[]): { component: string; words: readonly Word[] } | undefined {
  const [first, ...others] = items;
  if (first === undefined) return undefined;
  const name = baseName(first.text);
  if (COMPONENTS.has(name)) return { component: name, words: items };
  const script = SHELLS.has(name) ? others[others.findIndex(({ text }) => /^-\w*c$/.test(text)) + 1] : undefined;
  if (script && script !== others[0]) return firstOf(commandsOfScript(script.text, script.pointer).map(withoutPrefix));
  if (items.length === 1 && /\s/.test(first.text)) return firstOf(commandsOfScript(first.text, first.pointer).map(withoutPrefix));
  const start = WRAPPERS.has(name) ? others.findIndex(({ text }) => COMPONENTS.has(baseName(text))) : -1;
  return start < 0 ? undefined : firstOf([others.slice(start)]);
}

function firstOf(commands: readonly (readonly Word[])[]): { component: string; words: readonly Word[] } | undefined {
  for (const words of commands) {
    const component = baseName(words[0]?.text ?? '');
    if (COMPONENTS.has(component)) return { component, words };
  }
  return undefined;
}

/** A command of a script without the words and variables in front of it. */
function withoutPrefix(words: readonly Word[]): readonly Word[] {
  const start = words.findIndex(({ text }) => !BEFORE_COMMAND.has(text) && !WRAPPERS.has(baseName(text)) && !/^\w+=/.test(text));
  return start < 0 ? [] : words.slice(start);
}

/** The image of etcd starts etcd, so a command that holds only flags, or none, is one of etcd. */
function etcdByName(container: unknown, items: readonly Word[]): { component: string; words: readonly Word[] } | undefined {
  if (member(container, 'name') !== 'etcd' || member(container, 'command') !== undefined) return undefined;
  const name: Word = { text: 'etcd', pointer: items[0]?.pointer ?? '', line: 0 };
  return { component: 'etcd', words: items[0] === undefined ? [] : [name, ...items] };
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A word that stands for words that are not in the input: `$FLAGS`, `${FLAGS:-}`, `$(FLAGS)`, `$(cat flags)`. */
const VARIABLE = /^\$(?:\w+|\{[^}]*\}|\([^)]*\)|@|\*)$/;

/** Whether a whole value is a variable, so that it can be anything. */
export function isVariable(value: string): boolean {
  return VARIABLE.test(value);
}

function readFlags(words: readonly Word[], env: ReadonlyMap<string, string>): { flags: Map<string, Flag>; unknown: string | undefined } {
  const flags = new Map<string, Flag>();
  let unknown: string | undefined;
  for (let i = 1; i < words.length; i++) {
    const { text: written, pointer, line } = words[i] ?? { text: '', pointer: '', line: 0 };
    const text = expand(written, env);
    if (isVariable(text)) unknown ??= 'The command line contains a variable, which can add flags.';
    if (!text.startsWith('-') || /^-+$/.test(text)) continue;
    const equals = text.indexOf('=');
    const name = flagName(equals < 0 ? text : text.slice(0, equals));
    let value = equals < 0 ? 'true' : text.slice(equals + 1);
    const next = words[i + 1];
    if (equals < 0 && next !== undefined && !next.text.startsWith('-')) {
      value = expand(next.text, env);
      i++;
    }
    addFlag(flags, newFlag(name, value, { label: `--${name}`, pointer, line }));
  }
  return { flags, unknown };
}

/** Kubernetes replaces `$(NAME)` by the variable of the container, if it has one. */
function expand(text: string, env: ReadonlyMap<string, string>): string {
  return text.includes('$(') ? text.replace(/\$\((\w+)\)/g, (reference, name: string) => env.get(name) ?? reference) : text;
}

function literalEnv(container: unknown): Map<string, string> {
  const variables = variablesIn(member(container, 'env'));
  return new Map(variables.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
}

/** The environment variables of a list. An entry without a value is empty; undefined stands for one whose value comes from elsewhere. */
function variablesIn(env: unknown): { name: string; value: string | undefined; index: number }[] {
  if (!Array.isArray(env)) return [];
  return env.flatMap((entry: unknown, index) => {
    const [name, value] = [member(entry, 'name'), member(entry, 'value')];
    if (typeof name !== 'string') return [];
    if (typeof value === 'string') return [{ name, value, index }];
    return [{ name, value: member(entry, 'valueFrom') === undefined ? '' : undefined, index }];
  });
}

/** etcd reads `ETCD_CERT_FILE` for `--cert-file`; the flag wins. @param pointer of the list of variables */
export function addEtcdVariables(flags: Map<string, Flag>, env: unknown, pointer: string): void {
  for (const { name: variable, value = `$(${variable})`, index } of variablesIn(env)) {
    if (!variable.startsWith('ETCD_')) continue;
    const name = variable.slice('ETCD_'.length).toLowerCase().replaceAll('_', '-');
    if (!flags.has(name)) flags.set(name, newFlag(name, value, { label: variable, pointer: `${pointer}/${index}` }));
  }
}

function unknownOfEtcd(flags: ReadonlyMap<string, Flag>, container: unknown): string | undefined {
  if (flags.has('config-file')) return 'etcd reads its configuration from a file, which is not in the input.';
  const from = member(container, 'envFrom');
  return Array.isArray(from) && from.length > 0 ? 'etcd gets environment variables that are not in the input.' : undefined;
}
