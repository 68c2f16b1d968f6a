import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MODES } from '../../config/webhook-section.js';
import { OPERATIONS } from './admission-review.js';
import { deploymentOf, PRIVILEGED, podOf, reviewerOf } from './review.test-support.js';
import { reviewBody } from './review-body.js';
import { MAX_WARNING, MAX_WARNINGS } from './warnings.js';

const reviewer = reviewerOf();
const envelope = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };

function answerTo(value: unknown, settings = reviewer) {
  const body = new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
  const answer = reviewBody(body, undefined, settings);
  return answer.type === 'reviewed' ? { ...answer, review: JSON.parse(answer.text) as { response: Response } } : answer;
}

interface Response {
  uid: string;
  allowed: boolean;
  status?: { message: string };
  warnings?: string[];
}

describe('the body of a request', () => {
  it.each([[''], ['{'], ['\u0000'], ['{"a":1}x']])('%j is no JSON', (text) => {
    expect(answerTo(text)).toEqual({ type: 'refused', problem: 'invalid-json', errors: [] });
  });

  it('is UTF-8', () => {
    expect(reviewBody(new Uint8Array([0x22, 0xff, 0x22]), undefined, reviewer)).toMatchObject({ problem: 'invalid-json' });
  });

  it.each<[unknown, string, string]>([
    [null, '', 'must be object'],
    [[], '', 'must be object'],
    [{}, '', 'must have the member apiVersion'],
    [{ ...envelope, apiVersion: 'admission.k8s.io/v1beta1', request: { uid: 'a' } }, '/apiVersion', 'must be one of admission.k8s.io/v1'],
    [{ ...envelope, kind: 'Pod', request: { uid: 'a' } }, '/kind', 'must be one of AdmissionReview'],
    [envelope, '', 'must have the member request'],
    [{ ...envelope, request: null }, '/request', 'must be object'],
    [{ ...envelope, request: {} }, '/request', 'must have the member uid'],
    [{ ...envelope, request: { uid: 7 } }, '/request/uid', 'must be string'],
    [{ ...envelope, request: { uid: '' } }, '/request/uid', 'must have at least 1 character'],
    [{ ...envelope, request: { uid: 'x'.repeat(129) } }, '/request/uid', 'must have at most 128 characters'],
  ])('%j cannot be answered, and says why', (value, path, message) => {
    expect(answerTo(value)).toEqual({ type: 'refused', problem: 'schema', errors: [{ path, message }] });
  });

  it.each<[object, RegExp]>([
    [{}, /must have the member operation/],
    [{ operation: 'PATCH', kind: { kind: 'Pod' } }, /operation must be one of CREATE, UPDATE, DELETE, CONNECT/],
    [{ operation: 'CREATE' }, /must have the member kind/],
    [{ operation: 'CREATE', kind: 'Pod' }, /kind must be object/],
    [{ operation: 'CREATE', kind: { kind: 'Pod' }, object: 'secret-text' }, /object must be object,null/],
    [{ operation: 'CREATE', kind: { kind: 'Pod' }, object: [] }, /object must be object,null/],
    [{ operation: 'CREATE', kind: { kind: 'Pod' }, object: null }, /has no object, which every CREATE request must have/],
    [{ operation: 'UPDATE', kind: { kind: 'Pod' } }, /has no object, which every UPDATE request must have/],
    [{ operation: 'CREATE', kind: { kind: 'Pod' }, object: {}, dryRun: 'yes' }, /dryRun must be boolean,null/],
    [{ operation: 'CREATE', kind: { kind: 'Pod' }, object: {} }, /no apiVersion and no kind/],
  ])('with the request %j is answered with its uid, and denied unless the configuration says otherwise', (request, why) => {
    const value = { ...envelope, request: { uid: 'abc', ...request } };
    const denied = answerTo(value);
    expect(denied).toMatchObject({ review: { response: { uid: 'abc', allowed: false, status: { message: expect.stringMatching(why) } } } });
    expect(JSON.stringify(denied)).not.toContain('secret-text');
    expect(answerTo(value, reviewerOf({ unjudged: 'allowed' }))).toMatchObject({ review: { response: { uid: 'abc', allowed: true } } });
  });

  it('may leave out what API servers leave out, and hold what is not known here', () => {
    const request = {
      uid: 'a',
      kind: { kind: 'Pod', more: 1 },
      operation: 'CREATE',
      object: podOf([PRIVILEGED]),
      requestKind: {},
      options: null,
      more: {},
    };
    expect(answerTo({ ...envelope, more: 1, request })).toMatchObject({ review: { response: { allowed: false } } });
  });
});

describe('any JSON', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const metadata = fc.record(
    { name: json, namespace: json, ownerReferences: json, deletionTimestamp: json, annotations: json, managedFields: json },
    { requiredKeys: [] },
  );
  const real = fc.constantFrom(podOf([PRIVILEGED]), deploymentOf([PRIVILEGED]));
  const object = fc.oneof(
    json,
    real,
    fc.tuple(real, metadata, json).map(([one, meta, spec]) => ({ ...one, metadata: meta, spec })),
  );
  const request = fc.record(
    {
      uid: fc.string({ minLength: 1, maxLength: 128, unit: 'grapheme' }).filter((uid) => uid.length <= 128),
      operation: fc.oneof(fc.constantFrom(...OPERATIONS), json),
      kind: fc.oneof(fc.record({ kind: fc.constantFrom('Pod', 'Deployment', 'Namespace') }), json),
      subResource: fc.oneof(fc.constantFrom('', 'status', 'ephemeralcontainers'), json),
      namespace: fc.oneof(fc.constantFrom('', 'shop'), json),
      name: json,
      userInfo: fc.oneof(json, fc.constant({ username: 'system:kube-controller-manager' })),
      object,
      oldObject: object,
      dryRun: json,
    },
    { requiredKeys: ['uid'] },
  );

  it('as the request of a review is answered with its uid, within the bounds', () => {
    fc.assert(
      fc.property(request, fc.constantFrom(undefined, ...MODES), (given, mode) => {
        const answer = reviewBody(new TextEncoder().encode(JSON.stringify({ ...envelope, request: given })), mode, reviewer);
        if (answer.type === 'refused') throw new Error('refused');
        const { response } = JSON.parse(answer.text) as { response: Response };
        expect(response.uid).toBe(given.uid);
        expect(response.allowed || response.status !== undefined).toBe(true);
        if (mode === 'warn' || mode === 'audit') expect(response.allowed).toBe(true);
        const { warnings = [] } = response;
        expect(warnings.every((line) => line.length <= MAX_WARNING)).toBe(true);
        expect(warnings.join('').length).toBeLessThanOrEqual(MAX_WARNINGS);
      }),
      { numRuns: 300 },
    );
  });

  it('as a body is answered or refused', () => {
    fc.assert(
      fc.property(fc.oneof(json, fc.record({ apiVersion: json, kind: json, request: json })), (value) => {
        expect(['reviewed', 'refused']).toContain(answerTo(value).type);
      }),
      { numRuns: 300 },
    );
  });
});
