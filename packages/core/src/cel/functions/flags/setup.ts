/** A flag of a component, or the field of a configuration that stands for it. */
export interface Flag {
  name: string;
  /** As text: a list is joined by commas, a mapping is `key=value` pairs joined by commas. */
  value: string;
  /** How the source writes its name: `--anonymous-auth`, or `authentication.anonymous.enabled`. */
  label: string;
  /** JSON Pointer from the root of the object. */
  pointer: string;
  /** The line, from 1, of the text at the pointer if it is a script; otherwise 0. */
  line: number;
  /** Whether the distribution adds the value to its own one. */
  adds: boolean;
  /** Whether nobody wrote it: the installer sets it. */
  implied: boolean;
}

/** How an object runs one component. */
export interface Setup {
  component: string;
  flags: ReadonlyMap<string, Flag>;
  /** Whether an absent flag has its default. A source that only adds to the settings of a distribution says nothing about absent flags. */
  complete: boolean;
  /** Why absent flags cannot be known. */
  unknown?: string;
  /** The container that runs the component. */
  container?: object;
  /** JSON Pointer of what holds the flags. */
  pointer: string;
  /** Where a flag belongs that is not set, and how it is written there. */
  place(name: string): Pick<Flag, 'label' | 'pointer'>;
}

/** A flag that somebody wrote as a value of its own, unless `more` says otherwise. */
export function newFlag(name: string, value: string, more: Pick<Flag, 'label' | 'pointer'> & Partial<Flag>): Flag {
  return { name, value, line: 0, adds: false, implied: false, ...more };
}

/** Flags whose values add up if they are repeated; of all others, the last one counts. */
const ACCUMULATING: ReadonlySet<string> = new Set([
  'feature-gates',
  'runtime-config',
  'enable-admission-plugins',
  'disable-admission-plugins',
  'authorization-mode',
  'tls-cipher-suites',
  'etcd-servers',
  'etcd-servers-overrides',
  'cors-allowed-origins',
  'requestheader-allowed-names',
  'service-account-key-file',
]);

/** Adds a flag to those before it. */
export function addFlag(flags: Map<string, Flag>, flag: Flag): void {
  const before = flags.get(flag.name);
  const joins = before !== undefined && !before.implied && ACCUMULATING.has(flag.name) && before.value !== '';
  flags.set(flag.name, joins ? { ...flag, value: `${before.value},${flag.value}`, adds: before.adds || flag.adds } : flag);
}

/** The name of a flag as components compare it: without dashes in front, and with dashes for underscores. */
export function flagName(text: string): string {
  return text.replace(/^--?/, '').replaceAll('_', '-');
}

/** A value of a configuration as the text of a flag; undefined if it has no such form. */
export function flagValue(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.flatMap((item) => flagValue(item) ?? []).join(',');
  const pairs = membersOf(value);
  return pairs?.flatMap(([key, item]) => (typeof item === 'object' ? [] : [`${key}=${String(item)}`])).join(',');
}

/** The members of a mapping, or undefined for anything else. Unlike `entriesOf`, it spends no steps: the lookup charges for itself. */
export function membersOf(value: unknown): [string, unknown][] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value instanceof Map ? [...value].map(([key, item]) => [String(key), item]) : Object.entries(value);
}
