import { raiseUnknown } from '../../../undecided.js';
import { spend } from '../../budget/budget.js';
import { spendOnEntries, spendOnObjects } from '../../budget/costs.js';
import { CelError } from '../../evaluator.js';
import type { CelFunction } from '../../function.js';
import { madeFrom } from '../../origin.js';
import { Pattern } from '../../pattern/pattern.js';
import { type CelMap, mapOf, present, textOrEmpty } from '../../standard/values.js';
import { show } from '../show.js';
import { isVariable } from './command-line.js';
import type { Flag, Setup } from './setup.js';
import { setupsOf } from './sources.js';

const POD =
  '{"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"name": "a", "command": ["kube-apiserver", "--profiling=false"]}]}}';
const K3S = '{"apiVersion": "k3s/v1", "kind": "Config", "kube-apiserver-arg": ["profiling=false"]}';

/** The flags of the components of Kubernetes, wherever they are set. */
export const componentFlags: readonly CelFunction[] = [
  {
    signature: 'flag(dyn, dyn, dyn): list<dyn>',
    summary:
      'A flag of a component (`kube-apiserver`, `kube-controller-manager`, `kube-scheduler`, `etcd`, `kubelet`, `kube-proxy`; lists of components or flags are possible), once for each place of the object that runs or configures the component: a Pod (command, args, shell script, variables of etcd), kubeadm, KubeadmControlPlane, KubeadmConfig, a configuration of the kubelet, kube-proxy or scheduler, kOps, k3s, RKE2, Talos or eksctl. Each is {component, name, set, value, text, list, pairs, number, on, off, adds, flags, container, complete, line}: `value` is the effective value as text, empty if the flag is absent, after the defaults of kubeadm; `text` shows it in a message (`--profiling=true`, `no --profiling`, `readOnlyPort: 10255`); `list` and `pairs` are its items; `number` is present if it is a whole number; `adds` says that the distribution adds the value to its own; `flags` are the values of all flags of the component; `container` is present in a Pod. A source that only adds to the settings of a distribution gives nothing for an absent flag. In `each`, a finding is located at the flag or, if it is absent, where it belongs.',
    example: `flag(${POD}, "kube-apiserver", "profiling").all(f, f.set && f.off && f.text == "--profiling=false") && flag(${POD}, "kube-apiserver", "audit-log-path").map(f, f.text) == ["no --audit-log-path"] && flag(${K3S}, "kube-apiserver", "audit-log-path") == []`,
    call: (object: unknown, components: unknown, names: unknown) =>
      setups(object, components).flatMap((setup) => texts(names).flatMap((name) => flagOf(setup, name, present(object)))),
  },
  {
    signature: 'component(dyn, dyn, dyn): list<dyn>',
    summary:
      'The places of an object that run or configure a component (see flag) and say something about one of the flags, as {component, flags, missing, complete, line}: `flags` are the values of all flags by name, `missing` the flags of the argument that are empty or, if absent flags have their defaults (`complete`), absent. In `each`, a finding is located at the first flag that is missing, or where it belongs.',
    example: `component(${POD}, "kube-apiserver", ["profiling", "client-ca-file"]).map(c, c.missing) == [["client-ca-file"]] && component(${K3S}, "kube-apiserver", ["client-ca-file"]) == []`,
    call: (object: unknown, components: unknown, names: unknown) =>
      setups(object, components).flatMap((setup) => componentOf(setup, texts(names), present(object))),
  },
  {
    signature: 'matchesPattern(dyn, dyn): bool',
    summary:
      'Whether a text contains a match of an RE2 pattern that comes from the input, such as a flag with an expression. False for a pattern that is invalid, or longer than 500 characters.',
    example:
      'matchesPattern("https://any.example", ".*") && !matchesPattern("https://any.example", "^https://a$") && !matchesPattern("a", "(")',
    call: (text: unknown, pattern: unknown) => matchesPattern(textOrEmpty(text), textOrEmpty(pattern)),
  },
];

/** A setup with the values of its flags as rules see them: the same map for each rule that asks. */
interface Found extends Setup {
  values: CelMap;
}

/** What was found in objects. Dozens of rules ask about the same one. */
const found = new WeakMap<object, readonly Found[]>();

function setups(object: unknown, components: unknown): Found[] {
  const root = present(object);
  if (typeof root !== 'object' || root === null) return [];
  let known = found.get(root);
  if (!known) {
    known = setupsOf(root).map((setup) => ({ ...setup, values: valuesOf(setup) }));
    found.set(root, known);
  }
  // Each rule pays for the search, so that what a rule takes does not depend on the others.
  spend(20);
  for (const { flags } of known) spendOnEntries(flags.size);
  const wanted = texts(components);
  return known.filter(({ component }) => wanted.includes(component));
}

function valuesOf({ flags }: Setup): CelMap {
  return mapOf([...flags.values()].map(({ name, value }) => [name, value]));
}

function texts(value: unknown): string[] {
  const given = present(value);
  return (Array.isArray(given) ? given : [given]).filter((text) => typeof text === 'string');
}

function flagOf(setup: Found, name: string, root: unknown): CelMap[] {
  const flag = setup.flags.get(name);
  if (flag === undefined && !setup.complete) return [];
  if (flag === undefined && setup.unknown !== undefined) raiseUnknown({ reason: 'unknown-value', message: setup.unknown });
  if (flag !== undefined && isVariable(flag.value))
    raiseUnknown({ reason: 'unknown-value', message: 'The value of a flag is a variable, which is not in the input.' });
  const value = flag?.value ?? '';
  const list = value.split(',').map((item) => item.trim());
  const items = list.filter((item) => item !== '');
  const { pointer } = flag ?? setup.place(name);
  spendOnObjects(4 + items.length);
  const made = {
    component: setup.component,
    name,
    set: flag !== undefined,
    value,
    text: textOf(setup, name, flag),
    list: items,
    pairs: mapOf(items.map((item) => pairOf(item))),
    ...(/^[+-]?\d{1,15}$/.test(value) && { number: Number(value) }),
    on: ON.has(value),
    off: OFF.has(value),
    adds: flag?.adds ?? false,
    flags: setup.values,
    ...(setup.container !== undefined && { container: setup.container }),
    complete: setup.complete,
    line: BigInt(flag?.line ?? 0),
  };
  return [madeFrom(made, root, pointer)];
}

/** What Go reads as true and false (strconv.ParseBool). */
const ON: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const OFF: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

function textOf(setup: Setup, name: string, flag: Flag | undefined): string {
  if (flag === undefined) return `no ${setup.place(name).label}`;
  return /^(?:-|ETCD_)/.test(flag.label) ? `${flag.label}=${show(flag.value)}` : `${flag.label}: ${show(flag.value)}`;
}

/** `AllAlpha=true` as a pair; truth values in one form, so that rules can compare them. */
function pairOf(item: string): [string, string] {
  const equals = item.indexOf('=');
  const value = equals < 0 ? 'true' : item.slice(equals + 1).trim();
  return [equals < 0 ? item : item.slice(0, equals).trim(), ON.has(value) ? 'true' : OFF.has(value) ? 'false' : value];
}

function componentOf(setup: Found, names: readonly string[], root: unknown): CelMap[] {
  const { component, flags, complete } = setup;
  if (!complete && !names.some((name) => flags.has(name))) return [];
  const missing = names.filter((name) => (flags.get(name)?.value ?? (complete ? '' : name)) === '');
  if (setup.unknown !== undefined && missing.some((name) => !flags.has(name)))
    raiseUnknown({ reason: 'unknown-value', message: setup.unknown });
  const [first] = missing;
  const at = first === undefined ? setup : (flags.get(first) ?? setup.place(first));
  spendOnObjects(2);
  return [madeFrom({ component, flags: setup.values, missing, complete, line: 0n }, root, at.pointer)];
}

const MAX_PATTERN = 500;

function matchesPattern(text: string, pattern: string): boolean {
  if (pattern.length > MAX_PATTERN) return false;
  spend(pattern.length * 100);
  try {
    return Pattern.compile(pattern).test(text);
  } catch (error) {
    if (error instanceof CelError) return false;
    throw error;
  }
}
