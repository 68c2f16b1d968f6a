import { printable, shorten } from '../../printable.js';
import { SEVERITIES } from '../../rule/index.js';
import type { Graph } from '../model.js';
import { caveatLines } from './caveat-lines.js';
import { foldedView } from './fold.js';
import { isGood, moreText, stateText, type View, type ViewEdge, type ViewNode } from './view.js';
import { MOST_WORKLOADS, viewOf } from './view-of.js';

/**
 * What Mermaid draws unless its settings say otherwise: 500 edges and 50,000 characters (`maxEdges` and `maxTextSize` of its configuration,
 * https://mermaid.js.org/config/schema-docs/config.html). It refuses more of either.
 */
const LIMITS = { workloads: MOST_WORKLOADS, nodes: 500, edges: 500, namespaces: 150 };
const MOST_CHARACTERS = 50_000;

/** How many namespaces and edges a folded graph shows: as many as have room, with names of many entity codes, too. */
const FOLDED = [
  { namespaces: 150, edges: 200 },
  { namespaces: 50, edges: 80 },
  { namespaces: 20, edges: 40 },
];

/**
 * The graph as a flowchart of Mermaid. Same graph, same bytes. It is folded by namespace beyond 100 workloads, and where Mermaid would refuse it for its
 * size.
 */
export function graphMermaid(graph: Graph): string {
  let text = flowchart(graph, viewOf(graph, LIMITS));
  for (const { namespaces, edges } of FOLDED)
    if (text.length >= MOST_CHARACTERS) text = flowchart(graph, foldedView(graph, { namespaces, edges }));
  return text;
}

function flowchart(graph: Graph, view: View): string {
  const nodes = view.bands.flatMap((band) => band.nodes);
  const ids = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const caveats = caveatLines(graph, view.omitted);
  const lines = [
    'flowchart LR',
    ...(caveats.length === 0 ? [] : [`caveats["${caveats.map((line) => escaped(line, 300)).join('<br/>')}"]:::caveat`]),
    ...view.bands.flatMap((band, index) => [
      `subgraph s${index}["${escaped(band.title, 100)}"]`,
      ...band.nodes.map((node) => `  ${ids.get(node.id)}["${nodeText(node)}"]:::${classOf(node)}`),
      'end',
    ]),
    ...view.edges.map((edge) => edgeLine(edge, ids)),
    ...view.edges.flatMap((edge, index) => {
      const colour = edge.worst === null ? (edge.target === 'missing' ? COLOURS.missing : undefined) : COLOURS[edge.worst];
      return colour === undefined ? [] : [`linkStyle ${index} stroke:${colour},stroke-width:2px`];
    }),
    ...SEVERITIES.map((severity) => `classDef ${severity.toLowerCase()} stroke:${COLOURS[severity]},stroke-width:3px`),
    'classDef good stroke:#1a7f37',
    'classDef unchecked stroke:#7b8591',
    'classDef outside stroke:#7b8591,stroke-dasharray:5 4',
    `classDef missing stroke:${COLOURS.missing},stroke-dasharray:5 4`,
    'classDef caveat stroke:#7b8591,text-align:left',
  ];
  return `${lines.join('\n')}\n`;
}

/** As in the HTML report. */
const COLOURS = { CRITICAL: '#a40e26', HIGH: '#cf3a1f', MEDIUM: '#946200', LOW: '#0b6bcb', INFO: '#59636e', missing: '#cf222e' };

function nodeText(node: ViewNode): string {
  const state = [stateText(node), moreText(node)].filter((part) => part !== '').join(', ');
  return [node.kind, node.name, state]
    .filter((part) => part !== '')
    .map((part) => escaped(part, 60))
    .join('<br/>');
}

function classOf(node: ViewNode): string {
  if (node.worst !== null) return node.worst.toLowerCase();
  if (node.presence === 'missing' || node.presence === 'outside') return node.presence;
  return isGood(node) ? 'good' : 'unchecked';
}

function edgeLine({ from, to, target, port, rules }: ViewEdge, ids: ReadonlyMap<string, string>): string {
  const text = [port, ...rules.slice(0, 2), rules.length > 2 ? `+${rules.length - 2}` : ''].filter((part) => part !== '').join(' ');
  const arrow = target === 'outside' || target === 'missing' ? '-.->' : '-->';
  return `${ids.get(from)} ${arrow}${text === '' ? '' : `|"${escaped(text, 60)}"|`} ${ids.get(to)}`;
}

/**
 * Text between the quotes of a label, at most about so long. Every character that means something to Mermaid, Markdown or HTML is written as an entity code,
 * `#34;` for a quote (https://mermaid.js.org/syntax/flowchart.html, "Entity codes to escape characters"). Two things in Mermaid's reader look at whole lines, also within
 * quotes: colons after the word style, and `direction LR`.
 */
function escaped(text: string, length: number): string {
  let label = '';
  for (const character of shorten(printable(text).replace(/direction(?=\s)/g, 'direction\u00a0'), length)) {
    label += /[\p{L}\p{M}\p{N} .,/()+=→×…-]/u.test(character) ? character : `#${character.codePointAt(0)};`;
    if (label.length > length) return `${label}…`;
  }
  return label;
}
