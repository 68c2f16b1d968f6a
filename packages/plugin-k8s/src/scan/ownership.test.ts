import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../cluster/cluster.js';
import { ownership, ownershipDepth } from './ownership.js';

const API_VERSIONS: { [kind: string]: string } = { Pod: 'v1', ReplicationController: 'v1', Job: 'batch/v1', CronJob: 'batch/v1' };

function object(
  kind: string,
  uid: string,
  owner?: { kind: string; uid: string; controller?: boolean; apiVersion?: string },
  spec = {},
): KubernetesObject {
  const reference = owner && { apiVersion: API_VERSIONS[owner.kind] ?? 'apps/v1', name: 'x', controller: true, ...owner };
  return {
    apiVersion: API_VERSIONS[kind] ?? 'apps/v1',
    kind,
    metadata: { uid, ...(reference && { ownerReferences: [{ ...reference, controller: false, uid: 'other' }, reference] }) },
    spec,
  };
}

/** The kinds of the objects that stand for themselves. */
function standing(...objects: KubernetesObject[]): string[] {
  const { isOwned } = ownership();
  return objects.filter((each) => !isOwned(each.kind, each)).map(({ kind, metadata }) => `${kind} ${metadata?.uid}`);
}

describe('what a controller owns', () => {
  it('counts once: a Pod of a ReplicaSet of a Deployment, of a Job of a CronJob, of a DaemonSet', () => {
    expect(
      standing(
        object('Deployment', 'd'),
        object('CronJob', 'c'),
        object('DaemonSet', 'e'),
        object('ReplicaSet', 'r', { kind: 'Deployment', uid: 'd' }),
        object('Job', 'j', { kind: 'CronJob', uid: 'c' }),
        object('Pod', 'p1', { kind: 'ReplicaSet', uid: 'r' }),
        object('Pod', 'p2', { kind: 'Job', uid: 'j' }),
        object('Pod', 'p3', { kind: 'DaemonSet', uid: 'e' }),
      ),
    ).toEqual(['Deployment d', 'CronJob c', 'DaemonSet e']);
  });

  it('is evaluated where its controller was not seen, whatever it says of itself', () => {
    expect(standing(object('Pod', 'p', { kind: 'ReplicaSet', uid: 'forged' }))).toEqual(['Pod p']);
    expect(
      standing(object('ReplicaSet', 'r', { kind: 'Deployment', uid: 'd' }), object('Pod', 'p', { kind: 'ReplicaSet', uid: 'r' })),
    ).toEqual(['ReplicaSet r']);
  });

  it('is evaluated where no controller of that kind makes such objects', () => {
    expect(standing(object('Deployment', 'd'), object('Pod', 'p', { kind: 'Deployment', uid: 'd' }))).toEqual(['Deployment d', 'Pod p']);
    const rollout = object('Deployment', 'd');
    expect(
      standing(rollout, object('ReplicaSet', 'r', { kind: 'Deployment', apiVersion: 'acme.test/v1', uid: 'd' }, { replicas: 1 })),
    ).toHaveLength(2);
    expect(standing(object('Node', 'n'), object('Pod', 'p', { kind: 'Node', apiVersion: 'v1', uid: 'n' }))).toEqual(['Node n', 'Pod p']);
  });

  it('is evaluated where the reference does not name the controller', () => {
    expect(standing(object('ReplicaSet', 'r'), object('Pod', 'p', { kind: 'ReplicaSet', uid: 'r', controller: false }))).toHaveLength(2);
  });

  it('is evaluated where it has more than its template: containers for debugging', () => {
    const debugged = object('Pod', 'p', { kind: 'ReplicaSet', uid: 'r' }, { ephemeralContainers: [{ name: 'debug' }] });
    expect(standing(object('ReplicaSet', 'r'), debugged)).toEqual(['ReplicaSet r', 'Pod p']);
  });

  it('is a former revision where it is kept at no replicas, and runs nothing', () => {
    const owner = { kind: 'Rollout', apiVersion: 'argoproj.io/v1alpha1', uid: 'x' };
    expect(standing(object('ReplicaSet', 'old', owner, { replicas: 0 }), object('ReplicaSet', 'new', owner, { replicas: 2 }))).toEqual([
      'ReplicaSet new',
    ]);
    expect(standing(object('ReplicaSet', 'bare', undefined, { replicas: 0 }))).toEqual(['ReplicaSet bare']);
  });

  it('comes after its controllers', () => {
    expect(['Pod', 'Job', 'ReplicaSet', 'Deployment', 'Secret', 'ReplicationController'].map(ownershipDepth)).toEqual([2, 1, 1, 0, 0, 1]);
  });
});
