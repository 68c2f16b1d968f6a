import { nearest } from '@bylaw/core/nearest';
import { k8sError } from '../error-table.js';
import type { NamedKind } from './served-kinds.js';

/**
 * The kinds that a user names: as rules do (`Deployment`, `argoproj.io/Rollout`), by a kind of any group (`Rollout`), by a resource as kubectl
 * takes it (`deployments`, `rollouts.argoproj.io`), in any case; `*` is every kind.
 * @throws {BylawError} `kind-unknown` for one that the cluster does not serve
 */
export function chosenKinds(kinds: readonly NamedKind[], wanted: readonly string[]): Set<string> {
  return new Set(wanted.flatMap((text) => kindsCalled(text, kinds).map(({ name }) => name)));
}

function kindsCalled(text: string, kinds: readonly NamedKind[]): readonly NamedKind[] {
  if (text === '*') return kinds;
  const wanted = text.toLowerCase();
  // A name of a rule wins over a kind of the same word in some other group, as Service does over that of Knative.
  for (const called of [({ name }: NamedKind) => [name], otherNames]) {
    const found = kinds.filter((kind) => called(kind).some((name) => name.toLowerCase() === wanted));
    if (found.length > 0) return found;
  }
  throw unknownKind(text, kinds);
}

function otherNames({ served: { kind, resource, group } }: NamedKind): string[] {
  return [kind, resource, `${resource}.${group}`];
}

function unknownKind(text: string, kinds: readonly NamedKind[]): Error {
  const near = nearest(
    text,
    kinds.flatMap(({ name, served }) => [name, served.resource]),
  );
  return k8sError('kind-unknown', `The cluster serves no kind ${text}.`, {
    hint: near
      ? `Did you mean ${near}?`
      : 'Use the names that rules use, for example Deployment or argoproj.io/Rollout; `kubectl api-resources` lists all kinds.',
  });
}
