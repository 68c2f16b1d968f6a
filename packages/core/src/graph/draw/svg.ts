import { box, drawing, fittedName, label, px, standalone, straight, widthOf } from '../../chart/svg.js';
import { linesOf } from '../../columns.js';
import { plural } from '../../plural.js';
import { printable, shorten } from '../../printable.js';
import { SEVERITIES } from '../../rule/index.js';
import { xml } from '../../xml.js';
import type { Graph } from '../model.js';
import { caveatLines, findingsText } from './caveat-lines.js';
import { GRAPH_SHAPES } from './graph-style.js';
import { BOX, type Layout, layoutOf } from './layout.js';
import { isGood, moreText, stateText, type View, type ViewEdge, type ViewNode } from './view.js';
import { MOST_WORKLOADS, viewOf } from './view-of.js';

/** What a picture shows one by one; beyond any of these, it is folded by namespace. */
const LIMITS = { workloads: MOST_WORKLOADS, nodes: 1_500, edges: 3_000, namespaces: 150 };

const LEAST_WIDTH = 960;
const LINE = 18;
const MARGIN = 16;

/**
 * The graph as a picture: a document of SVG without scripts and without references to anything outside. Same graph, same bytes. Beyond 100 workloads, 1,500
 * boxes or 3,000 lines it is folded by namespace.
 */
export function graphSvg(graph: Graph): string {
  const view = viewOf(graph, LIMITS);
  const layout = layoutOf(view);
  const width = Math.max(LEAST_WIDTH, layout.width);
  const title = titleOf(graph);
  const caveats = caveatLines(graph, view.omitted);
  const head = header(title, caveats, width);
  const body = `${head.body}<g transform="translate(0 ${px(head.height)})">${graphBody(view, layout)}</g>`;
  return standalone(drawing({ title, description: caveats.join(' ') }, head.height + layout.height, body, width), GRAPH_SHAPES);
}

function titleOf({ nodes, edges, legend }: Graph): string {
  const inInput = nodes.filter(({ presence }) => presence === 'input');
  const workloads = inInput.filter(({ category }) => category === 'workload').length;
  const counts = [plural(workloads, 'workload'), plural(inInput.length - workloads, 'other resource'), plural(edges.length, 'reference')];
  return `${counts.join(', ')}, checked by ${plural(legend.rules_selected, 'rule')}`;
}

/** The title, what the colours mean, and what the picture does not show. */
function header(title: string, caveats: readonly string[], width: number): { body: string; height: number } {
  const columns = Math.floor((width - 2 * MARGIN) / widthOf('x'));
  const lines = caveats.flatMap((caveat) => linesOf(printable(caveat), columns));
  const top = MARGIN + LINE * 3;
  const texts = lines.map((text, row) => label({ x: MARGIN, y: top + row * LINE, text, style: 'dim' }, width - 2 * MARGIN));
  return {
    body: label({ x: MARGIN, y: MARGIN + 14, text: title, style: 'g-title' }) + legend(MARGIN + LINE * 2) + texts.join(''),
    height: top + lines.length * LINE,
  };
}

function legend(y: number): string {
  let [x, body] = [MARGIN, ''];
  const entry = (text: string, sample: string) => {
    body += sample + label({ x: x + 20, y, text });
    x += 20 + widthOf(text) + 18;
  };
  for (const severity of SEVERITIES) entry(severity, box(x, y - 10, 12, 12, `g-bar-${severity.toLowerCase()}`));
  entry('checked, no finding', box(x, y - 10, 12, 12, 'g-bar-good'));
  entry('not checked', box(x, y - 10, 12, 12, 'g-bar-none'));
  entry('not in the input', straight(x, y - 4, x + 14, y - 4, 'g-edge g-outside'));
  entry('missing', straight(x, y - 4, x + 14, y - 4, 'g-edge g-missing'));
  return body;
}

function graphBody({ bands, edges }: View, layout: Layout): string {
  const frames = layout.frames.map(
    ({ title, x, y, width, height }) =>
      box(x, y, width, height, 'g-band') + label({ x: x + 12, y: y + 19, text: title, style: 'g-band-title' }, width - 24),
  );
  const boxes = bands.flatMap(({ nodes }) => nodes.map((node) => nodeBox(node, layout.boxes.get(node.id) ?? { x: 0, y: 0 })));
  return frames.join('') + drawnEdges(edges, layout) + boxes.join('');
}

function nodeBox(node: ViewNode, { x, y }: { x: number; y: number }): string {
  const [state, more] = [stateText(node), moreText(node)];
  const style = node.presence === 'missing' ? 'g-box g-missing' : node.presence === 'outside' ? 'g-box g-outside' : 'g-box';
  const [left, right] = [x + 14, x + BOX.width - 8];
  const room = (beside: string) => right - left - (beside === '' ? 0 : widthOf(beside) * 1.1 + 10);
  return [
    `<g><title>${multiline(nodeTitle(node))}</title>`,
    box(x, y, BOX.width, BOX.height, style),
    box(x, y, 6, BOX.height, `g-bar-${barOf(node)}`),
    label({ x: left, y: y + 16, text: node.kind, style: 'dim' }, room(state)),
    state === ''
      ? ''
      : label({ x: right, y: y + 16, text: state, anchor: 'end', style: node.worst === null ? 'dim' : 'g-state' }, BOX.width * 0.6),
    label({ x: left, y: y + 33, text: node.name, style: 'g-name' }, room(more) / 1.1, fittedName),
    more === '' ? '' : label({ x: right, y: y + 33, text: more, anchor: 'end', style: 'dim' }, BOX.width * 0.6),
    '</g>',
  ].join('');
}

function barOf(node: ViewNode): string {
  return node.worst?.toLowerCase() ?? (isGood(node) ? 'good' : 'none');
}

/** Lines that a title or a tooltip has at most. */
const MOST_LINES = 14;

function nodeTitle(node: ViewNode): string[] {
  const { kind, name, place, rules, presence } = node;
  const about = presence === 'input' ? `findings: ${findingsText(node)}` : stateText(node);
  return [`${kind} ${name}`, place, about, ...rules].filter((line) => line !== '');
}

function edgeTitle({ texts, rules, target, ...tally }: ViewEdge): string[] {
  const state = target === 'input' ? [] : [target === 'api' ? 'made by Kubernetes' : target === 'missing' ? 'missing' : 'not in the input'];
  const findings = tally.worst === null && tally.undecided === 0 ? [] : [`findings: ${findingsText(tally)}`];
  return [...state, ...findings, ...rules, ...texts];
}

function multiline(lines: readonly string[]): string {
  const shown = lines.slice(0, MOST_LINES).map((line) => xml(shorten(printable(line), 400)));
  return [...shown, ...(lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : [])].join('\n');
}

/** The side of a box on which an edge begins or ends. */
type Side = 'left' | 'right';

interface Route {
  edge: ViewEdge;
  from: { id: string; side: Side };
  to: { id: string; side: Side };
}

/** As many edges of a side may have their ports written beside their ends. */
const MOST_PORTS = 3;

function drawnEdges(edges: readonly ViewEdge[], { boxes }: Layout): string {
  const routes = edges.flatMap((edge): Route[] => {
    const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
    if (!from || !to) return [];
    const [start, end]: [Side, Side] = from.x < to.x ? ['right', 'left'] : from.x > to.x ? ['left', 'right'] : ['right', 'right'];
    return [{ edge, from: { id: edge.from, side: start }, to: { id: edge.to, side: end } }];
  });
  const places = endPlaces(routes, boxes);
  return routes.map((route, index) => drawnEdge(route, places.start[index] ?? NOWHERE, places.end[index] ?? NOWHERE)).join('');
}

interface End {
  x: number;
  y: number;
  /** How many edges share the side. */
  shared: number;
}

const NOWHERE: End = { x: 0, y: 0, shared: 0 };

/** Ends are spread over the side of their box, in the order of the other ends. */
function endPlaces(routes: readonly Route[], boxes: Layout['boxes']): { start: End[]; end: End[] } {
  const places: { start: End[]; end: End[] } = { start: [], end: [] };
  const sides = new Map<string, { index: number; at: 'start' | 'end'; other: number }[]>();
  const note = (index: number, at: 'start' | 'end', { id, side }: Route['from'], other: string) => {
    const key = `${side}\n${id}`;
    const known = sides.get(key) ?? [];
    sides.set(key, known);
    known.push({ index, at, other: boxes.get(other)?.y ?? 0 });
  };
  for (const [index, { from, to }] of routes.entries()) {
    note(index, 'start', from, to.id);
    note(index, 'end', to, from.id);
  }
  for (const [key, ends] of sides) {
    const [side = '', ...rest] = key.split('\n');
    const { x, y } = boxes.get(rest.join('\n')) ?? { x: 0, y: 0 };
    ends.sort((a, b) => a.other - b.other || a.index - b.index);
    for (const [order, { index, at }] of ends.entries())
      places[at][index] = {
        x: side === 'left' ? x : x + BOX.width,
        y: y + (BOX.height * (order + 1)) / (ends.length + 1),
        shared: ends.length,
      };
  }
  return places;
}

const HEAD = 7;

function drawnEdge({ edge, from, to }: Route, start: End, end: End): string {
  const tone = edge.worst !== null ? edge.worst.toLowerCase() : edge.target === 'missing' ? 'missing' : '';
  const dash = edge.target === 'outside' || edge.target === 'missing' ? ' g-outside' : '';
  const [out, into] = [from.side === 'right' ? 1 : -1, to.side === 'right' ? 1 : -1];
  const tip = end.x + into * HEAD;
  const bend = from.side === to.side ? BOX.columnGap * 0.45 : Math.max(BOX.columnGap * 0.5, Math.abs(tip - start.x) * 0.45);
  const [first, second] = [start.x + out * bend, tip + into * bend];
  const line = `M${px(start.x)},${px(start.y)}C${px(first)},${px(start.y)} ${px(second)},${px(end.y)} ${px(tip)},${px(end.y)}`;
  const head = `M${px(end.x)},${px(end.y)}L${px(tip)},${px(end.y - 3.5)}L${px(tip)},${px(end.y + 3.5)}Z`;
  const middle = { x: (start.x + 3 * first + 3 * second + tip) / 8, y: (start.y + end.y) / 2 };
  const rule = edge.rules[0];
  const more = edge.rules.length > 1 ? ` +${edge.rules.length - 1}` : '';
  return [
    `<g${edge.weight < 1 ? ' class="g-faint"' : ''}><title>${multiline(edgeTitle(edge))}</title>`,
    `<path d="${line}" class="g-edge${tone === '' ? '' : ` g-edge-${tone}`}${dash}"/>`,
    `<path d="${head}" class="g-head${tone === '' ? '' : ` g-head-${tone}`}"/>`,
    rule === undefined ? '' : label({ ...middle, text: `${rule}${more}`, anchor: 'middle', style: 'g-rule' }),
    edge.port === '' || end.shared > MOST_PORTS || into === 1
      ? ''
      : label({ x: tip - 3, y: end.y - 4, text: edge.port, anchor: 'end', style: 'g-port' }, BOX.columnGap - 30),
    '</g>',
  ].join('');
}
