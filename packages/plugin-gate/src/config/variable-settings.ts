import type { Config, Environment, Setting } from '@bylaw/core/config';
import { gateConfigOf } from './gate-config.js';
import { secretState } from './secret-state.js';

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
