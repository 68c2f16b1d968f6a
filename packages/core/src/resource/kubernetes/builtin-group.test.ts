import { describe, expect, it } from 'vitest';
import { builtinGroup, groupOf, versionOf } from './builtin-group.js';
import { KINDS } from './data/kubernetes-shapes.js';

describe('built-in API groups', () => {
  it('are those of every kind that the shapes know', () => {
    for (const kind of Object.keys(KINDS)) expect(builtinGroup(kind.slice(0, kind.lastIndexOf('/')))).toBe(true);
  });

  it('are those that were removed, too', () => {
    for (const apiVersion of ['extensions/v1beta1', 'policy/v1beta1', 'auditregistration.k8s.io/v1alpha1']) {
      expect(builtinGroup(apiVersion)).toBe(true);
    }
  });

  it('do not include any others', () => {
    for (const apiVersion of [
      'terraform',
      '',
      'gateway.networking.k8s.io/v1',
      'metrics.k8s.io/v1',
      'serving.knative.dev/v1',
      'apps.example.com/v1',
    ]) {
      expect(builtinGroup(apiVersion)).toBe(false);
    }
  });

  it('split into group and version', () => {
    expect([groupOf('apps/v1'), versionOf('apps/v1'), groupOf('v1'), versionOf('v1')]).toEqual(['apps', 'v1', '', 'v1']);
  });
});
