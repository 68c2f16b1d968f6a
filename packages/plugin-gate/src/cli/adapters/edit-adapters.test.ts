import { describe, expect, it } from 'vitest';
import { addAdapter, finishAdapter, removeAdapter, rotateAdapter } from './edit-adapters.js';

const TEXT = `# The gate of the shop.
api:
  port: 8100 # taken by nobody else

# Who may ask.
adapters:
  - adapter_id: first # the oldest one
    kind: mcp
    secret_env: SVC_ADAPTER_SECRET_FIRST
  # comes from the build
  - adapter_id: second
    secret_env: SECOND_2 # by hand
    kind: ci

# The end.
log:
  level: info
`;

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('adding an adapter to a configuration', () => {
  const ci = { adapter_id: 'ci-main', kind: 'ci' } as const;

  it('puts it behind the others, and leaves everything else as it is', () => {
    const { text, entry } = addAdapter(TEXT, ci);
    expect(entry).toEqual({ ...ci, secret_env: 'SVC_ADAPTER_SECRET_CI_MAIN' });
    const added = '  - adapter_id: ci-main\n    kind: ci\n    secret_env: SVC_ADAPTER_SECRET_CI_MAIN\n';
    expect(text).toBe(TEXT.replace('    kind: ci\n\n', `    kind: ci\n${added}\n`));
  });

  it.each([
    ['an empty file', '', 'adapters:\n'],
    ['a file of comments', '# nothing yet\n', '# nothing yet\n\nadapters:\n'],
    ['a file without the list', 'log:\n  level: info\n', 'log:\n  level: info\nadapters:\n'],
    ['an empty list', 'adapters: []\n', 'adapters:\n'],
    ['a list that is commented out', 'adapters:\n', 'adapters:\n'],
  ])('begins the list in %s', (_, before, start) => {
    const { text } = addAdapter(before, { ...ci, enforcement: 'advisory' });
    expect(text).toBe(
      `${start}  - adapter_id: ci-main\n    kind: ci\n    secret_env: SVC_ADAPTER_SECRET_CI_MAIN\n    enforcement: advisory\n`,
    );
  });

  it('keeps to the style of the file', () => {
    const before = 'api:\n  port: 1\nadapters:\n- adapter_id: a\n  kind: ci\n  secret_env: A\n';
    expect(addAdapter(before, { ...ci, secret_env: 'B' }).text).toBe(`${before}- adapter_id: ci-main\n  kind: ci\n  secret_env: B\n`);
    const wide = 'api:\n    port: 1\nadapters:\n    - adapter_id: a\n      kind: ci\n      secret_env: A\n';
    const added = '    - adapter_id: ci-main\n      kind: ci\n      secret_env: B\n';
    expect(addAdapter(wide, { ...ci, secret_env: 'B' }).text).toBe(wide + added);
  });

  it('refuses a name or a variable that is taken', () => {
    expect(() => addAdapter(TEXT, { adapter_id: 'first', kind: 'ci' })).toThrow(code('AG-CFG-002'));
    expect(() => addAdapter(TEXT, { ...ci, secret_env: 'SECOND_2' })).toThrow(code('AG-CFG-002'));
    const { text } = addAdapter(TEXT, ci);
    // Both would have the same conventional variable.
    expect(() => addAdapter(text, { adapter_id: 'ci_main', kind: 'ci' })).toThrow(code('AG-CFG-002'));
  });

  it('refuses a list that is an alias', () => {
    expect(() => addAdapter('log: &x []\nadapters: *x\n', ci)).toThrow(code('AG-CFG-004'));
  });
});

describe('rotating the secret of an adapter', () => {
  it('names a new variable, and the old one as the previous', () => {
    const { text, entry } = rotateAdapter(TEXT, 'first');
    expect(entry).toEqual({
      adapter_id: 'first',
      kind: 'mcp',
      secret_env: 'SVC_ADAPTER_SECRET_FIRST_2',
      previous_secret_env: 'SVC_ADAPTER_SECRET_FIRST',
    });
    const rotated = 'SVC_ADAPTER_SECRET_FIRST_2\n    previous_secret_env: SVC_ADAPTER_SECRET_FIRST\n';
    expect(text).toBe(TEXT.replace('SVC_ADAPTER_SECRET_FIRST\n', rotated));
  });

  it('takes the ending off again the next time', () => {
    expect(rotateAdapter(TEXT, 'second').entry).toMatchObject({ secret_env: 'SECOND', previous_secret_env: 'SECOND_2' });
    const once = finishAdapter(rotateAdapter(TEXT, 'first').text, 'first').text;
    const twice = finishAdapter(rotateAdapter(once, 'first').text, 'first').text;
    expect(twice).toBe(TEXT);
  });

  it.each([
    ['by two', 'adapters:\n  - adapter_id: a\n    kind: ci\n    secret_env: A\n'],
    ['by four', 'adapters:\n    - adapter_id: a\n      kind: ci\n      secret_env: A\n'],
    ['not at all', 'adapters:\n- adapter_id: a\n  kind: ci\n  secret_env: A\n'],
    ['below a comment', 'adapters:\n  # the build\n  - adapter_id: a\n    kind: ci\n    secret_env: A\nlog:\n  level: info\n'],
    ['in flow style', 'policy: { bundle: policies }\nadapters:\n  - { adapter_id: a, kind: ci, secret_env: A }\n'],
    ['beside a shallower section', 'policy: { bundle: policies }\nadapters:\n  - adapter_id: a\n    kind: ci\n    secret_env: A\n'],
  ])('leaves a list that is indented %s where it is, however often', (_, before) => {
    let text = before;
    for (let count = 0; count < 4; count++) text = finishAdapter(rotateAdapter(text, 'a').text, 'a').text;
    expect(text).toBe(before);
  });

  it('takes no variable of another adapter', () => {
    const { text } = addAdapter(TEXT, { adapter_id: 'first_2', kind: 'ci' });
    expect(rotateAdapter(text, 'first').entry).toMatchObject({ secret_env: 'SVC_ADAPTER_SECRET_FIRST_3' });
  });

  it('does not begin twice, nor for an adapter that is not there', () => {
    expect(() => rotateAdapter(rotateAdapter(TEXT, 'first').text, 'first')).toThrow(code('AG-CFG-003'));
    expect(() => rotateAdapter(TEXT, 'third')).toThrow(code('AG-CFG-001'));
    expect(() => rotateAdapter('', 'third')).toThrow(code('AG-CFG-001'));
  });

  it('is not finished before it has begun', () => {
    expect(() => finishAdapter(TEXT, 'first')).toThrow(code('AG-CFG-003'));
    expect(() => finishAdapter(TEXT, 'third')).toThrow(code('AG-CFG-001'));
  });

  it('tells which variable is not needed any more', () => {
    expect(finishAdapter(rotateAdapter(TEXT, 'first').text, 'first')).toMatchObject({
      entry: { adapter_id: 'first', kind: 'mcp', secret_env: 'SVC_ADAPTER_SECRET_FIRST_2' },
      variable: 'SVC_ADAPTER_SECRET_FIRST',
    });
  });
});

describe('removing an adapter', () => {
  it('takes out its entry only', () => {
    const { text, entry } = removeAdapter(TEXT, 'second');
    expect(entry).toEqual({ adapter_id: 'second', kind: 'ci', secret_env: 'SECOND_2' });
    expect(text).toContain('adapter_id: first # the oldest one');
    expect(text).toContain('# The end.');
    expect(text).not.toContain('second');
    expect(() => removeAdapter(text, 'second')).toThrow(code('AG-CFG-001'));
  });

  it('may leave an empty list', () => {
    const { text } = removeAdapter('adapters:\n  - adapter_id: a\n    kind: ci\n    secret_env: A\n', 'a');
    expect(text).toBe('adapters: []\n');
  });
});
