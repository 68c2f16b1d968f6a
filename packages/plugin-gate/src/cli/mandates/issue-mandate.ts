import { readFile } from 'node:fs/promises';
import { BylawError } from '@bylaw/core/errors';
import { plural } from '@bylaw/core/plural';
import { readYamlFile } from '@bylaw/core/yaml-file';
import { GATE_ERRORS, gateError } from '../../error-table.js';
import { isJsonObject, type Json, type JsonObject, readInstant } from '../../json/index.js';
import type { Signer } from '../../keys/index.js';
import { type Mandate, readMandate } from '../../proposal/index.js';
import { lifetimeOf, mandateText } from '../../verdict/index.js';

/** What was given on the command line. */
export interface MandateFlags {
  from?: string | undefined;
  id?: string | undefined;
  issuer?: string | undefined;
  'key-id'?: string | undefined;
  subject?: string | undefined;
  delegate?: string | undefined;
  action?: string[] | undefined;
  resource?: string[] | undefined;
  environment?: string[] | undefined;
  adapter?: string[] | undefined;
  'max-cost'?: string | undefined;
  'reversible-only': boolean;
  'not-before'?: string | undefined;
  'expires-at'?: string | undefined;
  'valid-for'?: string | undefined;
  purpose?: string | undefined;
}

export interface IssueOptions {
  signer: Signer;
  /** The id if neither a flag nor the file says one. */
  newId: () => string;
  now: Date;
  maxLifetimeHours: number;
}

/**
 * Makes and signs a mandate from flags and a file; flags win.
 * @throws {BylawError} AG-SCH-002 with all that is wrong; `usage`; `path-not-found`
 */
export async function issueMandate(flags: MandateFlags, options: IssueOptions): Promise<Mandate> {
  const { signer, newId, now, maxLifetimeHours } = options;
  const base = flags.from === undefined ? {} : await readMandateYaml(flags.from);
  const scope = objectOf(base.scope);
  const limits = objectOf(base.limits);
  const start = flags['not-before'] ?? base.not_before ?? now.toISOString();
  const unsigned = {
    ...base,
    v: 'svc-mandate/1',
    mandate_id: flags.id ?? base.mandate_id ?? newId(),
    key_id: flags['key-id'] ?? base.key_id ?? signer.keyId,
    ...given({ issuer: flags.issuer, subject: flags.subject, delegate: flags.delegate, purpose: flags.purpose }),
    scope: {
      ...scope,
      ...given({ actions: flags.action, resources: flags.resource, environments: flags.environment, adapters: flags.adapter }),
    },
    limits: {
      ...limits,
      ...given({ max_cost: flags['max-cost'] === undefined ? undefined : costOf(flags['max-cost']) }),
      ...(flags['reversible-only'] && { reversible_only: true }),
    },
    not_before: start,
    ...given({ expires_at: endOf(flags, start) }),
    sig: UNSIGNED,
  };
  const read = readMandate(unsigned);
  if ('errors' in read)
    throw gateError('AG-SCH-002', read.errors.map(({ path, message }) => `${path || 'the mandate'} ${message}.`).join('\n'));
  const breaches = [...scopeBreaches(read.mandate), ...timeBreaches(read.mandate, maxLifetimeHours)];
  if (breaches.length > 0) throw gateError('AG-SCH-002', breaches.join('\n'));
  return { ...read.mandate, sig: signer.sign(mandateText(read.mandate)) };
}

/** Has the form of a signature, so that the schema can check everything else first. */
const UNSIGNED = 'A'.repeat(86);

async function readMandateYaml(file: string): Promise<JsonObject> {
  const kind = { code: 'AG-SCH-002', exit: GATE_ERRORS['AG-SCH-002'].exit };
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new BylawError('path-not-found', `Cannot read the file ${file}.`, { cause, hint: 'Pass a YAML or JSON file.' });
  });
  const { value } = readYamlFile(file, text, kind, { anchors: 'refuse' });
  const json = value as Json; // the schema of a mandate checks it as a whole
  if (!isJsonObject(json)) throw gateError('AG-SCH-002', `${file}: the document must be an object with members of a mandate.`);
  if (Object.hasOwn(json, 'sig'))
    throw gateError('AG-SCH-002', `${file}: sig must not be set.`, { hint: 'This command signs. Remove the old signature.' });
  return json;
}

function endOf(flags: MandateFlags, start: Json): string | undefined {
  if (flags['valid-for'] === undefined) return flags['expires-at'];
  const [, count, unit = ''] = /^([1-9][0-9]{0,5})([mhd])$/.exec(flags['valid-for']) ?? [];
  const begin = typeof start === 'string' ? readInstant(start) : undefined;
  if (count === undefined)
    throw new BylawError('usage', '--valid-for must be a number and a unit.', { hint: 'Use m, h or d: 30m, 8h, 7d.' });
  const end = new Date((begin ?? Number.NaN) + Number(count) * (UNITS[unit] ?? Number.NaN));
  return Number.isNaN(end.getTime()) ? flags['expires-at'] : end.toISOString();
}

/** Milliseconds. */
const UNITS: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function costOf(text: string): Json {
  const [, unit, amount] = /^([^:]+):([0-9]{1,16})$/.exec(text) ?? [];
  if (unit === undefined)
    throw new BylawError('usage', '--max-cost must be a unit and an integer amount in minor units.', { hint: 'Example: USD.cents:500.' });
  return { unit, amount: Number(amount) };
}

/** Characters that a value can have, and stars: a glob with any other covers nothing, which nobody means. */
const GLOBS = {
  actions: /^[a-z0-9_.*-]+$/,
  environments: /^[a-z0-9*-]+$/,
  adapters: /^[a-z0-9_*-]+$/,
  resources: /^[^\p{Cc}]+$/u,
} as const;

function scopeBreaches({ scope }: Mandate): string[] {
  return (['actions', 'resources', 'environments', 'adapters'] as const).flatMap((list) => {
    const globs = scope[list];
    if (globs?.length === 0) return [`/scope/${list} is empty, so the mandate covers nothing.`];
    return (globs ?? []).flatMap((glob, index) => (GLOBS[list].test(glob) ? [] : [`/scope/${list}/${index} cannot match any value.`]));
  });
}

function timeBreaches(mandate: Mandate, maxLifetimeHours: number): string[] {
  const lifetime = lifetimeOf(mandate);
  if (lifetime <= 0) return ['/expires_at must be after /not_before.'];
  return lifetime > maxLifetimeHours * 3_600_000
    ? [`The mandate is valid for more than ${plural(maxLifetimeHours, 'hour')}, so no gate accepts it.`]
    : [];
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

function given(members: { readonly [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
