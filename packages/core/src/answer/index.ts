/** What answers about cost, carbon and trends have in common. */
export { type AnswerWarning, canonicalJson, type DatasetReference, type Envelope, inputDigest } from './envelope.js';
