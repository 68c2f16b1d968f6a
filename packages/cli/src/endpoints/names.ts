/** A name in a query. */
export const NAME = { type: 'string', minLength: 1, maxLength: 200 } as const;

/** Names in a query: several parameters of one name. */
export const names = (description: string) => ({
  description: `${description} Repeat the parameter to allow several values.`,
  type: 'array',
  maxItems: 100,
  items: NAME,
});
