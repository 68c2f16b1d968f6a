/** The gate's sections of `bylaw.yaml`: their schemas, their types, and what the schemas cannot say. */
export { approverWarnings, checkGateConfig } from './check-config.js';
export { DEV_FILES, devConfig, usesDevStore } from './dev-config.js';
export {
  ADAPTER_KINDS,
  type AdapterEntry,
  type AdapterKind,
  type ApproverEntry,
  ceilingOf,
  type GateConfig,
  gateConfigOf,
  isConfigured,
  type Mode,
  modeOf,
} from './gate-config.js';
export { ADAPTER_ID_PATTERN, GATE_SECTIONS } from './sections.js';
export { MIN_SECRET_LENGTH, type SecretState, secretState, secretVariable, variableSettings } from './variable-settings.js';
