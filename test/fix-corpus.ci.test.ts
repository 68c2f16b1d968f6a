import { fileURLToPath } from 'node:url';
import { fixedClock } from '@bylaw/core/clock';
import { createEngine, type Finding } from '@bylaw/core/evaluate';
import { fixInputs, type InputFix } from '@bylaw/core/fix';
import { discoverInputs, type Input } from '@bylaw/core/resource';
import { loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { describe, expect, it } from 'vitest';

const corpus = fileURLToPath(new URL('corpus', import.meta.url));
const catalogue = await loadCatalogue({ packs: RULE_PACKS });
const clock = fixedClock('2026-11-21');
const PROJECTS = ['argo-cd', 'ingress-nginx', 'kube-prometheus', 'kubernetes-examples', 'microservices-demo'];

describe('mending public projects', () => {
  it.each(PROJECTS)('%s loses findings, gets none, and keeps all its other lines', async (project) => {
    const { inputs } = await discoverInputs([project], { cwd: corpus });
    const before = await findingsOf(inputs);
    const { fixes, mended } = await fix(inputs);
    const after = await findingsOf(mended);
    expect([...after].filter(([place, count]) => count > (before.get(place) ?? 0))).toEqual([]);
    // RL-017 replaces this member by another one.
    const lost = fixes.flatMap(({ text }) => (text ? changedLines(text.before, text.after) : []));
    expect(lost.filter((line) => !line.trimStart().startsWith('minAvailable:'))).toEqual([]);
    await expect(summaryOf(fixes)).toMatchFileSnapshot(`corpus/${project}.fixes.txt`);
    const again = await fix(mended.filter((_, index) => fixes[index]?.text));
    expect(again.fixes.flatMap(({ text, fixed }) => [text, ...fixed].filter(Boolean))).toEqual([]);
  });
});

async function fix(inputs: readonly Input[]): Promise<{ fixes: InputFix[]; mended: Input[] }> {
  const fixes = await Array.fromAsync(fixInputs(catalogue, { inputs, unsafe: true }, clock));
  const mended = fixes.map(({ input, text }): Input => (text ? { ...input, open: () => bytesOf(text.after) } : input));
  return { fixes, mended };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** How often each rule fails in each place. */
async function findingsOf(inputs: readonly Input[]): Promise<Map<string, number>> {
  const places = new Map<string, number>();
  for await (const event of createEngine({ catalogue, clock }).evaluate({ inputs, threads: 0 })) {
    if (event.type === 'end') break;
    for (const finding of event.batch.findings()) places.set(placeOf(finding), (places.get(placeOf(finding)) ?? 0) + 1);
  }
  return places;
}

function placeOf({ rule_id, resource, location, path }: Finding): string {
  return JSON.stringify([rule_id, location?.file, resource.kind, resource.name, path]);
}

/** What an edit may take away: values that rules call unsafe, and brackets that were empty. */
const MAY_CHANGE =
  /(privileged|hostPID|hostIPC|hostNetwork|shareProcessNamespace|allowPrivilegeEscalation|imagePullPolicy|runAsNonRoot)["']?:|\{\}/;

/** Lines of the first text that the second has not, in their order, and that no edit should change. */
function changedLines(before: string, after: string): string[] {
  const lines = after.split('\n');
  let at = 0;
  return before.split('\n').filter((line) => {
    const found = lines.indexOf(line, at);
    if (found >= 0) at = found + 1;
    return found < 0 && !MAY_CHANGE.test(line);
  });
}

function summaryOf(fixes: readonly InputFix[]): string {
  const count = (all: readonly string[]) =>
    [...Map.groupBy(all, (one) => one)]
      .map(([one, same]) => `${String(same.length).padStart(5)}  ${one}`)
      .sort((a, b) => (a.slice(7) < b.slice(7) ? -1 : 1));
  const changed = fixes.filter(({ text }) => text);
  const added = changed.reduce((sum, { text }) => sum + lengthOf(text?.after) - lengthOf(text?.before), 0);
  return [
    `${changed.length} of ${fixes.length} files changed, ${added} lines more`,
    ...['', 'Fixed', ...count(fixes.flatMap(({ fixed }) => fixed.map(({ rule_id, title }) => `${rule_id} ${title}`)))],
    ...[
      '',
      'Not fixed',
      ...count(fixes.flatMap(({ unfixed }) => unfixed.map(({ finding, reason }) => `${finding.rule_id} ${reason}`))),
      '',
    ],
  ].join('\n');
}

function lengthOf(text = ''): number {
  return text.split('\n').length;
}
