import type { AnyInput, EvaluationRequest, Selection } from '../evaluate/index.js';
import { textInput } from '../resource/index.js';
import type { JsonObject } from '../resource/resource.js';
import type { EvaluateBody, FilterBody, InputBody } from './bodies.js';

/** Settings of a server's own configuration that every request starts from. */
export interface RequestDefaults {
  packSettings?: { [pack: string]: JsonObject };
}

/** The file name of objects and text that came without one. */
const UNNAMED = '<input>';

export function inputsOf(body: InputBody): AnyInput[] {
  if (body.files)
    return body.files.map(({ path, content, encoding, explicit = true }) =>
      textInput(path, encoding === 'base64' ? Buffer.from(content, 'base64') : content, { explicit }),
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
  return {
    filter,
    ...(body.exceptions && { exceptions: body.exceptions }),
    ...(body.baseline && { baseline: new Set(body.baseline.map((entry) => JSON.stringify(entry))) }),
    ...(body.namespace !== undefined && { namespace: body.namespace }),
    packSettings: { ...defaults.packSettings, ...body.packs },
  };
}

export function evaluationOf(body: EvaluateBody, defaults: RequestDefaults): EvaluationRequest {
  return {
    inputs: inputsOf(body),
    inputErrors: body.input_errors ?? [],
    ...filtersOf(body, defaults),
    threads: 0, // a request has a worker thread of its own already
    includePassed: body.include_passed ?? false,
  };
}
