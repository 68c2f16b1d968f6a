import type { Json } from '../../json/index.js';
import type { StoredRecord } from '../record.js';
import { readHeader } from '../record-line.js';
import { uuidsWithin } from '../uuid.js';
import { type OscalSettings, oneLine, settingsText } from './oscal-settings.js';
import { type ControlOutcome, type OscalSurvey, observationName } from './oscal-survey.js';
import { recordFacts } from './record-facts.js';

/**
 * The parts of an assessment-results document. Members are written in the order that they have here, and
 * `verifier/verify_evidence.py` writes the same: whoever changes one changes both.
 */

/** Of our properties. */
const NAMESPACE = 'https://svc.invalid/ns/oscal';

/** Before this stands the base64 of the records, and nowhere else in a document: quotes within texts are escaped. */
export const EVIDENCE_MARK = '"media-type":"application/x-ndjson","value":"';

/** Before this stands the text of the settings, as the content of a JSON string. */
export const SETTINGS_MARK = `{"name":"export-settings","ns":"${NAMESPACE}","value":`;

/** A document that is being written: what it says, and the identifiers of its parts. */
export interface OscalDocument {
  survey: OscalSurvey;
  settings: OscalSettings;
  id(name: string): string;
  /** Of the resource that holds the records. */
  evidenceId: string;
  /** By reporter; the gate itself is null. */
  componentIds: ReadonlyMap<string | null, string>;
}

/** @throws {TypeError} when the chain's identifier is not a UUID */
export function documentOf(survey: OscalSurvey, settings: OscalSettings): OscalDocument {
  const id = uuidsWithin(settings.chain_id);
  const reporters = survey.reporters.map((reporter) => [reporter, id(`component/${reporter}`)] as const);
  return {
    survey,
    settings,
    id,
    evidenceId: id(`resource/${rangeName(survey)}`),
    componentIds: new Map([[null, id('component')], ...reporters]),
  };
}

/** Everything before the list of observations. */
export function documentHead(document: OscalDocument): string {
  const { survey, settings, id } = document;
  const { first, last } = survey.range;
  const at = last?.time ?? EPOCH;
  const documentId = id(`document/${rangeName(survey)}`);
  const metadata = {
    title: `Evidence of the action proposal gate: ${rangeTitle(survey)} of chain ${settings.chain_id}`,
    'last-modified': at,
    version: last?.hash.slice(0, 12) ?? 'empty',
    'oscal-version': settings.version,
    parties: [{ uuid: id('party/service'), type: 'organization', name: 'Operator of the action proposal gate' }],
  };
  const result = {
    uuid: id(`result/${rangeName(survey)}`),
    title: `Decisions of the gate: ${rangeTitle(survey)}`,
    description:
      'What the gate decided of proposed actions, what adapters reported of them, and what administrators did, one observation per record.',
    start: first?.time ?? EPOCH,
    end: at,
    props: resultProps(survey, settings),
    'local-definitions': { components: [...document.componentIds].map(([reporter, uuid]) => component(reporter, uuid)) },
    'reviewed-controls': { 'control-selections': [controlSelection(settings)] },
  };
  const importAp = { href: `#${id('resource/no-plan')}`, remarks: 'The gate works without an assessment plan.' };
  return (
    `{"assessment-results":{\n"uuid":${json(documentId)},\n"metadata":${json(metadata)},\n"import-ap":${json(importAp)},\n` +
    `"results":[${json(result).slice(0, -1)}${survey.range.count === 0 ? '' : ',\n"observations":[\n'}`
  );
}

/** One observation, without anything around it. */
export function observation(record: StoredRecord, document: OscalDocument): string {
  const { survey, id, evidenceId, componentIds } = document;
  const header = readHeader(record);
  const facts = recordFacts(header.type, record.data === null ? null : (JSON.parse(record.data) as Json));
  const told = facts.effectiveDecision === undefined ? '' : `: verdict ${facts.decision}, told ${facts.effectiveDecision}`;
  return json({
    uuid: id(observationName(record)),
    title: `Record ${header.seq} (${header.type})`,
    description: `Record ${header.seq} of the type ${header.type}, reported by ${oneLine(header.reported_by)}${told}.`,
    props: props({
      seq: String(header.seq),
      hash: record.hash,
      'record-type': header.type,
      dev: header.dev ? 'true' : undefined,
      erased: record.data === null ? 'true' : undefined,
      'proposal-id': facts.proposalId,
      decision: facts.decision,
      enforced: facts.enforced === undefined ? undefined : String(facts.enforced),
      'effective-decision': facts.effectiveDecision,
      approval: facts.approvalId,
      status: facts.resultStatus,
      assurance: header.assurance,
      'contradicts-verdict': facts.contradictsVerdict === undefined ? undefined : String(facts.contradictsVerdict),
      'bundle-digest': facts.bundleDigest,
    }),
    methods: [header.type === 'verdict' ? 'TEST' : 'EXAMINE'],
    types: ['control-objective'],
    subjects: [subject(componentIds.get(header.reported_by) ?? '', facts)],
    'relevant-evidence': [
      {
        href: `#${evidenceId}`,
        description: `Line ${header.seq - (survey.range.first?.seq ?? 0) + 1} of the embedded records.`,
      },
    ],
    collected: header.time,
  });
}

/** Everything between the observations and the base64 of the records, or the whole rest when there are none. */
export function documentMiddle(document: OscalDocument): string {
  const { survey, settings, id, evidenceId } = document;
  const findings = [...survey.controls].map(([control, outcome]) =>
    finding(control, outcome, id(`finding/${control}/${rangeName(survey)}`)),
  );
  const remarks = `This document speaks of ${rangeTitle(survey)} of the chain, and of nothing else.${
    settings.next_from === null ? '' : ` It was cut: export on from ${settings.next_from}.`
  }`;
  const noPlan = {
    uuid: id('resource/no-plan'),
    title: 'No assessment plan',
    description: 'The gate judges every proposed action as it comes. There is no assessment plan that these results follow.',
  };
  const end = `${findings.length === 0 ? '' : `,\n"findings":${json(findings)}`},\n"remarks":${json(remarks)}}],\n`;
  const backMatter = `"back-matter":{"resources":[\n${json(noPlan)}`;
  if (survey.range.count === 0) return `${end}${backMatter}${DOCUMENT_END.slice(3)}`;
  const evidence = {
    uuid: evidenceId,
    title: 'The records',
    description: 'The records of the range, one per line, hash-linked and signed. This document can be verified with them.',
    props: props({ 'sha-256': survey.jsonlDigest }),
    base64: { filename: 'evidence.jsonl', 'media-type': 'application/x-ndjson', value: '' },
  };
  return `\n]${end}${backMatter},\n${json(evidence).slice(0, -'"}}'.length)}`;
}

/** Everything after the base64. */
export const DOCUMENT_END = '"}}\n]}}}\n';

const EPOCH = '1970-01-01T00:00:00.000Z';

/** Names a range and what is in it. */
function rangeName({ range: { first, last } }: OscalSurvey): string {
  return first === null || last === null ? 'empty' : `${first.seq}-${last.seq}/${last.hash}`;
}

function rangeTitle({ range: { first, last } }: OscalSurvey): string {
  return first === null || last === null ? 'no records' : `records ${first.seq} to ${last.seq}`;
}

function resultProps({ range: { first, last, brokenAt } }: OscalSurvey, settings: OscalSettings) {
  return [
    ...props({
      'chain-id': settings.chain_id,
      from: first === null ? undefined : String(first.seq),
      to: last === null ? undefined : String(last.seq),
      'first-prev-hash': first?.prevHash,
      'last-hash': last?.hash,
      verifiable: String(brokenAt === null && first !== null),
      'next-from': settings.next_from === null ? undefined : String(settings.next_from),
      head: settings.head === undefined ? undefined : String(settings.head),
      'system-id': settings.system_id ?? undefined,
    }),
    { name: 'export-settings', ns: NAMESPACE, value: settingsText(settings) },
  ];
}

/** @param reporter null for the gate itself */
function component(reporter: string | null, uuid: string) {
  return {
    uuid,
    type: reporter === null ? 'software' : 'service',
    title: reporter === null ? 'Action proposal gate' : `Reporter ${oneLine(reporter)}`,
    description:
      reporter === null
        ? 'Decides of proposed actions, and keeps the evidence.'
        : 'Submits proposals, reports results, or administers the gate.',
    status: { state: 'operational' },
  };
}

function controlSelection({ controls }: OscalSettings) {
  if (controls.length === 0) return { description: 'No controls are configured.', 'include-all': {} };
  return { 'include-controls': controls.map((control) => ({ 'control-id': control })) };
}

function subject(uuid: string, facts: ReturnType<typeof recordFacts>) {
  const about = props({ resource: facts.resource, action: facts.actionType, environment: facts.environment });
  return {
    'subject-uuid': uuid,
    type: 'component',
    ...(about.length > 0 && { props: about }),
  };
}

function finding(control: string, outcome: ControlOutcome, uuid: string) {
  const { verdicts, failures, observations } = outcome;
  return {
    uuid,
    title: `Control ${control}`,
    description: `Verdicts of policies that name this control: ${verdicts}. Denials that were not enforced, and results that contradict a verdict: ${failures}.`,
    target: { type: 'objective-id', 'target-id': `${control}_obj`, status: { state: failures > 0 ? 'not-satisfied' : 'satisfied' } },
    ...(observations.length > 0 && { 'related-observations': observations.map((uuid) => ({ 'observation-uuid': uuid })) }),
  };
}

/** Our properties, without those that have no value: OSCAL has no empty ones. */
function props(values: { [name: string]: string | undefined }): { name: string; ns: string; value: string }[] {
  return Object.entries(values)
    .map(([name, value]) => ({ name, ns: NAMESPACE, value: oneLine(value ?? '') }))
    .filter(({ value }) => value !== '');
}

function json(value: unknown): string {
  return JSON.stringify(value);
}
