import { describe, expect, it } from 'vitest';
import { readDocument } from '../read-document.js';
import { readObject } from '../read-object.js';
import { isInputError } from '../yaml/source-document.js';
import { formatOfFile } from './formats.js';
import { textInput } from './input.js';
import { splitDocuments } from './split.js';

function read(text: string, file = 'x.yaml', explicit = false) {
  return readDocument({ file, index: 0, text, line: 1 }, { explicit });
}

const PLAYBOOK = '- name: web\n  hosts: all\n  tasks: []\n';
const WORKFLOW = 'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n';

describe('the format of a file', () => {
  it.each([
    ['terraform', ['main.tf', 'a/b.tofu', 'prod.tfvars', 'x.tf.json', 'x.auto.tfvars.json', 'x.tftest.hcl', 'live/terragrunt.hcl']],
    ['terraform-state', ['terraform.tfstate', 'terraform.tfstate.backup', 'terraform.tfstate.1732.backup']],
    ['bicep', ['main.bicep', 'main.bicepparam']],
    ['dockerfile', ['Dockerfile', 'a/Dockerfile.prod', 'web.dockerfile', 'Containerfile']],
    ['jsonnet', ['a.jsonnet', 'b.libsonnet']],
    ['cue', ['a.cue']],
    ['template', ['a.yaml.tpl', 'b.yml.j2', 'c.json.tmpl']],
    [
      undefined,
      ['a.yaml', 'plan.json', 'Dockerfile.dockerignore', 'main.tf.md', '.terraform.lock.hcl', 'mydockerfile', 'values.yaml', '<stdin>'],
    ],
  ])('%s is told by names alone', (format, files) => {
    expect(files.map(formatOfFile)).toEqual(files.map(() => format));
  });

  it.each([
    ['cloudformation', 'AWSTemplateFormatVersion: 2010-09-09\n'],
    ['cloudformation', 'Resources:\n  B:\n    Type: AWS::S3::Bucket\n    Properties: { Name: !Ref X }\n'],
    ['arm', '{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "resources": []}'],
    ['terraform-state', '{"version": 4, "terraform_version": "1.9.0", "resources": []}'],
    ['compose', 'services:\n  web: { image: nginx }\n'],
    ['compose', 'services: {}\n', 'a/compose.prod.yaml'],
    ['github-actions', WORKFLOW],
    ['github-actions', 'jobs: { all: { uses: ./x.yml } }\n', '.github/workflows/ci.yml'],
    ['github-actions', 'name: x\nruns: { using: composite }\n', 'action.yml'],
    ['gitlab-ci', 'stages: [test]\n', 'app/.gitlab-ci.yml'],
    ['ansible', PLAYBOOK],
    ['openapi', 'openapi: 3.1.0\ninfo: { title: x, version: "1" }\npaths: {}\n'],
    ['pulumi', 'name: x\nruntime: nodejs\n', 'Pulumi.yaml'],
    ['pulumi', 'config: {}\n', 'Pulumi.prod.yaml'],
    ['serverless', 'service: x\n', 'serverless.yml'],
    ['unknown', 'replicaCount: 1\nservices: { web: { port: 80 } }\n', 'values.yaml'],
    ['unknown', 'replicas: 1\nservices: { web: { image: nginx } }\n', 'values.yaml'],
    ['unknown', '- name: a\n  hosts: x\n'],
    ['unknown', '{"compilerOptions": {}, // x\n}', 'tsconfig.json'],
    ['unknown', 'Resources: [AWS::S3::Bucket]\n'],
  ])('%s is told by what a document holds', (format, text, file = 'x.yaml') => {
    expect(read(text, file)).toEqual({ resources: [], errors: [], skipped: [format] });
  });

  it('is ignored in the configuration of bylaw itself', () => {
    expect(read('evaluate: {}\n', 'app/bylaw.yaml')).toEqual({ resources: [], errors: [], skipped: [] });
    expect(read('evaluate: {}\n', 'app/my-bylaw.yaml').skipped).toEqual(['unknown']);
  });

  it('is ignored in a Kubernetes object', () => {
    expect(read('apiVersion: example.com/v1\nkind: Stack\nAWSTemplateFormatVersion: x\nservices: { a: { image: b } }\n')).toMatchObject({
      resources: [{ kind: 'Stack' }],
      skipped: [],
    });
  });
});

describe('a file of a format that no plugin reads', () => {
  it('is one error when it is named, and is not opened', async () => {
    const input = {
      ...textInput('main.tf', ''),
      open: () => {
        throw new Error('it was opened');
      },
    };
    const errors = [];
    for await (const part of splitDocuments(input)) if (!isInputError(part)) errors.push(...readDocument(part).errors);
    expect(errors).toEqual([
      {
        code: 'format-not-read',
        message:
          'No installed plugin reads Terraform files, so this one cannot be evaluated. Evaluate a plan instead: terraform show -json plan.out > plan.json.',
        location: { file: 'main.tf', line: 1, column: 1 },
      },
    ]);
    expect(readDocument({ file: 'main.tf', index: 0, text: '', line: 1 }, { explicit: false })).toEqual({
      resources: [],
      errors: [],
      skipped: ['terraform'],
    });
  });

  it('is told by its content, too, with the place of the document', () => {
    expect(readDocument({ file: 'x.yaml', index: 1, text: PLAYBOOK, line: 7 }).errors).toEqual([
      {
        code: 'format-not-read',
        message: 'No installed plugin reads Ansible playbooks, so this one cannot be evaluated.',
        location: { file: 'x.yaml', line: 7, column: 1 },
      },
    ]);
    expect(readObject({ Resources: { B: { Type: 'AWS::S3::Bucket' } } }, { file: 'f', document: 0 }).errors).toMatchObject([
      { code: 'format-not-read', message: expect.stringContaining('CloudFormation templates') },
    ]);
  });

  it.each([
    ['Terraform files', 'resource "aws_s3_bucket" "logs" {\n  bucket = "logs"\n}\n'],
    ['Terraform files', '# comment\nterraform {\n  required_version = ">= 1.5"\n}\n'],
    ['Dockerfiles', '# syntax=docker/dockerfile:1\nFROM node:24 AS build\nRUN npm ci\n'],
  ])('is recognised by its text if that is not YAML: %s', (what, text) => {
    expect(read(text, '<stdin>', true).errors).toMatchObject([{ code: 'format-not-read', message: expect.stringContaining(what) }]);
  });

  it('is not what broken YAML is', () => {
    expect(read('apiVersion: v1\nkind: [', 'x.yaml', true).errors).toMatchObject([{ code: 'yaml-syntax' }]);
    expect(read('a long text', 'x.yaml', true).errors).toMatchObject([{ code: 'not-a-resource' }]);
  });

  it('is read when it was rendered: its name is that of the template', () => {
    const document = { file: 'chart/templates/a.yaml.tpl', index: 0, text: 'apiVersion: v1\nkind: Service\n', line: 1, rendered: 'chart' };
    expect(readDocument(document).resources).toHaveLength(1);
  });
});
