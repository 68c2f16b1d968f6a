import { isUtf8 } from 'node:buffer';
import type { AnyInput, EvaluationRequest } from '../../evaluate/index.js';
import type { FilterBody, InputBody } from '../../service/index.js';

type InputsOf = Pick<EvaluationRequest, 'inputs' | 'inputErrors' | 'inputNotes'>;

/** The inputs of a request as the body of POST /api/v1/evaluate takes them: whole files, with all that a local run knows about them. */
export async function inputBody({ inputs, inputErrors, inputNotes }: InputsOf): Promise<InputBody> {
  const files = [];
  for (const input of inputs) files.push(await fileBody(input));
  return {
    files,
    ...(inputErrors?.length && { input_errors: [...inputErrors] }),
    ...(inputNotes?.length && { input_notes: [...inputNotes] }),
  };
}

/** Filters, exceptions and settings of a request. */
export function filtersBody(request: Omit<EvaluationRequest, 'inputs'>): FilterBody {
  const { filter = {}, exceptions, baseline, namespace, packSettings } = request;
  return {
    ...(filter.rules && { rules: [...filter.rules] }),
    ...(filter.excludeRules?.length && { exclude_rules: [...filter.excludeRules] }),
    ...(filter.categories && { categories: [...filter.categories] }),
    ...(filter.severities && { severities: [...filter.severities] }),
    ...(filter.frameworks && { frameworks: [...filter.frameworks] }),
    ...(exceptions?.length && { exceptions: [...exceptions] }),
    // Keys of a baseline are the JSON of its entries.
    ...(baseline?.size && { baseline: [...baseline].map((key) => JSON.parse(key) as (string | null)[]) }),
    ...(namespace !== undefined && { namespace }),
    ...(packSettings && { packs: packSettings }),
  };
}

type FileBody = NonNullable<InputBody['files']>[number];

async function fileBody(input: AnyInput): Promise<FileBody> {
  if (!('open' in input)) throw new Error('only files can be sent to a server');
  const chunks: Uint8Array[] = [];
  for await (const chunk of input.open()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const known = { ...(!input.explicit && { explicit: false }), ...(input.rendered !== undefined && { rendered: input.rendered }) };
  return isUtf8(bytes)
    ? { path: input.file, content: bytes.toString('utf8'), ...known }
    : { path: input.file, content: bytes.toString('base64'), encoding: 'base64', ...known };
}
