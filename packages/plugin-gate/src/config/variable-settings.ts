import type { Config, Environment, Setting } from '@bylaw/core/config';
import { gateConfigOf } from './gate-config.js';

/** For `bylaw config check`: the state of every variable that the gate's sections name, and never a value. */
export function variableSettings(config: Config, env: Environment): Setting[] {
  const { adapters, signing, store } = gateConfigOf(config);
  return [
    ...(store.kind === 'postgres' ? [variable('store.dsn_env', store.dsn_env, present(env[store.dsn_env]))] : []),
    ...('key_env' in signing ? [variable('signing.key_env', signing.key_env, present(env[signing.key_env]))] : []),
    ...adapters.flatMap(({ adapter_id, secret_env, previous_secret_env }) => [
      variable(`adapters.${adapter_id}.secret_env`, secret_env, secretState(env[secret_env])),
      ...(previous_secret_env === undefined
        ? []
        : [variable(`adapters.${adapter_id}.previous_secret_env`, previous_secret_env, secretState(env[previous_secret_env]))]),
    ]),
  ];
}

function variable(key: string, name: string, state: string): Setting {
  return { key, value: state, origin: 'environment', source: name };
}

function present(value: string | undefined): 'set' | 'unset' {
  return value ? 'set' : 'unset';
}

/** Fewest characters of an adapter's secret. */
export const MIN_SECRET_LENGTH = 32;

/** `padded`: white space at an end, which is nearly always a mistake of whoever set the variable. Only `set` can be used. */
export type SecretState = 'set' | 'unset' | 'too short' | 'padded';

/** Whether the value of a variable can be the secret of an adapter. */
export function secretState(value: string | undefined): SecretState {
  if (value === undefined || value === '') return 'unset';
  if (value.trim() !== value) return 'padded';
  return [...value].length < MIN_SECRET_LENGTH ? 'too short' : 'set';
}

/** The variable that holds the secret of an adapter by default: `SVC_ADAPTER_SECRET_<ID>`, in the letters that variables have. */
export function secretVariable(adapterId: string): string {
  return `SVC_ADAPTER_SECRET_${adapterId.toUpperCase().replaceAll('-', '_')}`;
}
