/** What answers about cost, carbon and trends have in common. */
export { type AnswerWarning, canonicalJson, type DatasetReference, type Envelope, engine, inputDigest } from './envelope.js';
