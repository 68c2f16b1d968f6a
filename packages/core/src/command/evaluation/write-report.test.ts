import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineReporter, eachBatch, type Reporter } from '../../report/index.js';
import { CONTEXT, EVERYTHING, eventsAt } from '../../report/testing/run.test-support.js';
import { writeReport } from './write-report.js';

let folder: string;
let told: string;

beforeEach(async () => {
  told = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    told += text;
    return true;
  });
  folder = await mkdtemp(join(tmpdir(), 'bylaw-report-'));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

const written = async (report: Reporter, events = eventsAt(EVERYTHING, [1, 2])) => {
  const lines = defineReporter({ name: 'lines', mediaType: 'text/plain', description: 'lines', fileExtension: 'txt', report });
  const plugins = [{ plugin: { name: 'acme', reporters: [lines] } }];
  const output = join(folder, 'report.txt');
  await writeReport(events, { format: 'lines', output, verbose: false }, { ...CONTEXT, threshold: 'HIGH', plugins });
  return readFile(output, 'utf8');
};

describe('a format of a plugin', () => {
  it('writes each batch before it asks for the next one', async () => {
    const order: string[] = [];
    async function* events() {
      for await (const event of eventsAt(EVERYTHING, [1, 2])) {
        order.push(`read ${event.type}`);
        yield event;
      }
    }
    const text = await written(async (stream, out) => {
      await eachBatch(stream, async (findings) => {
        await out.write(`${findings.length}\n`);
        order.push('written');
      });
    }, events());
    expect(text).toBe('1\n1\n5\n');
    expect(order).toEqual(['read findings', 'written', 'read findings', 'written', 'read findings', 'written', 'read end']);
  });

  it('is told the threshold and the rules, and nothing of the plugins', async () => {
    const text = await written(async (events, out, context) => {
      await eachBatch(events, () => undefined);
      await out.write(JSON.stringify({ ...context, rules: context.rules.length }));
    });
    expect(JSON.parse(text)).toEqual({ ...CONTEXT, rules: 4, threshold: 'HIGH', subject: {} });
  });

  it('cannot hide what it leaves out from the person at the terminal', async () => {
    expect(await written(async (events) => void (await eachBatch(events, () => undefined)))).toBe('');
    expect(told).toBe(`error: broken.yaml:3:7: A tab stands where indentation is expected; use spaces.
error: There is no file or directory nowhere.
error: 1 check could not be evaluated: the rule failed on the resource.
note: Suppressed: 1 finding (configuration 1) in pods.yaml 1.
wrote ${join(folder, 'report.txt')}: INCOMPLETE  3 errors; 2 critical, 1 high (threshold HIGH); score 69
`);
  });

  it('fails, and leaves no file, where it stops before the end of the run', async () => {
    const early: Reporter = async (_, out) => out.write('all is well\n');
    await expect(written(early)).rejects.toMatchObject({
      code: 'plugin-invalid',
      message: 'The format `lines` stopped before the end of the run.',
    });
    await expect(readFile(join(folder, 'report.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is unknown where its plugin is not in use', async () => {
    const flags = { format: 'lines', output: join(folder, 'report.txt'), verbose: false };
    await expect(writeReport(eventsAt(EVERYTHING), flags, { ...CONTEXT, threshold: 'HIGH', plugins: [] })).rejects.toMatchObject({
      code: 'usage',
      message: 'No plugin in use has the format `lines`.',
      hint: expect.stringContaining('Known formats: text, json, sarif, junit, markdown, html, github, gitlab.'),
    });
  });
});
