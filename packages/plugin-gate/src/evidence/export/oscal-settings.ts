import type { GateConfig } from '../../config/gate-config.js';

/**
 * What an OSCAL document says that is not in the records. It is in the document as one property, so that a verifier can
 * write the document anew from the records and compare.
 */
export interface OscalSettings {
  version: GateConfig['oscal']['version'];
  chain_id: string;
  /** Controls that the evidence is about, as NIST's catalogues write them: `ac-3`, `ac-2.1`. */
  controls: string[];
  /** Controls that each policy of the bundle in force names, written the same way. */
  policy_controls: { [policy: string]: string[] };
  system_id: string | null;
  /** Where to go on when the export was cut; null when it was not. */
  next_from: number | null;
  /** Number of the chain's last record when the export was made. Absent in documents of version 0.1.0. */
  head?: number;
}

/**
 * @param config the section `oscal`
 * @param policies identifier and controls of each policy in force; what is not an identifier of a control is left out
 * @param extent where to go on when the export was cut, and the number of the last record of the chain
 */
export function oscalSettings(
  config: GateConfig['oscal'],
  chainId: string,
  policies: readonly { id: string; controls: readonly string[] }[] = [],
  { nextFrom = null, head }: { nextFrom?: number | null; head?: number | undefined } = {},
): OscalSettings {
  const named = policies.map(({ id, controls }) => [oneLine(id), controlIds(controls)] as const).filter(([, ids]) => ids.length > 0);
  return {
    version: config.version,
    chain_id: chainId,
    controls: controlIds(config.controls),
    policy_controls: Object.fromEntries(named),
    system_id: oneLine(config.system_id ?? '') || null,
    next_from: nextFrom,
    ...(head !== undefined && { head }),
  };
}

/** The text of settings as it is in a document. */
export function settingsText(settings: OscalSettings): string {
  return JSON.stringify(settings);
}

/** @throws {TypeError} when it is not a text of settings */
export function readSettings(text: string): OscalSettings {
  const value: unknown = JSON.parse(text);
  if (!isSettings(value)) throw new TypeError('The settings in the document are malformed.');
  return value;
}

/** `AC-2(1)` as `ac-2.1`, which is how NIST's catalogue in OSCAL writes it. Each once, in the order given. */
function controlIds(controls: readonly string[]): string[] {
  const ids = controls.map((control) => control.toLowerCase().replace(/\s*\((\d+)\)/g, '.$1'));
  return [...new Set(ids)].filter((id) => /^[a-z_][a-z0-9_.-]*$/.test(id));
}

function isSettings(value: unknown): value is OscalSettings {
  if (typeof value !== 'object' || value === null) return false;
  const { version, chain_id, controls, policy_controls, system_id, next_from, head, ...rest } = value as Record<string, unknown>;
  return (
    Object.keys(rest).length === 0 &&
    typeof version === 'string' &&
    typeof chain_id === 'string' &&
    isTexts(controls) &&
    typeof policy_controls === 'object' &&
    policy_controls !== null &&
    !Array.isArray(policy_controls) &&
    Object.values(policy_controls).every(isTexts) &&
    (system_id === null || typeof system_id === 'string') &&
    (next_from === null || Number.isSafeInteger(next_from)) &&
    (head === undefined || Number.isSafeInteger(head))
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

/**
 * A text as OSCAL takes it for the value of a property: one line, without white space at its ends. Characters that end lines
 * or count as white space somewhere become plain spaces. May be empty, and an empty value may not be in a document.
 */
export function oneLine(text: string): string {
  return text.replace(WHITE, ' ').replace(/^ +| +$/g, '');
}

// Control characters are what the pattern is for.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they end lines or vanish
const WHITE = /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/g;
