import { allControls } from './control-list.js';

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
1.1.13 Kubeconfig of the administrator: file mode
1.1.14 Kubeconfig of the administrator: file owner
1.1.15 Kubeconfig of the scheduler: file mode
1.1.16 Kubeconfig of the scheduler: file owner
1.1.17 Kubeconfig of the controller manager: file mode
1.1.18 Kubeconfig of the controller manager: file owner
1.1.19 Certificates and keys of the control plane: owner
1.1.20 Certificates of the control plane: file mode
1.1.21 Keys of the control plane: file mode
1.2.1 API server: no anonymous requests
1.2.2 API server: no file of static tokens
1.2.3 API server: external addresses of Services denied
1.2.4 API server: client certificate for kubelets
1.2.5 API server: certificates of kubelets verified
1.2.6 API server: no authorization that always allows
1.2.7 API server: node authorization
1.2.8 API server: RBAC authorization
1.2.9 API server: event rate limited at admission
1.2.10 API server: no admission plugin that admits everything
1.2.11 API server: images pulled at every start
1.2.12 API server: service account admission
1.2.13 API server: namespace lifecycle admission
1.2.14 API server: kubelets restricted to their own node
1.2.15 API server: profiling off
1.2.16 API server: audit log written
1.2.17 API server: audit log kept long enough
1.2.18 API server: enough audit log files kept
1.2.19 API server: size of audit log files
1.2.20 API server: time limit for requests
1.2.21 API server: service accounts looked up
1.2.22 API server: key for service account tokens
1.2.23 API server: client certificate for etcd
1.2.24 API server: TLS certificate
1.2.25 API server: authority for client certificates
1.2.26 API server: certificate of etcd verified
1.2.27 API server: encryption at rest configured
1.2.28 API server: strong provider for encryption at rest
1.2.29 API server: strong TLS ciphers
1.3.1 Controller manager: garbage collection of terminated pods
1.3.2 Controller manager: profiling off
1.3.3 Controller manager: separate credentials for each controller
1.3.4 Controller manager: key for service account tokens
1.3.5 Controller manager: root certificate for pods
1.3.6 Controller manager: rotation of kubelet server certificates
1.3.7 Controller manager: bound to loopback
1.4.1 Scheduler: profiling off
1.4.2 Scheduler: bound to loopback
2.1 etcd: TLS certificate
2.2 etcd: client certificates required
2.3 etcd: no self-signed certificates for clients
2.4 etcd: TLS between members
2.5 etcd: client certificates between members
2.6 etcd: no self-signed certificates between members
2.7 etcd: separate certificate authority
3.1.1 No client certificates for people
3.1.2 No service account tokens for people
3.1.3 No bootstrap tokens for people
3.2.1 Minimal audit policy
3.2.2 Audit policy covers security concerns
4.1.1 Kubelet service: file mode
4.1.2 Kubelet service: file owner
4.1.3 Kubeconfig of kube-proxy: file mode
4.1.4 Kubeconfig of kube-proxy: file owner
4.1.5 Kubeconfig of the kubelet: file mode
4.1.6 Kubeconfig of the kubelet: file owner
4.1.7 Certificate authority on the node: file mode
4.1.8 Certificate authority on the node: file owner
4.1.9 Kubelet configuration: file mode
4.1.10 Kubelet configuration: file owner
4.2.1 Kubelet: no anonymous requests
4.2.2 Kubelet: no authorization that always allows
4.2.3 Kubelet: authority for client certificates
4.2.4 Kubelet: no read-only port
4.2.5 Kubelet: idle connections time out
4.2.6 Kubelet: manages its iptables chains
4.2.7 Kubelet: host name not overridden
4.2.8 Kubelet: enough events recorded
4.2.9 Kubelet: TLS certificate
4.2.10 Kubelet: client certificate rotated
4.2.11 Kubelet: server certificate rotated
4.2.12 Kubelet: strong TLS ciphers
4.2.13 Kubelet: process limit per pod
4.3.1 kube-proxy: metrics bound to loopback
5.1.1 Cluster administrator role only if needed
5.1.2 Limited access to Secrets
5.1.3 Few wildcards in roles
5.1.4 Few subjects can create pods
5.1.5 Default service accounts unused
5.1.6 Service account tokens mounted only if needed
5.1.7 Group system:masters unused
5.1.8 Few subjects can bind, impersonate or escalate
5.1.9 Few subjects can create persistent volumes
5.1.10 Few subjects can use the proxy of nodes
5.1.11 Few subjects can approve certificate requests
5.1.12 Few subjects can change admission webhooks
5.1.13 Few subjects can create service account tokens
5.2.1 A policy control for pods is active
5.2.2 No privileged containers
5.2.3 No host process namespace
5.2.4 No host IPC namespace
5.2.5 No host network namespace
5.2.6 No privilege escalation
5.2.7 No containers that run as root
5.2.8 No NET_RAW capability
5.2.9 No added capabilities
5.2.10 No capabilities at all
5.2.11 No Windows HostProcess containers
5.2.12 No host path volumes
5.2.13 No host ports
5.3.1 Network plugin enforces network policies
5.3.2 Network policies in every namespace
5.4.1 Secrets as files, not as environment variables
5.4.2 External store of secrets
5.5.1 Image provenance checked at admission
5.7.1 Namespaces as administrative boundaries
5.7.2 Seccomp profile of the container runtime
5.7.3 Security context for pods and containers
5.7.4 Default namespace unused
`);
