import type { Json, JsonObject } from '../json/index.js';
import type { Envelope } from '../proposal/proposal.js';

/** What a bundle masks with, see the floor `masking`. */
export interface Masker {
  mask(value: Json): Json;
  maskSubmission(envelope: Envelope): { proposal: JsonObject; budget: JsonObject | null; mandate: JsonObject | null };
  refusals(envelope: Envelope): { path: string; message: string }[];
}
