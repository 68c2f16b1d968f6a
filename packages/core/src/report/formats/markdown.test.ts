import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { EVERYTHING, finding, HOSTILE_NAMES, hostileRun, RULES, reported, run } from '../testing/run.test-support.js';
import { markdown } from './markdown.js';
import { codeSpan, htmlText, markdownText } from './markdown-text.js';

/** As a renderer of GitHub flavour sees it before anything is taken out for safety. */
function rendered(text: string): string {
  return micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true, allowDangerousProtocol: true });
}

function tags(html: string): Set<string> {
  return new Set([...html.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, name]) => name?.toLowerCase() ?? ''));
}

const KNOWN_TAGS = 'h2 p table thead tbody tr th td code details summary b strong em br'.split(' ');

describe('the Markdown report', () => {
  it('shows counts, errors, rules with their first findings, and what is suppressed', async () => {
    expect(await reported(markdown, EVERYTHING)).toMatchInlineSnapshot(`
      "## bylaw: 4 findings, score 69 (D)

      **INCOMPLETE** 3 errors; 2 critical, 1 high (threshold HIGH)

      3 resources checked by 4 rules. Capped at 69 by 2 critical findings; 64.2 without exceptions; 48.4 to 69 once unknown values are known; 92.3 % of the input could be read.

      Suppressed: 1 finding (configuration 1) in pods.yaml 1.

      | Critical | High | Medium | Low | Info | Suppressed | Errors |
      |---:|---:|---:|---:|---:|---:|---:|
      | 2 | 1 | 1 | 0 | 0 | 1 | 3 |

      <details open><summary><b>2 errors</b>: parts of the input were not evaluated</summary>

      | Where | What | Code |
      |---|---|---|
      | \`broken.yaml:3:7\` | A tab stands where indentation is expected; use spaces. | yaml-syntax |
      |  | There is no file or directory nowhere. | path-not-found |

      </details>

      <details open><summary><b>1 rule</b> could not be evaluated on a resource</summary>

      | Where | Resource | Rule | What |
      |---|---|---|---|
      | \`pods.yaml:40:1\` | \`Deployment shop/web\` | SP-003 | no such overload: int + string |

      </details>

      <details open><summary><b>CRITICAL</b> 2 findings</summary>

      \`deploy/web.yaml\`

      | Line | Resource | Rule | What |
      |---:|---|---|---|
      | 12 | \`Deployment shop/web\` | CS-001 | Containers do not run privileged: container "app" does.<br>**Fix:** Set securityContext.privileged to false. |

      \`pods.yaml\`

      | Line | Resource | Rule | What |
      |---:|---|---|---|
      | 3 | \`Pod debug\` | CS-001 | Containers do not run privileged: container "app" does.<br>**Fix:** Set securityContext.privileged to false. |

      </details>

      <details open><summary><b>HIGH</b> 1 finding</summary>

      | Line | Resource | Rule | What |
      |---:|---|---|---|
      |  | \`module.logs.aws_s3_bucket.this[0]\` | SP-003 | The access key is written into the resource.<br>**Fix:** Read the value from a Secret. |

      </details>

      <details><summary><b>MEDIUM</b> 1 finding</summary>

      \`deploy/web.yaml\`

      | Line | Resource | Rule | What |
      |---:|---|---|---|
      | 12 | \`Deployment shop/web\` | CS-002 | Container "app" may gain more privileges than its parent.<br>**Fix:** Set allowPrivilegeEscalation: false on every container. |

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
    expect(written).toMatch(/\nand 2,3\d\d more\n/);
    const low = findings.map((one) => ({ ...one, severity: 'LOW' as const, title: 'long '.repeat(60) }));
    expect(await reported(markdown, run(low, { errors }))).toMatch(
      /_\d+ more rules with findings omitted to keep this short; the other formats contain them\._/,
    );
  });

  it('says so if there are no findings', async () => {
    expect(await reported(markdown, run([]))).toMatch(/^## bylaw: no findings, score 69 \(D\)\n/);
  });
});
