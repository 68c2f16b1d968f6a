import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { bandChart, standalone } from './index.js';

const chart = bandChart({
  title: 'Cost of <shop>',
  description: 'One day "cost" more.',
  unit: 'USD per day',
  times: ['2026-01-01', '2026-01-02', '2026-01-03'],
  lines: [{ name: 'actual', kind: 'actual', values: [1, 5, 2] }],
  bands: [{ name: 'usual range', lower: [0, 1, 1], upper: [2, 3, 3] }],
  marks: [{ index: 1, value: 5, label: '+3', tone: 'bad' }],
  levels: [],
});

describe('a chart that stands alone', () => {
  it('is a document of SVG that draws the same', () => {
    const names: string[] = [];
    const parser = new SaxesParser({ xmlns: true });
    parser.on('opentag', ({ name, uri }) => {
      names.push(name);
      expect(uri).toBe('http://www.w3.org/2000/svg');
    });
    parser.write(standalone(chart)).close();
    expect(names.slice(0, 4)).toEqual(['svg', 'style', 'title', 'desc']);
    expect(standalone(chart)).toContain(chart.slice(chart.indexOf('<title')));
  });

  it('brings every colour that it uses, in light and dark, and needs no page and no variables', () => {
    const text = standalone(chart);
    expect(text).not.toMatch(/var\(|currentColor|:root|figure|<script|url\(/);
    for (const [, names = ''] of chart.matchAll(/class="([^"]+)"/g))
      for (const name of names.split(' ').filter((one) => one !== 'c-line')) expect(text.split(`.${name}`).length).toBeGreaterThan(2);
  });
});
