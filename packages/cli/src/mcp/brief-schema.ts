type Schema = { readonly [keyword: string]: unknown };

/** Levels of members that a description for agents shows. */
const DEPTH = 2;

/** Characters of a sentence that is long. */
const LONG = 80;

/** Values of an enumeration that are shown. */
const MOST_CHOICES = 12;

/** Members of an object within an argument that are shown: with more, its description must do. */
const MOST_MEMBERS = 8;

/**
 * A schema as an agent needs it to write arguments: names, types and one sentence each. Agents pay for every word of it in each conversation, and
 * arguments are checked against the whole schema anyway; the error says what is wrong with them and where.
 * @param hidden members that are accepted, and not for agents
 */
export function briefSchema(
  { properties, required }: Schema,
  hidden: readonly string[] = [],
): { type: 'object'; [keyword: string]: unknown } {
  const shown = Object.fromEntries(Object.entries(schemaOf(properties)).filter(([name]) => !hidden.includes(name)));
  return { type: 'object', properties: briefMembers(shown, DEPTH), ...(required !== undefined && { required }) };
}

function briefMembers(properties: unknown, depth: number): object {
  return Object.fromEntries(Object.entries(schemaOf(properties)).map(([name, schema]) => [name, brief(schemaOf(schema), depth)]));
}

function brief(schema: Schema, depth: number): object {
  const { type, description, items, properties, oneOf, anyOf = oneOf } = schema;
  const isTop = depth === DEPTH;
  const choices = schema.enum;
  return {
    ...(isTop && typeof description === 'string' && { description: firstSentence(description) }),
    ...(type !== undefined && { type }),
    ...(isTop && Array.isArray(choices) && choices.length <= MOST_CHOICES && { enum: choices }),
    ...(isTop && 'default' in schema && { default: schema.default }),
    ...(Array.isArray(anyOf) && anyOf.every(hasType) && { anyOf: anyOf.map((one) => brief(schemaOf(one), 0)) }),
    ...(items !== undefined && { items: brief(schemaOf(items), depth - 1) }),
    ...(depth > 0 && Object.keys(schemaOf(properties)).length <= MOST_MEMBERS && nestedMembers(schema, depth)),
  };
}

function nestedMembers({ properties, required }: Schema, depth: number): object {
  if (properties === undefined) return {};
  return { properties: briefMembers(properties, depth - 1), ...(required !== undefined && { required }) };
}

function hasType(schema: unknown): boolean {
  return 'type' in schemaOf(schema);
}

function schemaOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}; // what is below a keyword of our schemas
}

/** The first sentence, or of a long one its first part. A stop of an abbreviation or a number ends no sentence. */
export function firstSentence(text: string): string {
  const sentence = /^.*?[.?!](?= [A-Z`]|$)/s.exec(text)?.[0] ?? text;
  const part = /^.{25,}?(?=[:;])/s.exec(sentence)?.[0];
  return sentence.length > LONG && part !== undefined ? `${part}.` : sentence;
}
