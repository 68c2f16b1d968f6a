import { resolve } from 'node:path';
import { BylawError } from '@bylaw/core/errors';
import { HttpProblem, type ProblemError } from '@bylaw/core/http';
import type { Services, Tool } from '@bylaw/core/plugin';
import { gateConfigOf } from '../config/index.js';
import { gateError } from '../error-table.js';
import { IJsonError, INSTANT_PATTERN, type Json, parseIJson, readInstant } from '../json/index.js';
import { type Bundle, BundleFilesError, bundleDigest, readBundleFiles } from '../policy/index.js';
import { ENVELOPE_SCHEMA, type Envelope, readSubmission } from '../proposal/index.js';
import { check, loadBundle, type ManifestEvaluator, manifestEvaluator } from '../verdict/index.js';

/**
 * The tool `check_action`: the verdict on an action before it is proposed, by the same `check` as the command and the server.
 * Nothing is recorded, so it allows nothing: only an answer of the server does.
 */
export const checkActionTool: Tool = {
  name: 'check_action',
  description:
    'Evaluates a proposed action against the policies of the gate, and returns ALLOW, DENY, or REQUIRE_APPROVAL with the reasons. Use it before you act, to learn what the decision would be and why. Nothing is recorded; you must still propose the action to the gate.',
  inputSchema: {
    ...ENVELOPE_SCHEMA,
    type: 'object',
    properties: {
      ...ENVELOPE_SCHEMA.properties,
      at: {
        description: 'Evaluation time if the proposal does not set one. Default: now.',
        type: 'string',
        pattern: INSTANT_PATTERN,
      },
    },
  },
  handler: async (args, services) => {
    const { at = services.clock.now().toISOString(), ...submission } = args as { at?: string }; // the schema was checked
    if (readInstant(at) === undefined)
      throw new BylawError('usage', '`at` must be a timestamp.', { hint: 'Use the format 2026-01-02T03:04:05.678Z.' });
    const envelope = readEnvelope(submission);
    const { bundle, evaluator } = await openGate(services);
    const refusals = bundle.masker.refusals(envelope);
    if (refusals.length > 0) throw invalid(refusals);
    const { verdict } = await check({ ...envelope, at }, bundle, evaluator);
    return { verdict };
  },
};

/** As much as a server takes in one body, and as strictly. */
const MAX_BYTES = 65_536;

function readEnvelope(submission: object): Envelope {
  const bytes = Buffer.from(JSON.stringify(submission));
  if (bytes.length > MAX_BYTES) throw gateError('AG-SCH-004', `The arguments are larger than ${MAX_BYTES} bytes.`);
  const read = readSubmission(parsed(bytes));
  if ('errors' in read) throw invalid(read.errors);
  return read.envelope;
}

function parsed(bytes: Uint8Array): Json {
  try {
    return parseIJson(bytes);
  } catch (error) {
    if (error instanceof IJsonError) throw gateError('AG-SCH-001', error.message);
    throw error;
  }
}

function invalid(errors: readonly ProblemError[]): HttpProblem {
  return new HttpProblem({ slug: 'schema', status: 422, title: 'The proposal does not match the schema', code: 'AG-SCH-002' }, { errors });
}

interface OpenGate {
  bundle: Bundle;
  evaluator: ManifestEvaluator;
}

/** The bundle that was loaded last, while its files stay the same: a session outlives many versions of it. */
const opened = new WeakMap<Services, OpenGate>();

async function openGate(services: Services): Promise<OpenGate> {
  const { bundle: configured } = gateConfigOf(services.config).policy;
  if (configured === undefined)
    throw gateError('AG-POL-002', 'No policy bundle is configured.', { hint: 'Set policy.bundle in bylaw.yaml.' });
  const path = resolve(services.paths.base, configured);
  const known = opened.get(services);
  if (known && known.bundle.digest === (await digestOf(path))) return known;
  const { bundle } = await loadBundle(path);
  if (bundle === undefined)
    throw gateError('AG-POL-001', 'The policy bundle has errors, so no decision is possible.', {
      hint: 'Run `bylaw policy lint` to see them.',
    });
  const gate = { bundle, evaluator: known?.evaluator ?? manifestEvaluator(services) };
  opened.set(services, gate);
  return gate;
}

async function digestOf(path: string): Promise<string | undefined> {
  try {
    return bundleDigest(await readBundleFiles(path));
  } catch (error) {
    if (error instanceof BundleFilesError) return undefined;
    throw error;
  }
}
