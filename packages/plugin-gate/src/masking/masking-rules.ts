import { CelError, Pattern } from '@bylaw/core/cel';
import type { NamedSecrets } from './name-rules.js';
import type { MaskedPlaces } from './pointer-rules.js';
import { RULE_ID_PATTERN } from './replacement.js';
import { findsTooMuch, type SecretForm } from './value-rules.js';

/** What a bundle masks in addition to the built-in set, as its file `masking.yaml` says. */
export interface MaskingRules {
  /** By the names of members. */
  names?: readonly NamedSecrets[];
  /** By the form of texts. */
  values?: readonly SecretForm[];
  /** By place: whatever is there, of any type. */
  pointers?: readonly MaskedPlaces[];
}

const id = { description: 'Name of the rule. Masked secrets are replaced by `[masked:name]`.', type: 'string', pattern: RULE_ID_PATTERN };

const rules = (description: string, member: string, schema: object) => ({
  description,
  type: 'array',
  maxItems: 64,
  items: { type: 'object', additionalProperties: false, required: ['id', member], properties: { id, [member]: schema } },
});

/** Only these can hold a text instead of what they hold and still be what the schema of a proposal says. */
const PLACES = '^/(?:action/parameters/.+|action/resource|action/summary|justification|context/.+|message|resource_after)$';

/** JSON Schema (draft 7) of `MaskingRules`, the part `spec` of `masking.yaml`. */
export const MASKING_RULES_SCHEMA = {
  description: 'What is masked in addition to the built-in rules, which cannot be turned off.',
  type: 'object',
  additionalProperties: false,
  properties: {
    names: rules('By member name: every string in such a member is masked.', 'names', {
      description:
        'Names such as `account_number`. A name matches every member name that contains its words as whole words, also in camel case.',
      type: 'array',
      minItems: 1,
      maxItems: 256,
      items: { type: 'string', pattern: '^[A-Za-z0-9]+([._ -][A-Za-z0-9]+)*$', maxLength: 64 },
    }),
    values: rules('By pattern: the matching part of a string is masked.', 'pattern', {
      description: 'RE2 pattern.',
      type: 'string',
      minLength: 1,
      maxLength: 1024,
    }),
    pointers: rules('By location: the whole value at that location is masked, whatever its type.', 'pointers', {
      description:
        'JSON Pointers into the proposal or the result report, such as `/action/parameters/customer/**`. `*` matches any text within a segment, `**` any text across segments.',
      type: 'array',
      minItems: 1,
      maxItems: 256,
      items: { type: 'string', pattern: PLACES, maxLength: 1024 },
    }),
  },
} as const;

/** What the schema cannot say. `path` leads to the place in the rules. */
export function maskingBreaches({ values = [] }: MaskingRules): { path: (string | number)[]; message: string }[] {
  const ids = values.map((value) => value.id);
  return values.flatMap((form, index) => {
    const message = breachOf(form, ids);
    return message === undefined ? [] : [{ path: ['values', index, 'pattern'], message }];
  });
}

function breachOf(form: SecretForm, ids: readonly string[]): string | undefined {
  try {
    Pattern.compile(form.pattern);
  } catch (error) {
    if (error instanceof CelError) return `The pattern is invalid: ${error.message}.`;
    throw error;
  }
  return findsTooMuch(form, ids)
    ? 'The pattern matches the empty string, or the text that replaces a masked secret. Make the pattern more specific.'
    : undefined;
}
