import { fileURLToPath } from 'node:url';

/** The packaged bundle of dev mode: reads are allowed, production needs an approval, destruction is denied. */
export const SAMPLE_BUNDLE = fileURLToPath(new URL('../../bundles/dev-sample', import.meta.url));
