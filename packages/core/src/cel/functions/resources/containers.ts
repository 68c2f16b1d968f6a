import { spendOnMembers, spendOnObjects, spendOnText } from '../../budget/costs.js';
import type { CelFunction } from '../../function.js';
import { madeFrom } from '../../origin.js';
import { type CelMap, isMap, listOf, member, optionalOf, path, present, textOrEmpty } from '../../standard/values.js';

const EXAMPLE = '{"command": ["sh", "-c"], "args": ["nginx -t"]}';
const HOOKS = ['postStart', 'preStop'] as const;
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Containers, whatever their shape: a part of the wrong type counts as absent. */
export const containers: readonly CelFunction[] = [
  {
    signature: 'podContainers(dyn): list<dyn>',
    summary: 'The containers, init containers and ephemeral containers of a Pod spec.',
    example: 'podContainers({"containers": [{"name": "a"}], "initContainers": [{"name": "b"}]}).map(c, c.name) == ["a", "b"]',
    call: (podSpec: unknown) => containersOf(podSpec),
  },
  {
    signature: 'commandLine(dyn): string',
    summary: '`command` and `args` of a container, joined by spaces.',
    example: `commandLine(${EXAMPLE}) == "sh -c nginx -t"`,
    call: (container: unknown) => commandLineOf(present(container)),
  },
  {
    signature: 'commandItems(dyn): list<string>',
    summary: 'The items of `command` and `args` of a container.',
    example: `commandItems(${EXAMPLE}) == ["sh", "-c", "nginx -t"]`,
    call: (container: unknown) => commandItemsOf(container),
  },
  {
    signature: 'postStartCommand(dyn): string',
    summary: 'The exec command of the postStart hook, joined by spaces, or the empty string.',
    example: 'postStartCommand({"lifecycle": {"postStart": {"exec": {"command": ["sleep", "5"]}}}}) == "sleep 5"',
    call: (container: unknown) => execLine(path(present(container), 'lifecycle', 'postStart')),
  },
  {
    signature: 'hookCommands(dyn): list<string>',
    summary: 'The exec commands of the lifecycle hooks, each joined by spaces.',
    example: 'hookCommands({"lifecycle": {"preStop": {"exec": {"command": ["sleep", "5"]}}}}) == ["sleep 5"]',
    call: (container: unknown) => hookLines(container),
  },
  {
    signature: 'probeCommands(dyn): list<string>',
    summary: 'The exec commands of the probes, each joined by spaces.',
    example: 'probeCommands({"livenessProbe": {"exec": {"command": ["cat", "/ok"]}}}) == ["cat /ok"]',
    call: (container: unknown) => probeLines(container),
  },
  {
    signature: 'commandLines(dyn): list<string>',
    summary: 'Every command of a container (`command` and `args`, hooks, probes), each joined by spaces.',
    example: `commandLines(${EXAMPLE}) == ["sh -c nginx -t"]`,
    call: (container: unknown) =>
      [commandLineOf(present(container)), ...hookLines(container), ...probeLines(container)].filter((line) => line !== ''),
  },
  {
    signature: 'commands(dyn): list<dyn>',
    summary:
      'The commands that a container runs, as {key, line}. `key` is `command` (command and args), `postStart`, `preStop`, `livenessProbe`, `readinessProbe` or `startupProbe`; `line` is the command joined by spaces, without comment lines. In `each`, a finding is located at the script (the first item with white space) or, if there is no script, at the list.',
    example: 'commands({"command": ["sh", "-c"], "args": ["# start\\nnginx -t"]}) == [{"key": "command", "line": "sh -c nginx -t"}]',
    call: (container: unknown) => commandsOf(present(container)),
  },
  {
    signature: 'execActions(dyn): list<dyn>',
    summary:
      'Every part of a container that has a command (see commandLine): the container itself, and the exec actions of its hooks and probes.',
    example: `execActions(${EXAMPLE}) == [${EXAMPLE}] && execActions({"livenessProbe": {"exec": {"command": ["true"]}}}).map(a, commandLine(a)) == ["true"]`,
    call: (container: unknown) => {
      const inner = present(container);
      return [inner, ...handlersOf(inner).map((handler) => member(handler, 'exec'))].filter((action) => commandLineOf(action) !== '');
    },
  },
  {
    signature: 'httpGetActions(dyn): list<dyn>',
    summary: 'The httpGet actions of the hooks and probes of a container.',
    example: 'httpGetActions({"lifecycle": {"preStop": {"httpGet": {"port": 80}}}}) == [{"port": 80}]',
    call: (container: unknown) =>
      handlersOf(present(container))
        .map((handler) => member(handler, 'httpGet'))
        .filter(isMap),
  },
  {
    signature: 'literalEnv(dyn): list<dyn>',
    summary: 'The environment variables of a container with a literal value (a string without a `$(…)` reference), with name and value.',
    example: 'literalEnv({"env": [{"name": "A", "value": "1"}, {"name": "B", "value": "$(A)"}]}) == [{"name": "A", "value": "1"}]',
    call: (container: unknown) => literalVariables(container),
  },
  {
    signature: 'effective(dyn, dyn, dyn): optional<dyn>',
    summary:
      'A securityContext field of the container or, if the container does not set it, of the Pod spec. A dotted name selects a nested field.',
    example: 'effective({"securityContext": {"runAsUser": 5}}, {"securityContext": {"runAsUser": 0}}, "runAsUser").value() == 5',
    call: (container: unknown, podSpec: unknown, name: unknown) => {
      const steps = stepsOf(textOrEmpty(name));
      const own = path(present(container), ...steps);
      return optionalOf(own === undefined ? path(present(podSpec), ...steps) : own);
    },
  },
  {
    signature: 'addedCapabilities(dyn): list<string>',
    summary: 'The capabilities that a container adds, in upper case and without the prefix CAP_.',
    example: 'addedCapabilities({"securityContext": {"capabilities": {"add": ["cap_sys_admin"]}}}) == ["SYS_ADMIN"]',
    call: (container: unknown) => capabilities(container, 'add').map(capabilityName),
  },
  {
    signature: 'droppedCapabilities(dyn): list<string>',
    summary: 'The capabilities that a container drops, as written: only names in upper case without the prefix CAP_ take effect.',
    example: 'droppedCapabilities({"securityContext": {"capabilities": {"drop": ["ALL"]}}}) == ["ALL"]',
    call: (container: unknown) => capabilities(container, 'drop'),
  },
  {
    signature: 'addsCapability(dyn, dyn): bool',
    summary: 'Whether a container adds one of the capabilities. Case and the prefix CAP_ are ignored.',
    example: 'addsCapability({"securityContext": {"capabilities": {"add": ["CAP_bpf"]}}}, ["BPF", "PERFMON"])',
    call: (container: unknown, names: unknown) => {
      const added = capabilities(container, 'add');
      if (added.length === 0) return false;
      const wanted = new Set(listOf(names).map((name) => capabilityName(textOrEmpty(name))));
      return added.some((name) => wanted.has(capabilityName(name)));
    },
  },
];

/** The containers of all three lists that are maps. */
export function containersOf(podSpec: unknown): readonly CelMap[] {
  const spec = present(podSpec);
  if (!isMap(spec)) return [];
  const known = containerLists.get(spec);
  if (known) return known;
  const containers = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => listOf(member(spec, list)).filter(isMap));
  containerLists.set(spec, containers);
  return containers;
}

/** Many rules ask for it, for every Pod. */
const containerLists = new WeakMap<object, readonly CelMap[]>();

/** A dozen rules ask for it, for every container. */
const commandLines = new WeakMap<object, string>();

function commandLineOf(container: unknown): string {
  if (!isMap(container)) return '';
  const line = commandLines.get(container) ?? commandItemsOf(container).join(' ');
  commandLines.set(container, line);
  return line;
}

function commandItemsOf(container: unknown): string[] {
  const inner = present(container);
  return [...strings(member(inner, 'command')), ...strings(member(inner, 'args'))];
}

/** A dozen rules ask for it, for every container. */
const commandLists = new WeakMap<object, readonly CelMap[]>();

function commandsOf(container: unknown): readonly CelMap[] {
  if (!isMap(container)) return [];
  const commands = commandLists.get(container) ?? startsOf(container);
  commandLists.set(container, commands);
  return commands;
}

function startsOf(container: CelMap): CelMap[] {
  return [
    ...startOf('command', container, [['command'], ['args']]),
    ...HOOKS.flatMap((hook) => startOf(hook, container, [['lifecycle', hook, 'exec', 'command']])),
    ...PROBES.flatMap((probe) => startOf(probe, container, [[probe, 'exec', 'command']])),
  ];
}

function startOf(key: string, container: unknown, lists: readonly string[][]): CelMap[] {
  const items = lists.flatMap((steps) => {
    const pointer = `/${steps.join('/')}`;
    const items = listOf(path(container, ...steps));
    spendOnObjects(items.length);
    for (const item of items) spendOnText(textOrEmpty(item));
    return items.map((item, index) => ({ pointer, place: `${pointer}/${index}`, text: textOrEmpty(item) }));
  });
  const [first] = items;
  if (first === undefined) return [];
  const script = items.find(({ text }) => /\s/.test(text.trim()));
  const line = items.map(({ text }) => text.replace(COMMENT_LINE, '')).join(' ');
  return [madeFrom({ key, line }, container, script?.place ?? first.pointer)];
}

/** Only whole lines: what follows a `#` further right may be in quotes. */
const COMMENT_LINE = /^[ \t]*#.*\n?/gm;

function hookLines(container: unknown): string[] {
  const lifecycle = member(present(container), 'lifecycle');
  return HOOKS.map((hook) => execLine(member(lifecycle, hook))).filter((line) => line !== '');
}

function probeLines(container: unknown): string[] {
  const inner = present(container);
  return PROBES.map((probe) => execLine(member(inner, probe))).filter((line) => line !== '');
}

function execLine(handler: unknown): string {
  return strings(path(handler, 'exec', 'command')).join(' ');
}

/** The hooks and probes of a container. */
function handlersOf(container: unknown): unknown[] {
  const lifecycle = member(container, 'lifecycle');
  return [...HOOKS.map((hook) => member(lifecycle, hook)), ...PROBES.map((probe) => member(container, probe))];
}

function literalVariables(container: unknown): CelMap[] {
  const variables = listOf(member(present(container), 'env')).filter(isMap);
  spendOnMembers(variables.length);
  return variables.filter((variable) => {
    const value = member(variable, 'value');
    return typeof member(variable, 'name') === 'string' && typeof value === 'string' && !holdsReference(value);
  });
}

/** A reference is `$(NAME)`; `$$(NAME)` is an escaped one, but the catalogue counts any `$(…)`. */
function holdsReference(text: string): boolean {
  spendOnText(text);
  const start = text.indexOf('$(');
  return start >= 0 && text.includes(')', start);
}

const stepsByName = new Map<string, readonly string[]>();
const MAX_REMEMBERED = 1_000;

/** `seccompProfile.type` → securityContext, seccompProfile, type. The names are those that rules write. */
function stepsOf(name: string): readonly string[] {
  const known = stepsByName.get(name);
  if (known !== undefined) return known;
  const steps = ['securityContext', ...name.split('.')];
  if (stepsByName.size < MAX_REMEMBERED) stepsByName.set(name, steps);
  return steps;
}

function capabilities(container: unknown, list: 'add' | 'drop'): string[] {
  return strings(path(present(container), 'securityContext', 'capabilities', list));
}

function capabilityName(written: string): string {
  const upper = written.toUpperCase();
  return upper.startsWith('CAP_') ? upper.slice('CAP_'.length) : upper;
}

function strings(value: unknown): string[] {
  const texts = listOf(value).filter((item) => typeof item === 'string');
  for (const text of texts) spendOnText(text);
  return texts;
}
