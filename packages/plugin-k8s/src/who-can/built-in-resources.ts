import type { KnownResource } from './asked-resource.js';

/**
 * The resources that kube-apiserver serves itself: API group (`-` for the core group), plural, kind, scope and short names.
 * Source: the discovery document of kube-apiserver 1.36.3, recorded in cluster/testing/recorded/aggregated-discovery.json.
 */
const SERVED = `
- bindings Binding namespaced
- componentstatuses ComponentStatus cluster cs
- configmaps ConfigMap namespaced cm
- endpoints Endpoints namespaced ep
- events Event namespaced ev
- limitranges LimitRange namespaced limits
- namespaces Namespace cluster ns
- nodes Node cluster no
- persistentvolumeclaims PersistentVolumeClaim namespaced pvc
- persistentvolumes PersistentVolume cluster pv
- pods Pod namespaced po
- podtemplates PodTemplate namespaced
- replicationcontrollers ReplicationController namespaced rc
- resourcequotas ResourceQuota namespaced quota
- secrets Secret namespaced
- serviceaccounts ServiceAccount namespaced sa
- services Service namespaced svc
admissionregistration.k8s.io mutatingadmissionpolicies MutatingAdmissionPolicy cluster
admissionregistration.k8s.io mutatingadmissionpolicybindings MutatingAdmissionPolicyBinding cluster
admissionregistration.k8s.io mutatingwebhookconfigurations MutatingWebhookConfiguration cluster
admissionregistration.k8s.io validatingadmissionpolicies ValidatingAdmissionPolicy cluster
admissionregistration.k8s.io validatingadmissionpolicybindings ValidatingAdmissionPolicyBinding cluster
admissionregistration.k8s.io validatingwebhookconfigurations ValidatingWebhookConfiguration cluster
apiextensions.k8s.io customresourcedefinitions CustomResourceDefinition cluster crd,crds
apiregistration.k8s.io apiservices APIService cluster
apps controllerrevisions ControllerRevision namespaced
apps daemonsets DaemonSet namespaced ds
apps deployments Deployment namespaced deploy
apps replicasets ReplicaSet namespaced rs
apps statefulsets StatefulSet namespaced sts
authentication.k8s.io selfsubjectreviews SelfSubjectReview cluster
authentication.k8s.io tokenreviews TokenReview cluster
authorization.k8s.io localsubjectaccessreviews LocalSubjectAccessReview namespaced
authorization.k8s.io selfsubjectaccessreviews SelfSubjectAccessReview cluster
authorization.k8s.io selfsubjectrulesreviews SelfSubjectRulesReview cluster
authorization.k8s.io subjectaccessreviews SubjectAccessReview cluster
autoscaling horizontalpodautoscalers HorizontalPodAutoscaler namespaced hpa
batch cronjobs CronJob namespaced cj
batch jobs Job namespaced
certificates.k8s.io certificatesigningrequests CertificateSigningRequest cluster csr
certificates.k8s.io clustertrustbundles ClusterTrustBundle cluster
coordination.k8s.io leases Lease namespaced
discovery.k8s.io endpointslices EndpointSlice namespaced
events.k8s.io events Event namespaced ev
flowcontrol.apiserver.k8s.io flowschemas FlowSchema cluster
flowcontrol.apiserver.k8s.io prioritylevelconfigurations PriorityLevelConfiguration cluster
networking.k8s.io ingressclasses IngressClass cluster
networking.k8s.io ingresses Ingress namespaced ing
networking.k8s.io ipaddresses IPAddress cluster ip
networking.k8s.io networkpolicies NetworkPolicy namespaced netpol
networking.k8s.io servicecidrs ServiceCIDR cluster
node.k8s.io runtimeclasses RuntimeClass cluster
policy poddisruptionbudgets PodDisruptionBudget namespaced pdb
rbac.authorization.k8s.io clusterrolebindings ClusterRoleBinding cluster
rbac.authorization.k8s.io clusterroles ClusterRole cluster
rbac.authorization.k8s.io rolebindings RoleBinding namespaced
rbac.authorization.k8s.io roles Role namespaced
resource.k8s.io deviceclasses DeviceClass cluster
resource.k8s.io resourceclaims ResourceClaim namespaced
resource.k8s.io resourceclaimtemplates ResourceClaimTemplate namespaced
resource.k8s.io resourceslices ResourceSlice cluster
scheduling.k8s.io priorityclasses PriorityClass cluster pc
storage.k8s.io csidrivers CSIDriver cluster
storage.k8s.io csinodes CSINode cluster
storage.k8s.io csistoragecapacities CSIStorageCapacity namespaced
storage.k8s.io storageclasses StorageClass cluster sc
storage.k8s.io volumeattachments VolumeAttachment cluster
storage.k8s.io volumeattributesclasses VolumeAttributesClass cluster vac
`;

/** Names that only authorization knows: kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation, …/certificate-signing-requests */
const VIRTUAL = `
- users User cluster
- groups Group cluster
authentication.k8s.io uids UID cluster
authentication.k8s.io userextras UserExtra cluster
certificates.k8s.io signers Signer cluster
`;

/** All of them. */
export const BUILT_IN_RESOURCES: readonly KnownResource[] = `${SERVED.trim()}\n${VIRTUAL.trim()}`.split('\n').map((line) => {
  const [group = '', resource = '', kind = '', scope, shortNames] = line.split(' ');
  return {
    group: group === '-' ? '' : group,
    resource,
    kind,
    namespaced: scope === 'namespaced',
    shortNames: shortNames?.split(',') ?? [],
  };
});
