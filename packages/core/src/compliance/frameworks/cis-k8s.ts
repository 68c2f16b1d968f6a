import { allControls, someControls } from './control-list.js';

/**
 * CIS Benchmark for Kubernetes 1.10: its 130 recommendations. The numbers are those of `cis_1.10_kubernetes.json` in Prowler 5.13.0; the sections of
 * `frameworks/cis-v1.10.0.json` in kubescape/regolibrary (045a1025) count the same, but for the five that Kubescape does not check. The titles are ours: the
 * texts of CIS are not free. Sections 1 to 4 are about files, flags and settings of nodes and of the control plane, which manifests mostly do not hold.
 */
export const CIS_K8S_1_10 = allControls(`
1.1.1 API server manifest: file mode
1.1.2 API server manifest: file owner
1.1.3 Controller manager manifest: file mode
1.1.4 Controller manager manifest: file owner
1.1.5 Scheduler manifest: file mode
1.1.6 Scheduler manifest: file owner
1.1.7 etcd manifest: file mode
1.1.8 etcd manifest: file owner
1.1.9 Network plugin configuration: file mode
1.1.10 Network plugin configuration: file owner
1.1.11 etcd data directory: mode
1.1.12 etcd data directory: owner
1.1.13 Administrator kubeconfig: file mode
1.1.14 Administrator kubeconfig: file owner
1.1.15 Scheduler kubeconfig: file mode
1.1.16 Scheduler kubeconfig: file owner
1.1.17 Controller manager kubeconfig: file mode
1.1.18 Controller manager kubeconfig: file owner
1.1.19 Control plane certificates and keys: owner
1.1.20 Control plane certificates: file mode
1.1.21 Control plane keys: file mode
1.2.1 API server: no anonymous requests
1.2.2 API server: no static token file
1.2.3 API server: external IP addresses of Services denied
1.2.4 API server: client certificate for kubelets
1.2.5 API server: kubelet certificates verified
1.2.6 API server: authorization mode is not AlwaysAllow
1.2.7 API server: Node authorization
1.2.8 API server: RBAC authorization
1.2.9 API server: event rate limit at admission
1.2.10 API server: no admission plugin that admits everything
1.2.11 API server: images always pulled
1.2.12 API server: service account admission
1.2.13 API server: namespace lifecycle admission
1.2.14 API server: kubelets restricted to their own node
1.2.15 API server: profiling off
1.2.16 API server: audit log written
1.2.17 API server: audit logs kept long enough
1.2.18 API server: enough audit log files kept
1.2.19 API server: audit log file size
1.2.20 API server: request timeout
1.2.21 API server: service account lookup
1.2.22 API server: key for service account tokens
1.2.23 API server: client certificate for etcd
1.2.24 API server: TLS serving certificate
1.2.25 API server: certificate authority for clients
1.2.26 API server: etcd certificate verified
1.2.27 API server: encryption at rest configured
1.2.28 API server: strong encryption provider
1.2.29 API server: strong TLS ciphers
1.3.1 Controller manager: garbage collection of terminated Pods
1.3.2 Controller manager: profiling off
1.3.3 Controller manager: separate credentials for each controller
1.3.4 Controller manager: key for service account tokens
1.3.5 Controller manager: root certificate for Pods
1.3.6 Controller manager: kubelet server certificates rotated
1.3.7 Controller manager: listens on loopback only
1.4.1 Scheduler: profiling off
1.4.2 Scheduler: listens on loopback only
2.1 etcd: TLS serving certificate
2.2 etcd: client certificates required
2.3 etcd: no self-signed certificates for clients
2.4 etcd: TLS between members
2.5 etcd: client certificates required between members
2.6 etcd: no self-signed certificates between members
2.7 etcd: separate certificate authority
3.1.1 No client certificates for users
3.1.2 No service account tokens for users
3.1.3 No bootstrap tokens for users
3.2.1 Minimal audit policy
3.2.2 Audit policy covers security-relevant requests
4.1.1 Kubelet service: file mode
4.1.2 Kubelet service: file owner
4.1.3 kube-proxy kubeconfig: file mode
4.1.4 kube-proxy kubeconfig: file owner
4.1.5 Kubelet kubeconfig: file mode
4.1.6 Kubelet kubeconfig: file owner
4.1.7 Certificate authority on the node: file mode
4.1.8 Certificate authority on the node: file owner
4.1.9 Kubelet configuration: file mode
4.1.10 Kubelet configuration: file owner
4.2.1 Kubelet: no anonymous requests
4.2.2 Kubelet: authorization mode is not AlwaysAllow
4.2.3 Kubelet: certificate authority for clients
4.2.4 Kubelet: no read-only port
4.2.5 Kubelet: idle connections time out
4.2.6 Kubelet: manages its iptables chains
4.2.7 Kubelet: host name not overridden
4.2.8 Kubelet: enough events captured
4.2.9 Kubelet: TLS serving certificate
4.2.10 Kubelet: client certificate rotated
4.2.11 Kubelet: server certificate rotated
4.2.12 Kubelet: strong TLS ciphers
4.2.13 Kubelet: process limit per Pod
4.3.1 kube-proxy: metrics on loopback only
5.1.1 Cluster administrator role used only where necessary
5.1.2 Access to Secrets limited
5.1.3 Wildcards in roles limited
5.1.4 Permission to create Pods limited
5.1.5 Default service accounts not used
5.1.6 Service account tokens mounted only where necessary
5.1.7 Group system:masters not used
5.1.8 Permissions to bind, impersonate and escalate limited
5.1.9 Permission to create persistent volumes limited
5.1.10 Access to the node proxy limited
5.1.11 Permission to approve certificate requests limited
5.1.12 Permission to change admission webhooks limited
5.1.13 Permission to create service account tokens limited
5.2.1 Policy control for Pods is active
5.2.2 No privileged containers
5.2.3 No host process namespace
5.2.4 No host IPC namespace
5.2.5 No host network namespace
5.2.6 No privilege escalation
5.2.7 No containers that run as root
5.2.8 No NET_RAW capability
5.2.9 No added capabilities
5.2.10 No capabilities assigned
5.2.11 No Windows HostProcess containers
5.2.12 No hostPath volumes
5.2.13 No host ports
5.3.1 Network plugin enforces network policies
5.3.2 Network policies in every namespace
5.4.1 Secrets as files instead of environment variables
5.4.2 External secret store
5.5.1 Image provenance checked at admission
5.7.1 Namespaces as administrative boundaries
5.7.2 Seccomp profile of the container runtime
5.7.3 Security context for Pods and containers
5.7.4 Default namespace not used
`);

/** The recommendations of other editions that rules cite, because edition 1.10 does not have them. The titles are ours. */
export const CIS_K8S_1_6 = someControls('4.2.6 Kubelet: kernel defaults protected');
export const CIS_K8S_1_12 = someControls('1.2.30 API server: service account tokens without an extended lifetime');
