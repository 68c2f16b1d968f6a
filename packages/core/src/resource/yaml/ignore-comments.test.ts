import { describe, expect, it } from 'vitest';
import { readDocument } from '../read-document.js';
import type { IgnoreComment } from './ignore-comments.js';

function commentsIn(text: string): (IgnoreComment[] | undefined)[] {
  return readDocument({ file: 'a.yaml', index: 0, text, line: 1 }).resources.map((resource) => resource.ignoreComments?.slice());
}

function governed(text: string): string[] {
  return commentsIn(text).flatMap((comments) => (comments ?? []).map(({ ruleId, pointer }) => `${ruleId} ${pointer}`.trim()));
}

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: a
spec:
  hostNetwork: true # bylaw:ignore CS-010 needs the host's address
  containers:
    # bylaw:ignore CS-001, CS-002 it loads kernel modules
    # and says so
    - name: app
      image: a
    - name: other # bylaw:ignore CS-003
      args:
        - "# bylaw:ignore CS-004 no comment"
        - |
          # bylaw:ignore CS-005 no comment either
      securityContext: {privileged: true} # bylaw:ignore CS-006 x
`;

describe('comments that make an exception', () => {
  it('govern the node that starts on their line, or on the next line that is not a comment', () => {
    expect(governed(POD)).toEqual([
      'CS-010 /spec/hostNetwork',
      'CS-001 /spec/containers/0',
      'CS-002 /spec/containers/0',
      'CS-003 /spec/containers/1',
      'CS-006 /spec/containers/1/securityContext',
    ]);
  });

  it('carry their reason and their place', () => {
    const [first, second, , fourth] = commentsIn(POD)[0] ?? [];
    expect(first).toMatchObject({ reason: "needs the host's address", position: { line: 6, column: 21 } });
    expect(second).toMatchObject({ reason: 'it loads kernel modules', position: { line: 8, column: 5 } });
    expect(fourth).toMatchObject({ reason: '' });
  });

  it('govern the whole object when they are above its first key', () => {
    expect(governed('# bylaw:ignore CS-001 why\napiVersion: v1\nkind: Pod\n')).toEqual(['CS-001']);
    expect(governed('--- # bylaw:ignore CS-001 why\n\napiVersion: v1\nkind: Pod\n')).toEqual(['CS-001']);
  });

  it('govern the item below a dash on a line of its own', () => {
    expect(governed('apiVersion: v1\nkind: X\nlist:\n  - # bylaw:ignore CS-001 why\n    a: 1\n')).toEqual(['CS-001 /list/0']);
  });

  it('govern the last node that started, where a line starts none', () => {
    expect(governed('apiVersion: v1\nkind: X\nlist: [\n  a,\n  b ] # bylaw:ignore CS-001 why\n')).toEqual(['CS-001 /list/1']);
    expect(governed('apiVersion: v1\nkind: X\nlist: [\n  {a: 1},\n] # bylaw:ignore CS-001 why\n')).toEqual(['CS-001 /list/0/a']);
  });

  it('govern nothing when nothing is below them', () => {
    expect(governed('apiVersion: v1\nkind: X\n# bylaw:ignore CS-001 why\n')).toEqual([]);
  });

  it('are kept without a rule, so that they can be refused', () => {
    expect(governed('# bylaw:ignore\napiVersion: v1\nkind: X\n')).toEqual(['']);
  });

  it('are not recognised inside other words', () => {
    expect(governed('apiVersion: v1\nkind: X\na: b# bylaw:ignore CS-001 why\n')).toEqual([]);
    expect(governed('apiVersion: v1\nkind: X\na: b # see bylaw:ignore CS-001 why\n')).toEqual([]);
  });

  it('find the item of a List, and govern each item when they are above the List', () => {
    const list = `# bylaw:ignore CS-001 all
apiVersion: v1
kind: List
items:
  # bylaw:ignore CS-002 the first
  - apiVersion: v1
    kind: A
    x: 1 # bylaw:ignore CS-003 a field
  - apiVersion: v1
    kind: B
`;
    expect(commentsIn(list).map((comments) => comments?.map(({ ruleId, pointer }) => ruleId + pointer))).toEqual([
      ['CS-001', 'CS-002', 'CS-003/x'],
      ['CS-001'],
    ]);
  });

  it('are found in lines that end in CR LF', () => {
    const [comment] = commentsIn('apiVersion: v1\r\nkind: X\r\nx: 1 # bylaw:ignore CS-001 why\r\n')[0] ?? [];
    expect(comment).toEqual({ ruleId: 'CS-001', reason: 'why', pointer: '/x', position: { line: 3, column: 6 } });
  });
});
