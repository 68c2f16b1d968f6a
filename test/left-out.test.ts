import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bylaw, folderOf, serveBylaw, toolAnswer } from './run-cli.js';

const POD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: a, image: nginx }] }\n';
const STACK = 'AWSTemplateFormatVersion: 2010-09-09\n';

const NOTES = [
  {
    code: 'entry-not-read',
    message: '1 entry was not read, because it is a link whose target does not exist (app/latest).',
    count: 1,
    first: ['app/latest'],
  },
  {
    code: 'format-not-read',
    message: 'No installed plugin reads Dockerfiles, so 1 file was not evaluated (app/Dockerfile).',
    count: 1,
    first: ['app/Dockerfile'],
  },
  {
    code: 'files-skipped',
    message: 'Looked at 605 files, read 603: 1 is of another format, 1 could not be read.',
    count: 2,
    first: ['app/Dockerfile', 'app/latest'],
  },
  {
    code: 'format-not-read',
    message: 'No installed plugin reads CloudFormation templates, so 2 files were not evaluated (app/stack.yaml, app/z.json).',
    count: 2,
    first: ['app/stack.yaml', 'app/z.json'],
  },
  {
    code: 'no-kubernetes-object',
    message:
      '31 files contain documents without apiVersion and kind. They are not Kubernetes objects and were not evaluated (app/many/v000.yaml, app/many/v001.yaml, app/many/v002.yaml, …).',
    count: 31,
    first: Array.from({ length: 20 }, (_, index) => `app/many/v${String(index).padStart(3, '0')}.yaml`),
  },
];

/** A folder with a file of every kind of thing that is left out, enough of them for several threads. */
function application(): string {
  const many = Array.from({ length: 600 }, (_, index) => [
    `app/many/v${String(index).padStart(3, '0')}.yaml`,
    index < 30 ? `replicas: ${index}\n---\nmore: ${index}\n---\n${POD}` : POD,
  ]);
  const folder = folderOf({
    ...Object.fromEntries(many),
    'app/Dockerfile': 'FROM scratch\n',
    'app/stack.yaml': `${STACK}---\n${STACK}`,
    'app/values.yaml': 'replicas: 1\n',
    'app/z.json': '{"Resources": {"B": {"Type": "AWS::S3::Bucket"}}}',
  });
  symlinkSync('gone', join(folder, 'app/latest'));
  return folder;
}

describe('what a run leaves out', () => {
  it('is named in the same notes, however many threads evaluate, and by a server', async () => {
    const cwd = application();
    const server = await serveBylaw();
    onTestFinished(server.stop);
    const run = (...more: string[]) => bylaw(['evaluate', 'app', '--json', '--rule', 'CS-021', ...more], { cwd });
    const here = await run('--threads', '1');
    expect(JSON.parse(here.stdout).notes).toEqual(NOTES);
    expect(here.code).toBe(0);
    expect(await run('--threads', '3')).toEqual(here);
    expect(await run('--remote', server.url)).toEqual(here);
  });

  it('is named by the server and the tool for files that the caller found in a folder', async () => {
    const server = await serveBylaw();
    onTestFinished(server.stop);
    const files = [
      { path: 'main.tf', content: 'x', explicit: false },
      { path: 'values.yaml', content: 'a: 1\n', explicit: false },
      { path: 'stack.yaml', content: STACK },
      { path: 'pod.yaml', content: POD },
    ];
    const body = { files, rules: ['CS-021'] };
    const answer = await fetch(`${server.url}/api/v1/evaluate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const report = (await answer.json()) as { notes: unknown; errors: unknown };
    expect(report.notes).toMatchObject([
      { code: 'format-not-read', count: 1, first: ['main.tf'] },
      { code: 'no-kubernetes-object', count: 1, first: ['values.yaml'] },
    ]);
    expect(report.errors).toMatchObject([{ code: 'format-not-read', location: { file: 'stack.yaml', line: 1, column: 1 } }]);
    expect(await toolAnswer('evaluate', body)).toEqual(report);
  });

  it('is named for both sides of a comparison, and once where it is the same', async () => {
    const cwd = folderOf({
      'a/pod.yaml': POD,
      'a/values.yaml': 'a: 1\n',
      'a/main.tf': '',
      'b/pod.yaml': POD,
      'b/values.yaml': 'a: 1\n',
    });
    const { stdout } = await bylaw(['validate', 'a', 'b', '--json'], { cwd });
    expect(JSON.parse(stdout).notes).toMatchObject([
      { code: 'format-not-read', first: ['a/main.tf'] },
      { code: 'files-skipped', first: ['a/main.tf'] },
      { code: 'no-kubernetes-object', first: ['a/values.yaml'] },
      { code: 'no-kubernetes-object', first: ['b/values.yaml'] },
    ]);
  });

  it('is an error with exit 2 when it was named', async () => {
    const cwd = folderOf({ 'main.tf': 'resource "a" "b" {}\n', 'pod.yaml': POD });
    const { code, stdout } = await bylaw(['evaluate', 'main.tf', 'pod.yaml', '--json', '--rule', 'CS-021'], { cwd });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      errors: [{ code: 'format-not-read', location: { file: 'main.tf' } }],
      notes: [],
      summary: { resources: 1 },
    });
  });
});
