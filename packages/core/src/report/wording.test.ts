import { describe, expect, it } from 'vitest';
import { resourceName } from './wording.js';

describe('the name of a resource', () => {
  it.each([
    [{ api_version: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' }, 'Deployment shop/web'],
    [{ api_version: 'v1', kind: 'Namespace', namespace: null, name: 'shop' }, 'Namespace shop'],
    [{ api_version: 'terraform', kind: 'aws_s3_bucket', namespace: null, name: 'aws_s3_bucket.a' }, 'aws_s3_bucket.a'],
    [{ api_version: 'argoproj.io/v1alpha1', kind: 'Workflow', namespace: 'shop', name: '' }, 'Workflow shop/(unnamed)'],
    [{ api_version: 'apps/v1', kind: 'Deployment', namespace: null, name: '' }, 'Deployment (unnamed)'],
    [{ api_version: 'audit.k8s.io/v1', kind: 'Policy', namespace: null, name: '' }, 'audit.k8s.io/Policy'],
    [{ api_version: 'kops.k8s.io/v1alpha2', kind: 'Cluster', namespace: null, name: 'prod' }, 'Cluster prod'],
  ])('%j is %s', (resource, expected) => {
    expect(resourceName(resource)).toBe(expected);
  });
});
