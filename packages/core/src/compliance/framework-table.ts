/** A framework that rules of the catalogue cite. */
export interface KnownFramework {
  /** What it is, in our own words or by its public name. */
  title: string;
  /** Edition, where the name in the references does not carry it. */
  version?: string;
}

/**
 * Frameworks by the name that comes before the version in a reference (`CIS-K8S` of `CIS-K8S-1.10:5.2.2`).
 * A name that is missing here is still mapped, with its own name for a title.
 */
export const FRAMEWORKS: { readonly [name: string]: KnownFramework } = {
  'AWS-FSBP': { title: 'AWS Security Hub: Foundational Security Best Practices' },
  'AWS-SECHUB': { title: 'AWS Security Hub: controls outside the Foundational standard' },
  'AWS-WA': { title: 'AWS Well-Architected Framework' },
  'AZURE-WAF': { title: 'Azure Well-Architected Framework' },
  CABF: { title: 'CA/Browser Forum ballots' },
  'CIS-AKS': { title: 'CIS Benchmark for Azure Kubernetes Service' },
  'CIS-AWS': { title: 'CIS Foundations Benchmark for Amazon Web Services' },
  'CIS-AZURE': { title: 'CIS Foundations Benchmark for Microsoft Azure' },
  'CIS-EKS': { title: 'CIS Benchmark for Amazon Elastic Kubernetes Service' },
  'CIS-GCP': { title: 'CIS Foundations Benchmark for Google Cloud Platform' },
  'CIS-GKE': { title: 'CIS Benchmark for Google Kubernetes Engine' },
  'CIS-K8S': { title: 'CIS Benchmark for Kubernetes' },
  CVE: { title: 'Common Vulnerabilities and Exposures' },
  'DISA-STIG-K8S': { title: 'DISA Security Technical Implementation Guide for Kubernetes' },
  'EKS-BP': { title: 'Amazon EKS best practices guide' },
  FINOPS: { title: 'FinOps Framework capabilities' },
  'GCP-AF': { title: 'Google Cloud Architecture Framework' },
  'GHG-PROTOCOL': { title: 'Greenhouse Gas Protocol' },
  GSF: { title: 'Green Software Foundation pattern catalogue' },
  HIPAA: { title: 'HIPAA Security Rule (45 CFR Part 164)' },
  'ISO-27001': { title: 'ISO/IEC 27001, Annex A', version: '2022' },
  KEP: { title: 'Kubernetes Enhancement Proposals' },
  MCSB: { title: 'Microsoft cloud security benchmark' },
  'MITRE-ATTACK': { title: 'MITRE ATT&CK, Enterprise techniques' },
  'NIST-800-190': { title: 'NIST SP 800-190, container security guide' },
  'NIST-800-53': { title: 'NIST SP 800-53, security and privacy controls', version: 'Rev. 5, release 5.2.0' },
  'NIST-800-77': { title: 'NIST SP 800-77, guide to IPsec VPNs', version: 'Rev. 1' },
  'NSA-K8S': { title: 'NSA and CISA Kubernetes hardening guidance', version: '1.2' },
  'OWASP-K8S': { title: 'OWASP Kubernetes Top Ten', version: '2022' },
  'OWASP-LLM': { title: 'OWASP Top 10 for large language model applications' },
  'PCI-DSS': { title: 'Payment Card Industry Data Security Standard' },
  PSS: { title: 'Kubernetes Pod Security Standards', version: '1.36' },
  SCI: { title: 'Software Carbon Intensity specification (ISO/IEC 21031)' },
  SLSA: { title: 'Supply-chain Levels for Software Artifacts' },
  SOC2: { title: 'SOC 2 trust services criteria', version: '2017' },
  'ARGO-ROLLOUTS-DOCS': { title: 'Argo Rollouts documentation' },
  'ARGOCD-DOCS': { title: 'Argo CD documentation' },
  'CARBON-AWARE-KEDA': { title: 'Carbon-aware KEDA operator documentation' },
  'CERT-MANAGER-DOCS': { title: 'cert-manager documentation' },
  'CLUSTER-AUTOSCALER-DOCS': { title: 'Cluster Autoscaler documentation' },
  'CNPG-DOCS': { title: 'CloudNativePG documentation' },
  'FLUX-DOCS': { title: 'Flux documentation' },
  'GATEWAY-API-DOCS': { title: 'Gateway API documentation' },
  'GCP-DOCS': { title: 'Google Cloud documentation' },
  'ISTIO-DOCS': { title: 'Istio documentation' },
  'K8S-DOCS': { title: 'Kubernetes documentation' },
  'KARPENTER-DOCS': { title: 'Karpenter documentation' },
  'KEDA-DOCS': { title: 'KEDA documentation' },
  'KEPLER-DOCS': { title: 'Kepler documentation' },
  'KUBEFLOW-DOCS': { title: 'Kubeflow documentation' },
  'KUBERNETES-CSI-DOCS': { title: 'Kubernetes CSI documentation' },
  'NVIDIA-DOCS': { title: 'NVIDIA documentation' },
  'OTEL-DOCS': { title: 'OpenTelemetry documentation' },
  'PROMETHEUS-DOCS': { title: 'Prometheus documentation' },
  'ROOK-DOCS': { title: 'Rook documentation' },
  'TALOS-DOCS': { title: 'Talos Linux documentation' },
  'VELERO-DOCS': { title: 'Velero documentation' },
};

/** Frameworks whose references join name and item with a hyphen: `PSS-BASELINE`, `CVE-2023-2878`. */
export const HYPHENATED: readonly string[] = ['PSS', 'CVE', 'KEP'];

/** Whether a name stands for documents that rules refer to, such as documentation or advisories: they have no controls to comply with. */
export function isReference(name: string): boolean {
  return name.endsWith('-DOCS') || REFERENCES.has(name);
}

const REFERENCES: ReadonlySet<string> = new Set(['CABF', 'CARBON-AWARE-KEDA', 'CVE', 'KEP']);
