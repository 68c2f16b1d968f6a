import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { endWith, findingOn, graphOf } from '../graph.test-support.js';
import { graphSvg } from './svg.js';

interface Tag {
  name: string;
  attributes: { [name: string]: string };
  text: string;
}

/** The elements of a document that a strict parser accepts, with the text directly in them. */
function tagsOf(svg: string): Tag[] {
  const tags: Tag[] = [];
  const open: Tag[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const tag = { name, attributes: { ...attributes }, text: '' };
    tags.push(tag);
    open.push(tag);
  });
  parser.on('text', (text) => {
    const tag = open.at(-1);
    if (tag) tag.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(svg).close();
  return tags;
}

const number = (tag: Tag, name: string) => Number(tag.attributes[name]);
const classOf = (tag: Tag) => tag.attributes['class'] ?? '';
const boxesOf = (tags: Tag[]) =>
  tags
    .filter((tag) => classOf(tag).split(' ').includes('g-box'))
    .map((tag) => ({ x: number(tag, 'x'), y: number(tag, 'y'), width: number(tag, 'width'), height: number(tag, 'height') }));
const coordinates = (path: Tag) => [...(path.attributes['d'] ?? '').matchAll(/-?[\d.]+/g)].map(Number);

/** Applications of a Deployment, a Service, a budget and more, of which each refers to what all share. */
function applications(count: number, namespaces = 3): string {
  return Array.from({ length: count }, (_, index) => {
    const metadata = `{ name: app-${index}, namespace: ns-${index % namespaces} }`;
    return `---
apiVersion: apps/v1
kind: Deployment
metadata: ${metadata}
spec: { template: { metadata: { labels: { app: app-${index} } }, spec: { serviceAccountName: shared, containers: [{ envFrom: [{ secretRef: { name: app-${index} } }] }] } } }
---
{ apiVersion: v1, kind: Service, metadata: ${metadata}, spec: { selector: { app: app-${index} }, ports: [{ port: 80 }] } }
---
{ apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: ${metadata}, spec: { selector: { matchLabels: { app: app-${index} } } } }
---
{ apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: ${metadata}, spec: { http: [{ route: [{ destination: { host: app-${(index * 7) % count}.ns-${((index * 7) % count) % namespaces}.svc } }] }] } }
`;
  }).join('');
}

describe('the geometry of a graph', () => {
  it.each([
    ['one workload', applications(1)],
    ['100 workloads', applications(100)],
    ['a folded graph', applications(300, 40)],
    ['many namespaces', applications(400, 400)],
    ['a Pod without a name', '{ apiVersion: v1, kind: Pod }'],
  ])('has no boxes that overlap, edges that end at boxes, and nothing outside of the picture: %s', async (_what, manifests) => {
    const tags = tagsOf(graphSvg(await graphOf(manifests)));
    const [svg] = tags;
    const [, , width = 0, height = 0] = (svg?.attributes['viewBox'] ?? '').split(' ').map(Number);
    const shift = Number(
      /translate\(0 ([\d.]+)\)/.exec(tags.find(({ attributes }) => attributes['transform'])?.attributes['transform'] ?? '')?.[1],
    );
    const boxes = boxesOf(tags);
    expect(boxes.length).toBeGreaterThan(0);
    for (const [index, a] of boxes.entries()) {
      expect(a.x >= 0 && a.x + a.width <= width && a.y >= 0 && a.y + a.height + shift <= height).toBe(true);
      for (const b of boxes.slice(index + 1))
        expect(a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height, JSON.stringify([a, b])).toBe(
          false,
        );
    }
    const onSide = (x: number, y: number) =>
      boxes.some((box) => (Math.abs(x - box.x) < 0.02 || Math.abs(x - box.x - box.width) < 0.02) && y > box.y && y < box.y + box.height);
    const lines = tags.filter((tag) => tag.name === 'path' && classOf(tag).includes('g-edge'));
    const heads = tags.filter((tag) => tag.name === 'path' && classOf(tag).includes('g-head'));
    expect(heads.length).toBe(lines.length);
    expect(lines.length > 0).toBe(manifests.includes('kind: Service'));
    for (const line of lines) {
      const [x = 0, y = 0, ...rest] = coordinates(line);
      expect(onSide(x, y), line.attributes['d']).toBe(true);
      expect(Math.max(x, ...rest.filter((_, at) => at % 2 === 0))).toBeLessThanOrEqual(width);
      expect(Math.min(x, ...rest.filter((_, at) => at % 2 === 0))).toBeGreaterThanOrEqual(0);
    }
    for (const head of heads) {
      const [x = 0, y = 0] = coordinates(head);
      expect(onSide(x, y), head.attributes['d']).toBe(true);
    }
  });

  it('is that of an empty picture if nothing is drawn', async () => {
    const role = '{ apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: r } }';
    const [svg] = tagsOf(graphSvg(await graphOf(role)));
    expect(svg?.attributes['viewBox']).toMatch(/^0 0 960 \d+$/);
  });

  it('puts a Service and its account beside the workload if nothing else is in the way', async () => {
    const boxes = boxesOf(tagsOf(graphSvg(await graphOf(applications(1)))));
    expect(new Set(boxes.map(({ x }) => x)).size).toBe(4);
    expect(Math.max(...boxes.map(({ y }) => y)) - Math.min(...boxes.map(({ y }) => y))).toBeLessThan(150);
  });
});

describe('a picture of a graph', () => {
  it('shows up to 100 workloads one by one, and folds more by namespace with all counts', async () => {
    const texts = async (count: number) => tagsOf(graphSvg(await graphOf(applications(count)))).map(({ text }) => text);
    const whole = await texts(100);
    expect(whole).toContain('Namespace ns-0');
    expect(whole.filter((text) => text === 'Deployment')).toHaveLength(100);
    const folded = await texts(101);
    expect(folded).toContain('3 namespaces');
    expect(folded).toContain('34 workloads, 102 others');
    expect(folded.some((text) => text.startsWith('Folded by namespace'))).toBe(true);
  });

  it('spreads namespaces that refer to one another in a circle over columns', async () => {
    const boxes = boxesOf(tagsOf(graphSvg(await graphOf(applications(120, 12)))));
    expect(boxes).toHaveLength(12);
    expect(new Set(boxes.map(({ x }) => x)).size).toBeGreaterThan(2);
  });

  it('has no lines from a policy for every Pod, and says so in its box', async () => {
    const policy =
      '---\n{ apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: { name: deny, namespace: ns-0 }, spec: { podSelector: {} } }\n';
    const lines = (tags: Tag[]) => tags.filter((tag) => classOf(tag).startsWith('g-head')).length;
    const [without, withPolicy] = [
      tagsOf(graphSvg(await graphOf(applications(9, 1)))),
      tagsOf(graphSvg(await graphOf(applications(9, 1) + policy))),
    ];
    expect(withPolicy.map(({ text }) => text)).toContain('NetworkPolicy, every Pod');
    expect(lines(withPolicy)).toBe(lines(without));
    expect(lines(without)).toBeGreaterThan(0);
  });

  it('shows severities and rules on boxes and lines, also folded', async () => {
    const findings = Array.from({ length: 3 }, () =>
      findingOn('Deployment ns-0/app-0', '/spec/template/spec/serviceAccountName', { api_version: 'apps/v1', severity: 'CRITICAL' }),
    );
    const svg = graphSvg(await graphOf(applications(2), { findings }));
    const texts = tagsOf(svg).map(({ text }) => text);
    expect(texts).toContain('CRITICAL 3');
    expect(texts).toContain('XX-001');
    expect(svg).toContain('class="g-edge g-edge-critical g-outside"');
    expect(tagsOf(graphSvg(await graphOf(applications(101), { findings }))).map(({ text }) => text)).toContain('CRITICAL 3');
  });

  it('is green only for what was checked, evaluated and decided', async () => {
    const manifests = applications(1, 1);
    const good = async (end = endWith()) =>
      tagsOf(graphSvg(await graphOf(manifests, { end }))).filter((tag) => classOf(tag) === 'g-bar-good').length;
    const legend = 1;
    expect(await good()).toBe(4 + legend);
    expect(await good(endWith({}, { unchecked: [{ kind: 'Service', count: 1 }] }))).toBe(3 + legend);
    const undecided = [
      { ...findingOn('Deployment ns-0/app-0', '', { api_version: 'apps/v1' }), reason: 'outside-input' as const, message: 'x' },
    ];
    expect(await good(endWith({ undecided }))).toBe(3 + legend);
    // Nobody knows where the other two are.
    expect(await good(endWith({ undecided }, { undecided: { checks: 3, reasons: [], more_reasons: 0 } }))).toBe(legend);
    const folded = graphSvg(await graphOf(applications(101, 1), { end: endWith({}, { unchecked: [{ kind: 'Service', count: 101 }] }) }));
    expect(tagsOf(folded).filter((tag) => classOf(tag) === 'g-bar-good')).toHaveLength(legend);
  });

  it('names what was not read, not checked and not drawn', async () => {
    const errors = [{ code: 'yaml-syntax' as const, message: 'It is not valid YAML.', location: { file: 'x.yaml', line: 3, column: 1 } }];
    const notes = [{ code: 'files-skipped' as const, message: 'Files were skipped.', count: 1, first: ['y'] }];
    const summary = { unchecked: [{ kind: 'example.com/Pool', count: 2 }] };
    const role = '---\n{ apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: r } }\n';
    const graph = await graphOf(applications(1) + role, { end: endWith({ errors, notes }, summary) });
    const text = tagsOf(graphSvg(graph))
      .map((tag) => tag.text)
      .join('\n');
    expect(text).toContain('x.yaml:3: It is not valid YAML.');
    expect(text).toContain('Files were skipped.');
    expect(text).toContain('No selected rule checks: example.com/Pool (2).');
    expect(text).toContain('In the input, but not drawn: Role (1). Findings on them: none.');
    expect(text).toContain('With --complete, they count as missing.');
  });

  it('holds no script, no address and no text that breaks out, whatever names the input has', async () => {
    const names = [
      '</svg><script>alert(1)</script>',
      '"><a href="x">',
      "'onload='x",
      ']]>',
      '\u202Eevil',
      'a\nb',
      '\u0000',
      '&amp;',
      '\ud800',
      'x'.repeat(63_000),
    ];
    const hostile = names
      .map((name) => {
        const text = JSON.stringify(name);
        return `---\n${JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: name }, spec: { selector: { [name]: name }, ports: [{ port: name }] } })}
---\n{ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": ${text}, "namespace": ${text}, "labels": { ${text}: ${text} } }, "spec": { "serviceAccountName": ${text} } }\n`;
      })
      .join('');
    const graph = await graphOf(hostile, { findings: [findingOn(`Pod ${names[4]}`, '', { rule_id: 'XX-001', title: names[0] ?? '' })] });
    expect(graph.nodes.length).toBeGreaterThan(names.length);
    const svg = graphSvg(graph);
    const tags = tagsOf(svg);
    expect(new Set(tags.map(({ name }) => name))).toEqual(new Set(['svg', 'style', 'title', 'desc', 'g', 'rect', 'text', 'path', 'line']));
    for (const { attributes } of tags) expect(Object.keys(attributes).filter((name) => /^on|href|src/i.test(name))).toEqual([]);
    expect(svg).not.toMatch(/url\(|@import|javascript:|\u202e/i);
    expect(svg.length).toBeLessThan(200_000);
  });

  it('is the same for the same graph, and brings the colours for light and dark', async () => {
    const one = graphSvg(await graphOf(applications(5)));
    expect(graphSvg(await graphOf(applications(5)))).toBe(one);
    expect(one).toContain('prefers-color-scheme:dark');
    expect(one).not.toMatch(/var\(|currentColor/);
    const styles = new Set([...one.matchAll(/class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' ')));
    for (const style of styles) if (style !== 'chart') expect(one.split(`.${style}`).length, style).toBeGreaterThan(2);
  });
});
