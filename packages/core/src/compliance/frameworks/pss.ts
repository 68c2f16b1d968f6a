import { allControls, type ControlList } from './control-list.js';

/**
 * The controls of the Pod Security Standards, by the identifiers of the checks in the module k8s.io/pod-security-admission v0.36.0 (`policy/check_*.go`,
 * Kubernetes 1.36): twelve of the level Baseline, and seven that Restricted adds. Names of the controls: The Kubernetes Authors, CC BY 4.0
 * (https://kubernetes.io/docs/concepts/security/pod-security-standards/).
 */
export const PSS: ControlList = {
  parts: [
    { id: 'BASELINE', title: 'Baseline' },
    { id: 'RESTRICTED', title: 'Restricted' },
  ],
  ...allControls(`
BASELINE:windowsHostProcess HostProcess
BASELINE:hostNamespaces Host Namespaces
BASELINE:privileged Privileged Containers
BASELINE:capabilities_baseline Capabilities
BASELINE:hostPathVolumes HostPath Volumes
BASELINE:hostPorts Host Ports
BASELINE:hostProbesAndHostLifecycle Host Probes / Lifecycle Hooks
BASELINE:appArmorProfile AppArmor
BASELINE:seLinuxOptions SELinux
BASELINE:procMount /proc Mount Type
BASELINE:seccompProfile_baseline Seccomp
BASELINE:sysctls Sysctls
RESTRICTED:restrictedVolumes Volume Types
RESTRICTED:allowPrivilegeEscalation Privilege Escalation
RESTRICTED:runAsNonRoot Running as Non-root
RESTRICTED:runAsUser Running as Non-root user
RESTRICTED:seccompProfile_restricted Seccomp
RESTRICTED:capabilities_restricted Capabilities
RESTRICTED:procMount_restricted /proc Mount Type
`),
};
