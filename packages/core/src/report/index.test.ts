import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventsOf, FORMATS, REPORTERS, reportOf, resourceName } from './index.js';
import { CONTEXT, EVERYTHING, eventsAt, finding, HOSTILE_NAMES, hostileRun, reported, run, SCAN } from './testing/run.test-support.js';

const ALL = FORMATS.map((format) => [format, REPORTERS[format].report] as const);

describe.each(ALL)('the %s report', (format, report) => {
  it('is the same bytes however the findings are batched', async () => {
    const subject = run([...EVERYTHING.findings, ...hostileRun().findings], { errors: EVERYTHING.errors });
    const whole = await reported(report, subject);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(subject.findings.length), { maxLength: 8 }), async (cuts) => {
        expect(await reported(report, subject, {}, cuts)).toBe(whole);
      }),
      { numRuns: 50 },
    );
  });

  it('is the same bytes for a report that went over the network', async () => {
    const overTheWire = JSON.parse(JSON.stringify(await reportOf(eventsAt(EVERYTHING, [2, 3]))));
    let written = '';
    await report(
      eventsOf(overTheWire),
      {
        write: (chunk) => {
          written += chunk;
        },
      },
      CONTEXT,
    );
    expect(written).toBe(await reported(report, EVERYTHING));
  });

  it('waits for a slow reader before it writes more', async () => {
    let writing = false;
    let writes = 0;
    const write = async () => {
      expect(writing).toBe(false);
      writing = true;
      await new Promise(setImmediate);
      writing = false;
      writes += 1;
    };
    await report(eventsAt(EVERYTHING, [1, 2, 3]), { write }, CONTEXT);
    expect(writing).toBe(false);
    expect(writes).toBeGreaterThan(0);
  });

  it('ends with an error, not with half a report, if the run does not end', async () => {
    const cut = async function* () {
      for await (const event of eventsAt(EVERYTHING)) if (event.type === 'findings') yield event;
    };
    await expect(report(cut(), { write: () => {} }, CONTEXT)).rejects.toMatchObject({ code: 'internal' });
  });

  it('says something about a run without findings, and about one with nothing but errors', async () => {
    const empty = await reported(report, run([]));
    const broken = await reported(report, run([], { errors: EVERYTHING.errors }));
    expect(empty.endsWith('\n')).toBe(true);
    expect(broken).toContain('broken.yaml');
    expect(broken).toContain('A tab stands where indentation is expected');
  });

  it('survives any text of the input', async () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.constantFrom(...HOSTILE_NAMES));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 4 }), async (names) => {
        const written = await reported(report, hostileRun(names));
        if (REPORTERS[format].mediaType.includes('json')) expect(() => JSON.parse(written)).not.toThrow();
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
        else expect(written).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a run that did not check everything', () => {
  const subject = run([]);
  subject.summary.unchecked = [
    { kind: 'ClusterRole', count: 2 },
    { kind: 'argoproj.io/Rollout', count: 1 },
  ];
  subject.notes = [{ code: 'category-not-installed', message: 'No rule of category NS (Network) is installed.', count: 1, first: ['NS'] }];

  // Code Quality has no place for what is not an issue.
  it.each(FORMATS.filter((format) => format !== 'gitlab'))('says so, as %s', async (format) => {
    const written = await reported(REPORTERS[format].report, subject);
    for (const part of ['ClusterRole', 'argoproj.io/Rollout', 'No rule of category NS']) expect(written).toContain(part);
  });

  it.each(FORMATS)('cannot be broken out of by the name of a kind, as %s', async (format) => {
    const hostile = run([]);
    hostile.summary.unchecked = HOSTILE_NAMES.map((kind) => ({ kind, count: 1 }));
    hostile.notes = HOSTILE_NAMES.map((message) => ({ code: 'category-not-installed', message, count: 1, first: [message] }));
    const written = await reported(REPORTERS[format].report, hostile);
    if (REPORTERS[format].mediaType.includes('json')) expect(() => JSON.parse(written)).not.toThrow();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    else expect(written).not.toMatch(/[\u001b\u009b\u202e]|^::(?:error file=x|warning)/m);
    if (format === 'html' || format === 'markdown') expect(written).not.toMatch(/[^\\]<script|[^\\]<img/);
  });
});

describe('a run that says more than its findings', () => {
  it('is the same JSON when it went over the network', async () => {
    const overTheWire = JSON.parse(JSON.stringify(await reportOf(eventsAt(SCAN))));
    expect(overTheWire.cluster).toEqual({ version: 'v1.34.1', context: 'dev' });
    const written: string[] = [];
    await REPORTERS.json.report(eventsOf(overTheWire), { write: (chunk) => void written.push(chunk) }, CONTEXT);
    expect(written.join('')).toBe(await reported(REPORTERS.json.report, SCAN));
  });

  it.each(['text', 'markdown', 'html'] as const)('tells people where it came from, as %s, and does not mention files', async (format) => {
    const written = await reported(REPORTERS[format].report, SCAN);
    expect(written).toContain('Cluster dev');
    expect(written).toContain('all namespaces');
    expect(written).not.toMatch(/Where<|\| Where \| Resource|no file|Without a file/);
  });

  it('is not broken out of by the name of a cluster', async () => {
    const hostile = { ...SCAN, about: [...HOSTILE_NAMES] };
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(await reported(REPORTERS.text.report, hostile)).not.toMatch(/[\u001b\u009b\u202e]/);
    expect(await reported(REPORTERS.markdown.report, hostile)).not.toMatch(/[^\\]<script|[^\\]<img/);
    expect(await reported(REPORTERS.html.report, hostile)).not.toMatch(/<script|<img/);
  });
});

describe('a report of very many findings', () => {
  it.each(['text', 'markdown', 'html', 'github'] as const)('stays short as %s, unless it is critical', async (format) => {
    const findings = Array.from({ length: 20_000 }, (_, i) =>
      finding(i % 2 === 0 ? 'CS-002' : 'RL-004', { location: { file: `f${i}.yaml`, line: 1, column: 1 } }),
    );
    const written = await reported(REPORTERS[format].report, run(findings), {}, [5_000]);
    expect(written.length).toBeLessThan(format === 'html' ? 1_000_000 : 60_000);
    expect(written).toContain('10,000');
  });
});

describe('the name of a resource', () => {
  it.each([
    [{ api_version: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' }, 'Deployment shop/web'],
    [{ api_version: 'v1', kind: 'Namespace', namespace: null, name: 'shop' }, 'Namespace shop'],
    [{ api_version: 'terraform', kind: 'aws_s3_bucket', namespace: null, name: 'aws_s3_bucket.a' }, 'aws_s3_bucket.a'],
    [{ api_version: 'argoproj.io/v1alpha1', kind: 'Workflow', namespace: 'shop', name: '' }, 'Workflow shop/(unnamed)'],
    [{ api_version: 'apps/v1', kind: 'Deployment', namespace: null, name: '' }, 'Deployment (unnamed)'],
    [{ api_version: 'audit.k8s.io/v1', kind: 'Policy', namespace: null, name: '' }, 'audit.k8s.io/Policy'],
    [{ api_version: 'kops.k8s.io/v1alpha2', kind: 'Cluster', namespace: null, name: 'prod' }, 'Cluster prod'],
  ])('%j is %s', (resource, expected) => {
    expect(resourceName(resource)).toBe(expected);
  });
});
