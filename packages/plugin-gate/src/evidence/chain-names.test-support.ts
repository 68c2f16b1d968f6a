/** What chains for tests are called, and what their decisions are bound to. */
export const CHAIN_ID = '00000000-0000-4000-8000-000000000000';
export const BUNDLE_DIGEST = `sha256:${'ab'.repeat(32)}`;
export const INPUT_DIGEST = `sha256:${'cd'.repeat(32)}`;
