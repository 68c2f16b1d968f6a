import { hash } from 'node:crypto';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { barChart, CHART_STYLE } from '../chart/index.js';
import { type ChartPage, chartPage } from './chart-page.js';
import { STYLE } from './html-style.js';

const HOSTILE = '</td></style><script>alert(1)</script>"\'&\u202e\u0000';

const PAGE: ChartPage = {
  title: 'Cost of shop',
  notes: ['USD, UTC'],
  tiles: [{ value: '3', name: 'anomalies' }],
  sections: [
    {
      title: 'By service',
      paragraphs: ['The shop costs most.'],
      chart: barChart({ title: 'Cost', description: 'Cost by service.', unit: 'USD', bars: [{ name: 'shop', value: 10 }] }),
      table: {
        caption: 'Cost by service',
        columns: [
          { name: 'Service', kind: 'text' },
          { name: 'USD', kind: 'number' },
        ],
        rows: [['shop', '10']],
      },
    },
  ],
};

/** Names of elements and all text; a strict parser refuses what is not well-formed. */
function parse(page: string): { elements: string[]; text: string } {
  const found = { elements: [] as string[], text: '' };
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => found.elements.push(name));
  parser.on('text', (text) => {
    found.text += text;
  });
  parser.write(page).close();
  return found;
}

/** Every text of a value replaced by a hostile one. */
function hostile<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, (key, part) => (typeof part === 'string' && key !== 'chart' && key !== 'kind' ? HOSTILE : part)));
}

describe('a page of charts', () => {
  it('shows the title, notes, figures, charts and their tables', () => {
    const { elements, text } = parse(chartPage(PAGE));
    for (const part of ['Cost of shop', 'USD, UTC', 'anomalies', 'By service', 'The shop costs most.', 'shop'])
      expect(text).toContain(part);
    expect(elements.filter((name) => ['svg', 'table', 'figure'].includes(name))).toEqual(['figure', 'svg', 'table']);
  });

  it('shows every table of a section', () => {
    const table = { caption: 'Every day', columns: [{ name: 'Day', kind: 'key' as const }], rows: [['2026-01-01']] };
    const [section] = PAGE.sections;
    const { elements, text } = parse(chartPage({ ...PAGE, sections: section ? [{ ...section, tables: [table] }] : [] }));
    expect(elements.filter((name) => name === 'table')).toHaveLength(2);
    expect(text).toContain('2026-01-01');
  });

  it('shows hostile text as text', () => {
    const { elements, text } = parse(chartPage(hostile(PAGE)));
    expect(elements).toEqual(parse(chartPage(PAGE)).elements);
    expect(text).toContain('<script>alert(1)</script>');
    expect(text).not.toContain('\u202e');
  });

  it('needs nothing but itself: no script, nothing loaded, and a policy that names the digest of its style', () => {
    const page = chartPage(PAGE);
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    expect(page).toContain(`style-src 'sha256-${hash('sha256', style, 'base64')}'`);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/ style="| src="|<link|<script/);
  });

  it('folds long tables', () => {
    const rows = Array.from({ length: 40 }, (_, i) => [`service ${i}`, '1']);
    const [section] = PAGE.sections;
    const { elements } = parse(chartPage({ ...PAGE, sections: section?.table ? [{ ...section, table: { ...section.table, rows } }] : [] }));
    expect(elements).toContain('details');
  });
});

/** The colours of a block of custom properties. */
function colours(...blocks: (string | undefined)[]): Map<string, string> {
  return new Map([...blocks.join(';').matchAll(/--([\w-]+):(#[0-9a-f]+)/g)].map(([, name = '', colour = '']) => [name, colour]));
}

const PLAIN = /^:root\{([^}]*)\}/m;
const DARK = /prefers-color-scheme:dark\)\{:root\{([^}]*)\}/;
const PRINT = /@media print\{:root\{([^}]*)\}/;
const blockOf = (form: RegExp) => [STYLE, CHART_STYLE].map((style) => form.exec(style)?.[1]);

/** Contrast by WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */
function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const digits = colour.slice(1);
  const parts = digits.length === 3 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? []);
  const [red = 0, green = 0, blue = 0] = parts
    .map((part) => Number.parseInt(part, 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe.each([
  ['light', colours(...blockOf(PLAIN))],
  ['dark', colours(...blockOf(PLAIN), ...blockOf(DARK))],
  ['print', colours(...blockOf(PLAIN), ...blockOf(PRINT))],
])('colours in %s', (_media, known) => {
  const of = (name: string) => known.get(name) ?? '';

  it.each(['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'edge', 'axis', 'bad', 'good', 'text'])('let %s stand out by 3 to 1', (name) => {
    expect(contrast(of(name), of('panel'))).toBeGreaterThanOrEqual(3);
  });

  it.each(['text', 'dim'])('let text in %s be read: 4.5 to 1', (name) => {
    expect(contrast(of(name), of('panel'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of(name), of('bg'))).toBeGreaterThanOrEqual(4.5);
  });
});
