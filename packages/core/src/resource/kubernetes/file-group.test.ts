import { describe, expect, it } from 'vitest';
import { isFileGroup } from './file-group.js';

describe('a group of configuration files', () => {
  it.each(['audit.k8s.io', 'apiserver.config.k8s.io', 'kubeadm.k8s.io', 'eksctl.io', 'talos', 'k3s'])('is %s', (group) => {
    expect(isFileGroup(group)).toBe(true);
  });

  it.each(['', 'apps', 'policy', 'networking.k8s.io', 'argoproj.io', 'config.gatekeeper.sh'])('is not %j', (group) => {
    expect(isFileGroup(group)).toBe(false);
  });
});
