import { type AnyInput, type EvaluationRequest, type Selection, stricter } from '../evaluate/index.js';
import { type GroupReader, textInput, withReader } from '../resource/index.js';
import type { EvaluateBody, FilterBody, InputBody } from './bodies.js';

/**
 * What a server's own configuration says, where a request says nothing else. Its exceptions and its baseline hold for every
 * request, beside those that the request brings. A request can let fewer exceptions count than the server does, never more.
 */
export type RequestDefaults = Pick<
  EvaluationRequest,
  'filter' | 'exceptionsFrom' | 'undecided' | 'exceptions' | 'baseline' | 'namespace' | 'packSettings'
>;

/** The file name of objects and text that came without one. */
const UNNAMED = '<input>';

export function inputsOf(body: InputBody, readers: readonly GroupReader[] = []): AnyInput[] {
  if (body.files)
    return body.files.map(({ path, content, encoding, explicit = true, rendered, use }) =>
      withReader(
        textInput(path, encoding === 'base64' ? Buffer.from(content, 'base64') : content, {
          explicit,
          ...(rendered !== undefined && { rendered }),
          ...(use !== undefined && { use }),
        }),
        readers,
      ),
    );
  if (body.manifests) return [{ file: UNNAMED, values: body.manifests }];
  return [textInput(UNNAMED, body.content ?? '')];
}

export function filtersOf(body: FilterBody, defaults: RequestDefaults): Omit<EvaluationRequest, 'inputs'> {
  const filter: Selection = {
    ...(body.rules && { rules: body.rules }),
    ...(body.exclude_rules && { excludeRules: body.exclude_rules }),
    ...(body.categories && { categories: body.categories }),
    ...(body.severities && { severities: body.severities }),
    ...(body.frameworks && { frameworks: body.frameworks }),
  };
  const baseline = (body.baseline ?? []).map((entry) => JSON.stringify(entry));
  return {
    ...defaults,
    filter: { ...defaults.filter, ...filter },
    exceptionsFrom: stricter(defaults.exceptionsFrom, body.exceptions_from),
    ...(body.undecided && { undecided: body.undecided }),
    exceptions: [...(defaults.exceptions ?? []), ...(body.exceptions ?? [])],
    baseline: new Set([...(defaults.baseline ?? []), ...baseline]),
    ...(body.namespace !== undefined && { namespace: body.namespace }),
    ...(body.complete !== undefined && { complete: body.complete }),
    packSettings: { ...defaults.packSettings, ...body.packs },
  };
}

export function evaluationOf(body: EvaluateBody, defaults: RequestDefaults, readers?: readonly GroupReader[]): EvaluationRequest {
  return {
    inputs: inputsOf(body, readers),
    inputErrors: body.input_errors ?? [],
    inputNotes: body.input_notes ?? [],
    ...filtersOf(body, defaults),
    threads: 0, // a request has a worker thread of its own already
    includePassed: body.include_passed ?? false,
    failOnSkipped: body.fail_on_skipped ?? false,
    includeCompliance: body.include_compliance ?? false,
  };
}
