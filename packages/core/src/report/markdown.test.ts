import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { markdown } from './markdown.js';
import { codeSpan, htmlText, markdownText } from './markdown-text.js';
import { EVERYTHING, finding, HOSTILE_NAMES, hostileRun, RULES, reported, run } from './testing/run.js';

/** As a renderer of GitHub flavour sees it before anything is taken out for safety. */
function rendered(text: string): string {
  return micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true, allowDangerousProtocol: true });
}

function tags(html: string): Set<string> {
  return new Set([...html.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, name]) => name?.toLowerCase() ?? ''));
}

const KNOWN_TAGS = 'h2 p table thead tbody tr th td code details summary b strong em'.split(' ');

describe('the Markdown report', () => {
  it('shows counts, errors, rules with their first findings, and what is suppressed', async () => {
    expect(await reported(markdown, EVERYTHING)).toMatchInlineSnapshot(`
      "## bylaw: 4 findings, score 69 (D)

      3 resources judged by 4 rules. 64.2 without exceptions; 48.4 to 69 once unknown values are known; 92.3 % of the input could be judged.

      | Critical | High | Medium | Low | Info | Suppressed | Errors |
      |---:|---:|---:|---:|---:|---:|---:|
      | 2 | 1 | 1 | 0 | 0 | 1 | 3 |

      <details><summary><b>2 errors</b>: parts of the input were not judged</summary>

      | Where | What | Code |
      |---|---|---|
      | \`broken.yaml:3:7\` | A tab stands where indentation is expected; use spaces. | yaml-syntax |
      |  | There is no file or directory nowhere. | path-not-found |

      </details>

      <details><summary><b>CRITICAL</b> CS-001 Containers do not run privileged (2 findings)</summary>

      **Fix:** Set securityContext.privileged to false.

      | Where | Resource | What |
      |---|---|---|
      | \`deploy/web.yaml:12:9\` | \`Deployment shop/web\` | Containers do not run privileged: container "app" does. |
      | \`pods.yaml:3:1\` | \`Pod debug\` | Containers do not run privileged: container "app" does. |

      </details>

      <details><summary><b>HIGH</b> SP-003 Secrets are not literals in manifests (1 finding, 1 error)</summary>

      **Fix:** Read the value from a Secret.

      | Where | Resource | What |
      |---|---|---|
      | \`pods.yaml:40:1\` | \`Deployment shop/web\` | **The rule could not be evaluated:** no such overload: int + string |
      |  | \`module.logs.aws_s3_bucket.this[0]\` | The access key is written into the resource. |

      </details>

      <details><summary><b>MEDIUM</b> CS-002 Containers forbid privilege escalation (1 finding)</summary>

      **Fix:** Set allowPrivilegeEscalation: false on every container.

      | Where | Resource | What |
      |---|---|---|
      | \`deploy/web.yaml:12:9\` | \`Deployment shop/web\` | Container "app" may gain more privileges than its parent. |

      </details>

      <details><summary>1 suppressed</summary>

      | Rule | Findings | Reason | Where |
      |---|---:|---|---|
      | SP-003 | 1 | rotated daily | config until 2027-01-31 |

      </details>
      "
    `);
  });

  it('holds hostile text as text: no tag, link, image or mention of it is rendered', async () => {
    const html = rendered(await reported(markdown, hostileRun()));
    expect([...tags(html)].filter((tag) => !KNOWN_TAGS.includes(tag))).toEqual([]);
    expect(html.replace(/<code>.*?<\/code>/g, '')).not.toMatch(/(?<!\w)@\w|#\d|:\/\/|www\./);
  });

  it.each(HOSTILE_NAMES)('keeps %j in its table cell', (name) => {
    const html = rendered(`| a | b | c |\n|---|---|---|\n| ${codeSpan(name)} | ${markdownText(name)} | end |\n`);
    expect(html.match(/<td>/g)).toHaveLength(3);
    expect(html).toContain('<td>end</td>');
    expect([...tags(html)].sort()).toEqual(expect.arrayContaining(['table', 'tbody', 'td', 'th', 'thead', 'tr']));
    expect(tags(rendered(`<details><summary>${htmlText(name)}</summary>\n\nx\n</details>`))).toEqual(new Set(['details', 'summary', 'p']));
  });

  it('shows text that is not hostile as it is', () => {
    expect(rendered(markdownText('Image "nginx@sha256:0af" of registry.example:5000/x_y, 100% * [a] $x ~b~ `c` <d> & e'))).toBe(
      '<p>Image &quot;nginx@sha256:0af&quot; of registry.example:5000/x_y, 100% * [a] $x ~b~ `c` &lt;d&gt; &amp; e</p>',
    );
  });

  it('fits a comment however much there is to tell, and says what it leaves out', async () => {
    const [rule] = RULES;
    const findings = Array.from({ length: 400 }, (_, i) =>
      Array.from({ length: 6 }, () =>
        finding('CS-001', { rule_id: `CS-${String(i).padStart(3, '0')}`, title: rule?.title ?? '', message: '<&|>'.repeat(500) }),
      ),
    ).flat();
    const suppressed = Array.from({ length: 400 }, (_, i) =>
      finding('SP-003', { status: 'suppressed', suppression: { source: 'annotation', reason: `${'&'.repeat(500)}${i}` } }),
    );
    const errors = Array.from({ length: 400 }, () => ({
      code: 'yaml-syntax' as const,
      message: '|'.repeat(500),
      location: { file: '`|'.repeat(500), line: 1, column: 1 },
    }));
    const written = await reported(markdown, run([...findings, ...suppressed], { errors }));
    expect(written.length).toBeLessThanOrEqual(60_000);
    expect(written).toMatch(/_\d+ more rules with findings left out, to keep this short; the other formats hold them\._/);
  });

  it('says so where there are no findings', async () => {
    expect(await reported(markdown, run([]))).toMatch(/^## bylaw: no findings, score 69 \(D\)\n/);
  });
});
