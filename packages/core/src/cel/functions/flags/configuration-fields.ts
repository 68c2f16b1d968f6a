/**
 * The fields of component configurations that stand for flags. Source: k8s.io/kubelet/config/v1beta1, k8s.io/kube-proxy/config/v1alpha1 and
 * k8s.io/kube-scheduler/config/v1, with the flags in cmd/kubelet/app/options/options.go, cmd/kube-proxy/app/options.go and
 * cmd/kube-scheduler/app/options of kubernetes/kubernetes.
 */
export const CONFIGURATION_FIELDS: { readonly [component: string]: { readonly [flag: string]: string } } = {
  kubelet: {
    'anonymous-auth': 'authentication.anonymous.enabled',
    'authentication-token-webhook': 'authentication.webhook.enabled',
    'client-ca-file': 'authentication.x509.clientCAFile',
    'authorization-mode': 'authorization.mode',
    'read-only-port': 'readOnlyPort',
    'streaming-connection-idle-timeout': 'streamingConnectionIdleTimeout',
    'make-iptables-util-chains': 'makeIPTablesUtilChains',
    'event-qps': 'eventRecordQPS',
    'tls-cert-file': 'tlsCertFile',
    'tls-private-key-file': 'tlsPrivateKeyFile',
    'tls-cipher-suites': 'tlsCipherSuites',
    'tls-min-version': 'tlsMinVersion',
    'rotate-certificates': 'rotateCertificates',
    'rotate-server-certificates': 'serverTLSBootstrap',
    'feature-gates': 'featureGates',
    'pod-max-pids': 'podPidsLimit',
    'protect-kernel-defaults': 'protectKernelDefaults',
    'seccomp-default': 'seccompDefault',
    'allowed-unsafe-sysctls': 'allowedUnsafeSysctls',
    v: 'logging.verbosity',
  },
  'kube-proxy': {
    'metrics-bind-address': 'metricsBindAddress',
    'feature-gates': 'featureGates',
    v: 'logging.verbosity',
  },
  'kube-scheduler': {
    profiling: 'enableProfiling',
    'leader-elect': 'leaderElection.leaderElect',
  },
};

/**
 * The flags that a kOps Cluster names differently than in camelCase. Source: pkg/apis/kops/v1alpha2/componentconfig.go of kubernetes/kops.
 * `appendAdmissionPlugins` adds to the plugins that kOps enables by itself.
 */
export const KOPS_FLAGS: { readonly [field: string]: string } = {
  logLevel: 'v',
  auditLogMaxAge: 'audit-log-maxage',
  auditLogMaxBackups: 'audit-log-maxbackup',
  auditLogMaxSize: 'audit-log-maxsize',
  etcdCaFile: 'etcd-cafile',
  etcdCertFile: 'etcd-certfile',
  etcdKeyFile: 'etcd-keyfile',
  podPidsLimit: 'pod-max-pids',
  makeIPTablesUtilChains: 'make-iptables-util-chains',
  appendAdmissionPlugins: 'enable-admission-plugins',
};
