import { CHART_STYLE } from '../chart/index.js';
import { pageOpening, shown } from './html-page.js';
import { STYLE } from './html-style.js';
import { number } from './wording.js';

/** A page of charts, each with the table of its numbers. Texts are plain: the page escapes them. */
export interface ChartPage {
  title: string;
  /** Lines under the title, such as what was read and by which version. */
  notes?: readonly string[];
  /** The figures that matter most. */
  tiles?: readonly { value: string; name: string }[];
  sections: readonly ChartSection[];
}

export interface ChartSection {
  title: string;
  paragraphs?: readonly string[];
  /** What `bandChart` or `barChart` made. */
  chart?: string;
  table?: ChartTable;
  /** What follows below it, such as every value of the chart. */
  tables?: readonly ChartTable[];
}

export interface ChartTable {
  /** What the table holds; also the line that opens it where it is long. */
  caption: string;
  columns: readonly { name: string; kind: 'text' | 'key' | 'number' }[];
  rows: readonly (readonly string[])[];
}

/** Longer tables are folded. */
const SHORT = 15;

const MAX_ROWS = 5_000;

const PAGE_STYLE = `${STYLE}${CHART_STYLE}
header>div{min-width:0}
h1,h2,header p,section>p,.tiles,summary{overflow-wrap:anywhere}
section{overflow-x:auto}
section figure{margin:0 0 14px}
.t{min-width:160px}
.folded{padding:0 16px}
.folded[open]{padding-bottom:8px}
table+table,table+.folded{margin-top:16px}
.folded>summary{padding:11px 0}
caption{text-align:left;color:var(--dim);font-size:13px;padding:0 0 6px}
@media print{section{overflow:visible}table{font-size:12px}th,caption{font-size:11px}.folded{break-inside:auto;padding-bottom:8px}.folded td{padding:2px 12px 2px 0;font-size:11px}h2,caption{break-after:avoid}}
`;

/** One HTML page that needs nothing else, readable without script, in light and dark, and on paper; well-formed XML, too. */
export function chartPage({ title, notes = [], tiles = [], sections }: ChartPage): string {
  const figures = tiles.map(({ value, name }) => `<li><b>${shown(value)}</b> ${shown(name)}</li>`).join('');
  return `${pageOpening(title, PAGE_STYLE)}<header><div><h1>${shown(title)}</h1>${notes.map((note) => `<p class="dim">${shown(note)}</p>`).join('')}</div></header>
<main>${figures === '' ? '' : `<ul class="tiles">${figures}</ul>`}
${sections.map(sectionOf).join('')}</main>
</body>
</html>
`;
}

function sectionOf({ title, paragraphs = [], chart, table, tables = [] }: ChartSection): string {
  const texts = paragraphs.map((text) => `<p>${shown(text)}</p>`).join('');
  return `<section><h2>${shown(title)}</h2>${texts}${chart === undefined ? '' : `<figure>${chart}</figure>`}${[...(table ? [table] : []), ...tables].map(tableOf).join('')}</section>\n`;
}

function tableOf({ caption, columns, rows }: ChartTable): string {
  if (rows.length === 0) return '';
  const head = columns.map(({ name, kind }) => `<th${CLASSES[kind]}>${shown(name)}</th>`).join('');
  const lines = rows
    .slice(0, MAX_ROWS)
    .map((row) => `<tr>${columns.map(({ kind }, i) => `<td${CLASSES[kind]}>${shown(row[i] ?? '')}</td>`).join('')}</tr>\n`);
  const rest = rows.length - lines.length;
  const body = (inner: string) =>
    `<table>${inner}<thead><tr>${head}</tr></thead><tbody>\n${lines.join('')}</tbody></table>${rest > 0 ? `<p class="dim">and ${number(rest)} more</p>` : ''}`;
  if (rows.length <= SHORT) return body(`<caption>${shown(caption)}</caption>`);
  return `<details class="folded"><summary>${shown(caption)}</summary>${body('')}</details>`;
}

const CLASSES = { text: ' class="t"', key: ' class="k"', number: ' class="n"' } as const;
