import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { type BandChart, type BarChart, bandChart, barChart, tornado } from './index.js';

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
}

/** The elements of a drawing; a strict parser refuses what broke out of its place. */
function parse(svg: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const last = open.at(-1);
    if (last) last.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.write(svg).close();
  return elements;
}

const styled = (elements: readonly Element[], style: string) =>
  elements.filter(({ attributes }) => attributes['class']?.split(' ').includes(style));
const texts = (elements: readonly Element[]) => elements.filter(({ name }) => name === 'text').map(({ text }) => text);

/** Every coordinate of every element, as places on the drawing. */
function placesOf({ name, attributes }: Element): { x: number; y: number }[] {
  const n = (key: string) => Number(attributes[key]);
  if (name === 'line') return [1, 2].map((i) => ({ x: n(`x${i}`), y: n(`y${i}`) }));
  if (name === 'circle') return [{ x: n('cx'), y: n('cy') }];
  if (name === 'rect')
    return [
      { x: n('x'), y: n('y') },
      { x: n('x') + n('width'), y: n('y') + n('height') },
    ];
  if (name === 'text') return [{ x: n('x'), y: n('y') }];
  if (name !== 'path') return [];
  return [...(attributes['d'] ?? '').matchAll(/[ML]([^,MLZ]+),([^,MLZ]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
}

function expectWhole(svg: string): void {
  const elements = parse(svg);
  const [, , width = 0, height = 0] = (elements[0]?.attributes['viewBox'] ?? '').split(' ').map(Number);
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  for (const { x, y } of elements.flatMap(placesOf)) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x).toBeLessThanOrEqual(width + 0.01);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThanOrEqual(height + 0.01);
  }
}

const days = (count: number) => Array.from({ length: count }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10));

const BANDS: BandChart = {
  title: 'Cost of shop',
  description: 'One day cost more than expected.',
  unit: 'USD per day',
  times: days(5),
  lines: [
    { name: 'actual', kind: 'actual', values: [100, 110, null, 240, 105] },
    { name: 'expected', kind: 'expected', values: [null, 105, 104, 106, 104] },
  ],
  bands: [{ name: 'usual range', lower: [null, 90, 91, 92, 90], upper: [null, 120, 121, 122, 120] }],
  marks: [{ index: 3, value: 240, label: '+134 USD', tone: 'bad' }],
  levels: [{ name: 'budget', value: 200 }],
  divider: { index: 3, name: 'end of the history' },
};

const BARS: BarChart = {
  title: 'Emissions by service',
  description: 'The shop emits most.',
  unit: 'kg CO2e',
  bars: [
    {
      name: 'shop',
      value: 30,
      low: 20,
      high: 45,
      parts: [
        { name: 'CPU', value: 20 },
        { name: 'memory', value: 10 },
      ],
    },
    { name: 'batch', value: 12 },
  ],
};

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('</svg><script>', '"\'&<>', '\ud800', 'm'.repeat(500)),
);
const anyNumber = fc.oneof(fc.double(), fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constantFrom(0, -0, 5e-324, 1e308, -1e308));
const anyTimes = fc.oneof(
  fc.integer({ min: 0, max: 8 }).map(days),
  fc.array(
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    { maxLength: 8 },
  ),
  fc
    .array(fc.date({ noInvalidDate: true }), { maxLength: 8 })
    .map((dates) => dates.toSorted((a, b) => a.getTime() - b.getTime()).map((date) => date.toISOString())),
  fc.array(hostile, { maxLength: 8 }),
);
const values = fc.array(fc.option(anyNumber), { maxLength: 9 });
const anyBands: fc.Arbitrary<BandChart> = fc.record(
  {
    title: hostile,
    description: hostile,
    unit: hostile,
    times: anyTimes,
    lines: fc.array(fc.record({ name: hostile, kind: fc.constantFrom('actual', 'expected', 'trend'), values }), { maxLength: 4 }),
    bands: fc.array(fc.record({ name: hostile, lower: values, upper: values }), { maxLength: 3 }),
    marks: fc.array(
      fc.record({
        index: fc.integer({ min: -1, max: 9 }),
        value: anyNumber,
        label: hostile,
        tone: fc.constantFrom('bad', 'good', 'neutral'),
      }),
      { maxLength: 5 },
    ),
    levels: fc.array(fc.record({ name: hostile, value: anyNumber }), { maxLength: 3 }),
    divider: fc.record({ index: fc.integer({ min: -1, max: 9 }), name: hostile }),
    range: fc.record({ low: anyNumber, high: anyNumber }),
  },
  { requiredKeys: ['title', 'description', 'unit', 'times', 'lines', 'bands', 'marks', 'levels'] },
);
const anyBars: fc.Arbitrary<BarChart> = fc.record({
  title: hostile,
  description: hostile,
  unit: hostile,
  bars: fc.array(
    fc.record(
      {
        name: hostile,
        value: anyNumber,
        low: anyNumber,
        high: anyNumber,
        parts: fc.array(fc.record({ name: hostile, value: anyNumber }), { maxLength: 9 }),
      },
      { requiredKeys: ['name', 'value'] },
    ),
    { maxLength: 6 },
  ),
});

describe('a chart of values over time', () => {
  it('is the same text for the same input', async () => {
    expect(bandChart(structuredClone(BANDS))).toBe(bandChart(BANDS));
    await expect(bandChart(BANDS)).toMatchFileSnapshot('testing/bands.svg');
  });

  it('has a role, a title and a description for readers that cannot see it', () => {
    const [svg, title, description] = parse(bandChart(BANDS));
    expect(svg?.attributes['role']).toBe('img');
    expect(svg?.attributes['aria-labelledby']).toBe(`${title?.attributes['id']} ${description?.attributes['id']}`);
    expect([title?.text, description?.text]).toEqual(['Cost of shop', 'One day cost more than expected.']);
  });

  it('names its lines, bands and levels, the unit, and what is marked', () => {
    expect(texts(parse(bandChart(BANDS)))).toEqual(
      expect.arrayContaining(['actual', 'expected', 'usual range', 'budget: 200', 'USD per day', 'end of the history', '+134 USD']),
    );
  });

  it('says day and time under a single instant', () => {
    const { title, description, unit } = BANDS;
    const one = { title, description, unit, bands: [], marks: [], levels: [] };
    const lines = [{ name: 'score', kind: 'actual' as const, values: [80] }];
    expect(texts(parse(bandChart({ ...one, times: ['2026-05-01T12:30:00.000Z'], lines })))).toContain('2026-05-01 12:30');
  });

  it('leaves gaps open, and draws a value between gaps as a dot', () => {
    const [, actual] = styled(parse(bandChart(BANDS)), 'c-actual'); // the first is the sample of the legend
    expect(actual?.attributes['d']?.match(/M/g)).toHaveLength(2);
    const alone = bandChart({ ...BANDS, lines: [{ name: 'actual', kind: 'actual', values: [null, 1, null, 2, 3] }] });
    expect(styled(parse(alone), 'c-dot')).toHaveLength(1);
  });

  it('keeps the highest and the lowest of many points, and no more points than show', () => {
    const count = 20_000;
    const noise = Array.from({ length: count }, (_, i) => (i === 7001 ? 900 : i === 9003 ? -900 : (i * 37) % 100));
    const chart = bandChart({
      ...BANDS,
      times: Array.from({ length: count }, (_, i) => new Date(i * 3_600_000).toISOString()),
      lines: [{ name: 'actual', kind: 'actual', values: noise }],
      bands: [{ name: 'band', lower: noise, upper: noise.map((value) => value + 10) }],
      marks: [],
      levels: [],
    });
    const [, path] = styled(parse(chart), 'c-actual');
    const heights = path ? placesOf(path).map(({ y }) => y) : [];
    expect(heights.length).toBeLessThan(4 * 960);
    const axis = styled(parse(chart), 'c-grid').map(({ attributes }) => Number(attributes['y1']));
    expect(Math.min(...heights)).toBeLessThan(Math.min(...axis) + 30);
    expect(Math.max(...heights)).toBeGreaterThan(Math.max(...axis) - 30);
    expect(chart.length).toBeLessThan(150_000);
  });

  it('lets no label of a mark lie over another, and says on pointing what had no room', () => {
    const marks = Array.from({ length: 5 }, (_, index) => ({
      index,
      value: 100,
      label: `a label of mark ${index} that is long`,
      tone: 'bad' as const,
    }));
    const elements = parse(bandChart({ ...BANDS, times: days(2000), marks }));
    const labels = styled(elements, 'c-label');
    expect(labels.length).toBeGreaterThan(0);
    const places = labels.map(({ attributes }) => `${attributes['y']}`);
    expect(new Set(places).size).toBe(labels.length);
    expect(elements.filter(({ name, text }) => name === 'title' && text.includes('a label of mark'))).toHaveLength(5);
  });

  it.each([
    ['days', days(10), /^\d+ Jan( 2026)?$/],
    ['months', Array.from({ length: 24 }, (_, i) => new Date(Date.UTC(2025, i)).toISOString()), /^[A-Z][a-z]{2}( \d{4})?$/],
    ['hours', Array.from({ length: 30 }, (_, i) => new Date(i * 3_600_000).toISOString()), /^(\d Jan)?( ?\d\d:00)?$/],
    ['years', Array.from({ length: 30 }, (_, i) => `${1990 + i}-01-01`), /^\d{4}$/],
  ])('labels %s on the axis of time so that they can be read', (_what, times, form) => {
    const chart = bandChart({
      ...BANDS,
      times,
      lines: [{ name: 'a', kind: 'actual', values: times.map((_, i) => i) }],
      bands: [],
      marks: [],
      levels: [],
    });
    const bottom = Math.max(...parse(chart).flatMap((element) => (element.name === 'text' ? [Number(element.attributes['y'])] : [])));
    const found = parse(chart).filter(({ name, attributes }) => name === 'text' && Number(attributes['y']) === bottom);
    expect(found.length).toBeGreaterThan(2);
    for (const { text } of found) expect(text).toMatch(form);
  });

  it('names no time within a bucket', () => {
    const lines = [{ name: 'a', kind: 'actual' as const, values: [1, 2, 3] }];
    const found = texts(parse(bandChart({ ...BANDS, times: days(3), lines, bands: [], marks: [], levels: [] })));
    expect(found.filter((text) => /Jan|:00/.test(text))).toEqual(['1 Jan 2026', '2 Jan', '3 Jan']);
  });

  it('keeps the label of the last point off its mark, in the widest of fonts', () => {
    const lines = [{ name: 'a', kind: 'actual' as const, values: days(90).map((_, i) => (i === 89 ? 9 : 1)) }];
    const marks = [{ index: 89, value: 9, label: '+1,553.56 USD', tone: 'bad' as const }];
    const elements = parse(bandChart({ ...BANDS, times: days(90), lines, bands: [], marks, levels: [] }));
    const [label] = styled(elements, 'c-label');
    const [mark] = styled(elements, 'c-mark').map((element) => placesOf(element).map(({ x }) => x));
    // Digits of DejaVu Sans Bold are 0.696 of its size wide.
    expect(Number(label?.attributes['x']) + 0.696 * 12 * (label?.text.length ?? 0)).toBeLessThanOrEqual(Math.min(...(mark ?? [0])));
  });

  it('lets an open band leave the drawing, so that lines are not flat beside it', () => {
    const chart = (open: boolean) =>
      bandChart({
        ...BANDS,
        times: days(4),
        lines: [{ name: 'a', kind: 'actual', values: [10, 20, 10, 20] }],
        bands: [{ name: 'usual', lower: [0, 9, 9, 9], upper: [900, 21, 21, 21], open }],
        ...{ marks: [], levels: [] },
      });
    expect(texts(parse(chart(false)))).toContain('800');
    expect(texts(parse(chart(true)))).toContain('25');
    expect(texts(parse(chart(true)))).not.toContain('50');
    expectWhole(chart(true));
  });

  it('does not go below zero for an open band, where no line does', () => {
    const lines = [{ name: 'a', kind: 'actual' as const, values: [30, 0, 0] }];
    const bands = [{ name: 'usual', lower: [20, -4, -4], upper: [40, 4, 4], open: true }];
    expect(
      texts(parse(bandChart({ ...BANDS, times: days(3), lines, bands, marks: [], levels: [] }))).filter((text) => text.startsWith('-')),
    ).toEqual([]);
  });

  it('is well-formed, and within its frame, whatever the input', () => {
    fc.assert(
      fc.property(anyBands, (spec) => expectWhole(bandChart(spec))),
      { numRuns: 150 },
    );
  });
});

describe('a chart of amounts by group', () => {
  it('is the same text for the same input', async () => {
    expect(barChart(structuredClone(BARS))).toBe(barChart(BARS));
    await expect(barChart(BARS)).toMatchFileSnapshot('testing/bars.svg');
  });

  it('says each amount with its range, and what its parts are', () => {
    expect(texts(parse(barChart(BARS)))).toEqual(
      expect.arrayContaining(['shop', '30 (20 to 45)', 'batch', '12', 'CPU', 'memory', 'kg CO2e']),
    );
  });

  it('cuts long names where they are alike, and shows their ends', () => {
    const name = (end: string) => `apps/Deployment/a-namespace-with-a-long-name/the-service-that-does-${end}`;
    const found = texts(parse(barChart({ ...BARS, bars: ['checkout', 'payment'].map((end) => ({ name: name(end), value: 1 })) })));
    expect(found.filter((text) => /^apps.*…/.test(text)).map((text) => text.slice(text.lastIndexOf('-')))).toEqual([
      expect.stringMatching(/^-checkout/),
      expect.stringMatching(/^-payment/),
    ]);
  });

  it('starts every bar at zero, and goes to the left for what is below', () => {
    const elements = parse(barChart({ ...BARS, bars: [-50, 100].map((value) => ({ name: `${value}`, value })) }));
    const [zero] = styled(elements, 'c-zero');
    const [below, above] = styled(elements, 'c-f1').map(({ attributes }) => [Number(attributes['x']), Number(attributes['width'])]);
    expect(above?.[0]).toBeCloseTo(Number(zero?.attributes['x1']), 1);
    expect((below?.[0] ?? 0) + (below?.[1] ?? 0)).toBeCloseTo(Number(zero?.attributes['x1']), 1);
    expect((above?.[1] ?? 0) / (below?.[1] ?? 1)).toBeCloseTo(2, 1);
  });

  it('puts parts beyond the sixth together, and counts bars beyond the fortieth', () => {
    const parts = Array.from({ length: 10 }, (_, i) => ({ name: `part ${i}`, value: 10 - i }));
    const bars = Array.from({ length: 45 }, (_, i) => ({ name: `bar ${i}`, value: 55, parts }));
    const shown = texts(parse(barChart({ ...BARS, bars })));
    expect(shown).toEqual(expect.arrayContaining(['part 0', 'part 4', '5 others', 'bar 39', 'and 5 more']));
    expect(shown).not.toContain('bar 40');
  });

  it('is well-formed, and within its frame, whatever the input', () => {
    fc.assert(
      fc.property(anyBars, (spec) => expectWhole(barChart(spec))),
      { numRuns: 150 },
    );
  });
});

describe('a chart of what makes a result uncertain', () => {
  const spec = {
    title: 'Uncertainty',
    description: 'The grid matters most.',
    unit: 'kg CO2e',
    value: 100,
    causes: [
      { name: 'hours', low: 95, high: 104 },
      { name: 'grid intensity', low: 150, high: 60 },
    ],
  };

  it('puts the strongest cause first, with the ends of the result', () => {
    const shown = texts(parse(tornado(spec)));
    expect(shown.filter((text) => / to /.test(text))).toEqual(['60 to 150', '95 to 104']);
    expect(shown).toContain('estimate: 100');
  });

  it('shows a dash for an estimate that is no number', () => {
    const spec = { title: '', description: '', unit: '', causes: [] };
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) expect(texts(parse(tornado({ ...spec, value })))).toContain('estimate: –');
  });

  it('parts each bar at the estimate', () => {
    const elements = parse(tornado(spec));
    const [line] = styled(elements, 'c-range');
    const x = Number(line?.attributes['x1']);
    for (const { attributes } of styled(elements, 'c-f2')) expect(Number(attributes['x'])).toBeCloseTo(x, 1);
    for (const { attributes } of styled(elements, 'c-f1')) expect(Number(attributes['x']) + Number(attributes['width'])).toBeCloseTo(x, 1);
  });

  it('is well-formed, and within its frame, whatever the input', () => {
    const any = fc.record({
      title: hostile,
      description: hostile,
      unit: hostile,
      value: anyNumber,
      causes: fc.array(fc.record({ name: hostile, low: anyNumber, high: anyNumber }), { maxLength: 6 }),
    });
    fc.assert(
      fc.property(any, (one) => expectWhole(tornado(one))),
      { numRuns: 100 },
    );
  });
});
