import { isUtf8 } from 'node:buffer';
import { BylawError, type InputError } from '../../errors.js';
import type { EvaluationRequest } from '../../evaluate/index.js';
import { type Input, MAX_KEPT_BYTES, unreadable } from '../../resource/index.js';
import type { FilterBody, InputBody } from '../../service/index.js';

type InputsOf = Pick<EvaluationRequest, 'inputs' | 'inputErrors' | 'inputNotes'>;

/**
 * The inputs of a request as the body of POST /api/v1/evaluate takes them: whole files, with all that a local run knows about them.
 * @throws {BylawError} `input-too-large`
 */
export async function inputBody({ inputs, inputErrors = [], inputNotes }: InputsOf): Promise<InputBody> {
  const files = [];
  const errors = [...inputErrors];
  for (const input of inputs) {
    if (!('open' in input)) throw new Error('only files can be sent to a server');
    const bytes = await bytesOf(input);
    if (bytes instanceof Uint8Array) files.push(fileBody(input, bytes));
    else errors.push(bytes);
  }
  return {
    files,
    ...(errors.length > 0 && { input_errors: errors }),
    ...(inputNotes?.length && { input_notes: [...inputNotes] }),
  };
}

/** Filters, exceptions and settings of a request. */
export function filtersBody(request: Omit<EvaluationRequest, 'inputs'>): FilterBody {
  const { filter = {}, exceptionsFrom, undecided, exceptions, baseline, namespace, complete, packSettings } = request;
  return {
    ...(filter.rules && { rules: [...filter.rules] }),
    ...(filter.excludeRules?.length && { exclude_rules: [...filter.excludeRules] }),
    ...(filter.categories && { categories: [...filter.categories] }),
    ...(filter.severities && { severities: [...filter.severities] }),
    ...(filter.frameworks && { frameworks: [...filter.frameworks] }),
    ...(exceptionsFrom && exceptionsFrom !== 'all' && { exceptions_from: exceptionsFrom }),
    ...(undecided && undecided !== 'warn' && { undecided }),
    ...(exceptions?.length && { exceptions: [...exceptions] }),
    // Keys of a baseline are the JSON of its entries.
    ...(baseline?.size && { baseline: [...baseline].map((key) => JSON.parse(key) as (string | null)[]) }),
    ...(namespace !== undefined && { namespace }),
    ...(complete && { complete }),
    ...(packSettings && { packs: packSettings }),
  };
}

type FileBody = NonNullable<InputBody['files']>[number];

async function bytesOf(input: Input): Promise<Buffer | InputError> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of input.open({ last: true })) {
      length += chunk.length;
      if (length > MAX_KEPT_BYTES) break;
      chunks.push(chunk);
    }
  } catch (error) {
    return unreadable(input.file, error, { found: !input.explicit });
  }
  if (length <= MAX_KEPT_BYTES) return Buffer.concat(chunks);
  throw new BylawError(
    'input-too-large',
    `${input.file} is larger than ${MAX_KEPT_BYTES / 1024 / 1024} MiB, the most that can be sent to a server.`,
    {
      hint: 'Evaluate it locally: remove --remote and unset SVC_API_URL.',
    },
  );
}

function fileBody(input: Input, bytes: Buffer): FileBody {
  const known = {
    ...(!input.explicit && { explicit: false }),
    ...(input.rendered !== undefined && { rendered: input.rendered }),
    ...(input.use !== undefined && { use: input.use }),
  };
  return isUtf8(bytes)
    ? { path: input.file, content: bytes.toString('utf8'), ...known }
    : { path: input.file, content: bytes.toString('base64'), encoding: 'base64', ...known };
}
