import { describe, expect, it } from 'vitest';
import { findingOn, graphOf } from '../graph.test-support.js';
import { graphMermaid } from './mermaid.js';

/** Text between quotes: nothing but letters, digits, plain punctuation, line breaks and entity codes. */
const LABEL = /"(?:[\p{L}\p{M}\p{N} .,/()+=→×…-]|#\d+;|<br\/>)*"/u.source;

/** The lines of the flowcharts that we write, as far as the grammar of Mermaid goes: https://mermaid.js.org/syntax/flowchart.html. */
const GRAMMAR = [
  /^flowchart LR$/u,
  new RegExp(`^caveats\\[${LABEL}\\]:::caveat$`, 'u'),
  new RegExp(`^subgraph s\\d+\\[${LABEL}\\]$`, 'u'),
  new RegExp(`^ {2}n\\d+\\[${LABEL}\\]:::[a-z]+$`, 'u'),
  /^end$/u,
  new RegExp(`^n\\d+ (?:-->|-\\.->)(?:\\|${LABEL}\\|)? n\\d+$`, 'u'),
  /^linkStyle \d+ stroke:#[0-9a-f]{6},stroke-width:2px$/u,
  /^classDef [a-z]+ [a-z0-9:#, -]+$/u,
];

function expectFlowchart(text: string): string[] {
  const lines = text.trimEnd().split('\n');
  for (const line of lines)
    expect(
      GRAMMAR.some((form) => form.test(line)),
      line,
    ).toBe(true);
  // Its lexer looks for these in whole lines (flow.jison), and so does what reads entity codes.
  expect(text).not.toMatch(/direction\s+(?:TB|BT|RL|LR)|(?:style|classDef).*:\S*#.*;/u);
  const known = new Set(lines.flatMap((line) => /^ {2}(n\d+)\[/.exec(line)?.[1] ?? []));
  const edges = lines.flatMap((line) => {
    const edge = /^(n\d+) \S.* (n\d+)$/.exec(line);
    return edge ? [[edge[1] ?? '', edge[2] ?? '']] : [];
  });
  for (const id of edges.flat()) expect(known.has(id)).toBe(true);
  for (const line of lines) if (line.startsWith('linkStyle')) expect(Number(line.split(' ')[1])).toBeLessThan(edges.length);
  // Mermaid refuses more of either.
  expect(edges.length).toBeLessThanOrEqual(500);
  expect(text.length).toBeLessThan(50_000);
  return lines;
}

const app = (name: string, namespace: string) => `---
{ apiVersion: v1, kind: Service, metadata: { name: ${name}, namespace: ${namespace} }, spec: { selector: { app: ${name} }, ports: [{ port: 80 }] } }
---
{ apiVersion: v1, kind: Pod, metadata: { name: ${name}, namespace: ${namespace}, labels: { app: ${name} } }, spec: { serviceAccountName: ${name} } }
`;

describe('a graph for Mermaid', () => {
  it('is a flowchart with a subgraph for each namespace, and lines with ports and rules', async () => {
    const findings = [findingOn('Pod shop/web', '/spec/serviceAccountName')];
    const lines = expectFlowchart(graphMermaid(await graphOf(app('web', 'shop'), { findings })));
    expect(lines).toContain('subgraph s0["Namespace shop"]');
    expect(lines).toContain('  n0["Pod<br/>web<br/>HIGH 1"]:::high');
    expect(lines).toContain('n0 -.->|"XX-001"| n2');
    expect(lines).toContain('n1 -->|"80"| n0');
    expect(lines).toContain('linkStyle 0 stroke:#cf3a1f,stroke-width:2px');
  });

  it('has no text that Mermaid, Markdown or HTML would read as more than text', async () => {
    const names = [
      '"] --> n0',
      'direction LR',
      'style:x#34;',
      '`end`',
      'end',
      '%%{init: {}}%%',
      '<script>',
      '#quot;',
      'a;b',
      '\u202Ex',
      'a\nsubgraph',
      'é漢',
      'x'.repeat(63_000),
    ];
    const manifests = names
      .map((name) => `---\n${JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: name } })}\n`)
      .join('');
    const lines = expectFlowchart(graphMermaid(await graphOf(manifests)));
    expect(lines.join('\n')).toContain('#34;#93; --#62; n0');
    expect(lines.join('\n')).toContain('é漢');
  });

  it('is folded by namespace beyond 100 workloads, and where it would be too large for Mermaid', async () => {
    const many = Array.from({ length: 101 }, (_, index) => app(`web-${index}`, `ns-${index % 4}`)).join('');
    expect(expectFlowchart(graphMermaid(await graphOf(many))).filter((line) => line.startsWith('  n'))).toHaveLength(4);
    const long = Array.from({ length: 90 }, (_, index) => app(`${'x'.repeat(240)}-${index}`, `ns-${index}-${'y'.repeat(200)}`)).join('');
    expectFlowchart(graphMermaid(await graphOf(long)));
    const spread = Array.from({ length: 600 }, (_, index) => app(`web-${index}`, `ns-${index}`)).join('');
    expectFlowchart(graphMermaid(await graphOf(spread)));
    const hostile = Array.from({ length: 300 }, (_, index) =>
      app(JSON.stringify('"<>&'.repeat(50)), JSON.stringify(`${'"#;'.repeat(60)}${index}`)),
    );
    expectFlowchart(graphMermaid(await graphOf(hostile.join(''))));
  });
});
