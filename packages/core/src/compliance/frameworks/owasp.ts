import { allControls } from './control-list.js';

/** OWASP Kubernetes Top Ten 2022 (https://owasp.org/www-project-kubernetes-top-ten/). Names: OWASP Foundation, CC BY-SA 4.0. */
export const OWASP_K8S = allControls(`
K01 Insecure Workload Configurations
K02 Supply Chain Vulnerabilities
K03 Overly Permissive RBAC Configurations
K04 Lack of Centralized Policy Enforcement
K05 Inadequate Logging and Monitoring
K06 Broken Authentication Mechanisms
K07 Missing Network Segmentation Controls
K08 Secrets Management Failures
K09 Misconfigured Cluster Components
K10 Outdated and Vulnerable Kubernetes Components
`);

/** OWASP Top 10 for LLM Applications 2025 (https://genai.owasp.org/llm-top-10/). Names: OWASP Foundation, CC BY-SA 4.0. */
export const OWASP_LLM_2025 = allControls(`
LLM01 Prompt Injection
LLM02 Sensitive Information Disclosure
LLM03 Supply Chain
LLM04 Data and Model Poisoning
LLM05 Improper Output Handling
LLM06 Excessive Agency
LLM07 System Prompt Leakage
LLM08 Vector and Embedding Weaknesses
LLM09 Misinformation
LLM10 Unbounded Consumption
`);
