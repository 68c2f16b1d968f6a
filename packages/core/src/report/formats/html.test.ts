import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { EVERYTHING, finding, hostileRun, RULES, reported, run } from '../testing/run.test-support.js';
import { html } from './html.js';

interface Page {
  elements: { name: string; attributes: Record<string, string> }[];
  text: string;
}

/** The page is well-formed XML, so a strict parser sees any text of the input that broke out of its place. */
function parse(page: string): Page {
  const found: Page = { elements: [], text: '' };
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => found.elements.push({ name, attributes }));
  parser.on('text', (text) => {
    found.text += text;
  });
  parser.write(page).close();
  return found;
}

const KNOWN_ELEMENTS =
  'a b body br circle code desc details div figcaption figure footer h1 h2 h3 head header html li main meta p rect section span style summary svg table tbody td text th thead title tr ul'.split(
    ' ',
  );

describe('the HTML report', () => {
  it('shows counts, score, charts, errors, findings by rule and what is suppressed', async () => {
    const { elements, text } = parse(await reported(html, EVERYTHING));
    expect(text).toContain('4 findings');
    for (const part of [
      'CS-001',
      'Deployment shop/web',
      'deploy/web.yaml',
      '12:9',
      'Set securityContext.privileged to false.',
      'rotated daily',
      '2027-01-31',
      'A tab stands',
    ])
      expect(text).toContain(part);
    const charts = elements.filter(({ name }) => name === 'svg');
    expect(charts).toHaveLength(3);
    for (const { attributes } of charts)
      expect(attributes['role'] === 'img' && (attributes['aria-label'] ?? attributes['aria-labelledby'])).toBeTruthy();
    expect(text).toContain('Critical: 2; High: 1; Medium: 1; Low: 0; Info: 0');
    expect(text).toContain('CS Container security: 77.9, 3 findings; SP Secrets: 90.5, 1 finding; RL Reliability: not applicable');
  });

  it('needs nothing but itself: no script, nothing loaded, and a policy that forbids both', async () => {
    const { elements } = parse(await reported(html, EVERYTHING));
    const policy = elements.find(({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy')?.attributes['content'];
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'$/);
    expect(elements.filter(({ name }) => ['script', 'img', 'link', 'iframe', 'object'].includes(name))).toEqual([]);
    expect(elements.filter(({ attributes }) => 'style' in attributes || 'src' in attributes)).toEqual([]);
  });

  it('gives every link to a rule its anchor', async () => {
    const { elements } = parse(await reported(html, EVERYTHING));
    const ids = elements.map(({ attributes }) => attributes['id']).filter((id) => id !== undefined);
    const targets = elements.map(({ attributes }) => attributes['href']).filter((href) => href?.startsWith('#'));
    expect([...new Set(targets)]).toEqual(['#rule-CS-001', '#rule-SP-003', '#rule-CS-002']);
    for (const target of targets) expect(ids).toContain(target?.slice(1));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('holds hostile text as text', async () => {
    const page = parse(await reported(html, hostileRun()));
    expect(page.elements.filter(({ name }) => !KNOWN_ELEMENTS.includes(name))).toEqual([]);
    for (const { attributes } of page.elements) expect(Object.keys(attributes).filter((name) => name.startsWith('on'))).toEqual([]);
    expect(page.text).toContain('</script><script>alert(1)</script>');
  });

  it('links only to web addresses', async () => {
    const [rule] = RULES;
    const rules = rule === undefined ? [] : [{ ...rule, references: ['javascript:alert(1)', 'https://ok.example/?a="b"&c'] }];
    const { elements } = parse(await reported(html, run([finding('CS-001')]), { rules }));
    expect(elements.map(({ attributes }) => attributes['href']).filter((href) => href !== undefined)).toEqual([
      '#rule-CS-001',
      '#rule-CS-001',
      'https://ok.example/?a="b"&c',
    ]);
  });

  it('shows every critical finding by file, and of low severity the first ten of a rule', async () => {
    const of = (rule: string) =>
      Array.from({ length: 25 }, (_, i) =>
        finding(rule, { message: `${rule} ${i}.`, location: { file: `${i % 2}.yaml`, line: i + 1, column: 1 } }),
      );
    const { text } = parse(await reported(html, run([...of('RL-004'), ...of('CS-001')])));
    expect(text.match(/CS-001 \d+\./g)).toHaveLength(25);
    expect(text.indexOf('CS-001 0.')).toBeLessThan(text.indexOf('CS-001 1.'));
    expect(text.indexOf('CS-001 24.')).toBeLessThan(text.indexOf('CS-001 1.'));
    expect(text).toContain('RL-004 9.');
    expect(text).not.toContain('RL-004 10.');
    expect(text).toContain('and 15 more');
    expect(text.indexOf('CS-001 0.')).toBeLessThan(text.indexOf('RL-004 0.'));
  });

  it('carries the verdict, and the date and the commit if they are given', async () => {
    const { text } = parse(await reported(html, EVERYTHING, { subject: { date: '2026-11-22', commit: '4f2a91c' } }));
    expect(text).toContain('INCOMPLETE 3 errors; 2 critical, 1 high (threshold HIGH)');
    expect(text).toContain('Date: 2026-11-22');
    expect(text).toContain('Commit: 4f2a91c');
    expect(parse(await reported(html, EVERYTHING)).text).not.toMatch(/Date:|Commit:/);
  });

  it('says so if no rule found anything, and if there is no score', async () => {
    const nothing = run([]);
    nothing.score = { overall: null, by_category: {}, grade: null, score_without_waivers: null, coverage: 1, low: null, high: null };
    nothing.summary.by_category = {};
    const { text } = parse(await reported(html, nothing));
    expect(text).toContain('No findings');
    expect(text).toContain('no score: no rule applied to anything');
  });
});
