import { createHmac, randomBytes } from 'node:crypto';
import type { Config, ConfigBreach, Environment } from '@bylaw/core/config';
import { foldedName } from '../json/index.js';
import { type AdapterEntry, type GateConfig, gateConfigOf } from './gate-config.js';

/** What the schemas of the sections cannot say. Secrets are compared under a key that lives only during the call, and never shown. */
export function checkGateConfig(config: Config, env: Environment): ConfigBreach[] {
  const gate = gateConfigOf(config);
  return [
    ...repeatedAdapters(gate.adapters),
    ...repeatedVariables(gate.adapters),
    ...repeatedSecrets(gate.adapters, env),
    ...repeatedApprovers(gate),
    ...replicasOfOneFile(gate),
  ];
}

function repeatedAdapters(adapters: readonly AdapterEntry[]): ConfigBreach[] {
  return repeated(
    adapters.map(({ adapter_id }, index) => ({ value: adapter_id, path: ['adapters', index, 'adapter_id'] })),
    'Two adapters have the same `adapter_id`.',
  );
}

interface Place {
  value: string;
  path: (string | number)[];
}

/** Every variable of every adapter, with its place. */
function variablesOf(adapters: readonly AdapterEntry[]): Place[] {
  return adapters.flatMap(({ secret_env, previous_secret_env }, index) => [
    { value: secret_env, path: ['adapters', index, 'secret_env'] },
    ...(previous_secret_env === undefined ? [] : [{ value: previous_secret_env, path: ['adapters', index, 'previous_secret_env'] }]),
  ]);
}

function repeatedVariables(adapters: readonly AdapterEntry[]): ConfigBreach[] {
  return repeated(
    variablesOf(adapters),
    'Two secrets use the same variable. Every secret needs a separate variable, including the previous secret of an adapter.',
  );
}

/** The adapter's name is not part of what is signed, so a secret that two share would let each speak for the other. */
function repeatedSecrets(adapters: readonly AdapterEntry[], env: Environment): ConfigBreach[] {
  const key = randomBytes(32);
  const variables = variablesOf(adapters);
  const named = variables.filter(({ value }, index) => variables.findIndex((other) => other.value === value) === index);
  const secrets = named.flatMap(({ value: name, path }) => {
    const secret = env[name];
    return secret ? [{ value: createHmac('sha256', key).update(secret).digest('hex'), path }] : [];
  });
  return repeated(secrets, 'Two variables hold the same secret. Every secret must be different.');
}

function repeatedApprovers(gate: GateConfig): ConfigBreach[] {
  const { approvers } = gate;
  const places = (member: 'id' | 'public_key') =>
    approvers.map((approver, index) => ({ value: approver[member], path: ['approvers', index, member] }));
  return [
    ...repeated(places('id'), 'Two approvers have the same `id`.'),
    ...repeated(places('public_key'), 'Two approvers have the same `public_key`.'),
    ...sharedNames(gate),
  ];
}

/** Two approvers with one name would be one person who counts twice. */
function sharedNames({ approvers }: GateConfig): ConfigBreach[] {
  const names = approvers.flatMap(({ id, principals = [] }, index): Place[] => {
    // The same id twice is reported as that.
    if (approvers.findIndex((other) => other.id === id) !== index) return [];
    const own = [
      { value: foldedName(id), path: ['approvers', index, 'id'] },
      ...principals.map((name, at) => ({ value: foldedName(name), path: ['approvers', index, 'principals', at] })),
    ];
    return own.filter(({ value }, at) => own.findIndex((other) => other.value === value) === at);
  });
  return repeated(names, 'Two approvers share a name: an `id` or one of the `principals`, compared without regard to case and width.');
}

function replicasOfOneFile({ store }: GateConfig): ConfigBreach[] {
  if (store.kind !== 'sqlite' || (store.replicas ?? 1) === 1) return [];
  return [
    {
      path: ['store', 'replicas'],
      message: 'Several servers cannot share one SQLite file.',
      hint: 'Use store.kind: postgres, or set store.replicas to 1.',
    },
  ];
}

function repeated(places: readonly Place[], message: string): ConfigBreach[] {
  const seen = new Set<string>();
  return places.flatMap(({ value, path }) => {
    const again = seen.has(value);
    seen.add(value);
    return again ? [{ path, message }] : [];
  });
}

/** Approvers whose proposals cannot be told from those of others, one sentence each. They are legal, and likely not meant. */
export function approverWarnings({ approvers }: Pick<GateConfig, 'approvers'>): string[] {
  return approvers.flatMap(({ id, principals = [] }) =>
    principals.length > 0
      ? []
      : [
          `The approver ${id} has no \`principals\`. Under any other name, such as an email address, ${id} could approve their own proposals. List those names, or repeat the id.`,
        ],
  );
}
