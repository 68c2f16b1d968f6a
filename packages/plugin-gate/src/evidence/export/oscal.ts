import { createHash } from 'node:crypto';
import type { StoredRecord } from '../record.js';
import { jsonlOf } from './jsonl.js';
import { DOCUMENT_END, documentHead, documentMiddle, documentOf, type OscalDocument, observation } from './oscal-parts.js';
import type { OscalSettings } from './oscal-settings.js';
import { surveyForOscal } from './oscal-survey.js';

/**
 * One OSCAL assessment-results document over a range of records: an observation per record, findings for the controls that
 * policies name, and the records themselves, so that the document can be verified. The same records and settings give the
 * same bytes.
 * @param records opens the range anew at each call; it is read three times, so that memory stays flat
 * @throws {Error} when the range changed while it was read (a record was erased)
 */
export async function* exportOscal(records: () => AsyncIterable<readonly StoredRecord[]>, settings: OscalSettings): AsyncGenerator<string> {
  const survey = await surveyForOscal(records(), settings);
  const document = documentOf(survey, settings);
  yield documentHead(document);
  if (survey.range.count > 0) yield* observations(records(), document);
  yield documentMiddle(document);
  if (survey.range.count > 0) {
    yield* base64(records(), survey.jsonlDigest);
    yield DOCUMENT_END;
  }
}

async function* observations(records: AsyncIterable<readonly StoredRecord[]>, document: OscalDocument): AsyncGenerator<string> {
  let separator = '';
  for await (const batch of records) {
    if (batch.length === 0) continue;
    yield separator + batch.map((record) => observation(record, document)).join(',\n');
    separator = ',\n';
  }
}

/** Base64 has no padding before its end, so each piece but the last is cut to a multiple of three bytes. */
async function* base64(records: AsyncIterable<readonly StoredRecord[]>, expectedDigest: string): AsyncGenerator<string> {
  const digest = createHash('sha256');
  let rest: Buffer = Buffer.alloc(0);
  for await (const batch of records) {
    const bytes = Buffer.from(jsonlOf(batch));
    digest.update(bytes);
    const all = Buffer.concat([rest, bytes]);
    const whole = all.length - (all.length % 3);
    rest = all.subarray(whole);
    if (whole > 0) yield all.toString('base64', 0, whole);
  }
  if (digest.digest('hex') !== expectedDigest) throw new Error('The records changed during the export.');
  if (rest.length > 0) yield rest.toString('base64');
}
