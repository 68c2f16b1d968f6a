import { createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Environment } from '@bylaw/core/config';
import { type AdapterEntry, type SecretState, secretState } from '../config/index.js';
import { macOf, type SignedParts } from './canonical-string.js';
import type { Credentials } from './credentials.js';

/** The adapters that may speak to the gate, with their secrets. */
export interface AdapterRegistry {
  /**
   * The adapter whose current or previous secret has signed the request; undefined (`AG-IDN-005`) when it is not registered
   * or none of its secrets verifies. The time it takes depends neither on the adapter nor on the signature.
   */
  verify(credentials: Credentials, request: Pick<SignedParts, 'method' | 'path' | 'bodyDigest'>): AdapterEntry | undefined;
  /** Every adapter with the state of its variables, in the order of the configuration. Never a value. */
  readonly adapters: readonly RegisteredAdapter[];
}

export interface RegisteredAdapter {
  entry: AdapterEntry;
  secret: SecretState;
  /** Only during a rotation. */
  previous?: SecretState;
  /** Whether at least one of its secrets can verify a request. */
  usable: boolean;
}

/**
 * Reads the secrets of all adapters from their variables, once.
 * @param random source of the bytes of a key that nobody has, for requests of unknown adapters
 */
export function adapterRegistry(
  adapters: readonly AdapterEntry[],
  env: Environment,
  random: (size: number) => Uint8Array = randomBytes,
): AdapterRegistry {
  const nobody: Keys = { entry: undefined, keys: [undefined, undefined], dummy: createSecretKey(random(32)) };
  const registered = new Map(adapters.map((entry) => [entry.adapter_id, keysOf(entry, env, nobody.dummy)]));
  return {
    verify: (credentials, request) => {
      const { timestamp, nonce, signature } = credentials;
      const { entry, keys, dummy } = registered.get(credentials.adapterId) ?? nobody;
      const parts = { ...request, timestamp, nonce };
      const [current, previous] = keys.map((key) => {
        const same = timingSafeEqual(macOf(key ?? dummy, parts), signature);
        return same && key !== undefined;
      });
      return current || previous ? entry : undefined;
    },
    adapters: adapters.map((entry) => stateOf(entry, env)),
  };
}

/** The values of all variables that hold secrets of adapters, usable or not: what must never be recorded. */
export function adapterSecrets(adapters: readonly AdapterEntry[], env: Environment): string[] {
  const names = adapters.flatMap(({ secret_env, previous_secret_env }) => [secret_env, previous_secret_env ?? '']);
  return names.flatMap((name) => env[name] || []);
}

/** Always two keys are tried: where there is none, one that nobody has. Node takes a key object six times as fast as its bytes. */
interface Keys {
  entry: AdapterEntry | undefined;
  keys: readonly [current: KeyObject | undefined, previous: KeyObject | undefined];
  dummy: KeyObject;
}

function keysOf(entry: AdapterEntry, env: Environment, dummy: KeyObject): Keys {
  const { secret_env, previous_secret_env = '' } = entry;
  return { entry, keys: [keyOf(env[secret_env]), keyOf(env[previous_secret_env])], dummy };
}

function keyOf(secret: string | undefined): KeyObject | undefined {
  return secret !== undefined && secretState(secret) === 'set' ? createSecretKey(Buffer.from(secret)) : undefined;
}

function stateOf(entry: AdapterEntry, env: Environment): RegisteredAdapter {
  const secret = secretState(env[entry.secret_env]);
  if (entry.previous_secret_env === undefined) return { entry, secret, usable: secret === 'set' };
  const previous = secretState(env[entry.previous_secret_env]);
  return { entry, secret, previous, usable: secret === 'set' || previous === 'set' };
}
