/** The tags of core in the OpenAPI document, with what their routes have in common. Plugins describe their own. */
export const CORE_TAGS: { readonly [name: string]: string } = {
  evaluation: 'Evaluation of configurations.',
  rules: 'The rule catalogue.',
  scores: 'The history of scores.',
  service: 'The server itself.',
};
