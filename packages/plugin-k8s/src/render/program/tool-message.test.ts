import { describe, expect, it } from 'vitest';
import { toolMessage } from './tool-message.js';

const plain = (stderr: string) => toolMessage(stderr, { secrets: [], names: new Map() });

describe('the message of a program that failed', () => {
  it('is its error on one line, without log lines before it and advice for its own users', () => {
    const stderr =
      'level=INFO msg="found symbolic link"\nError: values do not fit:\nweb:\n- at \'\': no\n\nUse --debug flag to render out invalid YAML\n';
    expect(plain(stderr)).toBe("values do not fit: web: - at '': no.");
    expect(plain('error: accumulating resources: no')).toBe('accumulating resources: no.');
    expect(plain('something else happened!')).toBe('something else happened!');
  });

  it('is read from the log lines of kubectl', () => {
    expect(plain('E1121 19:56:17.163639    8232 run.go:72] "command failed" err="unknown field \\"resorces\\""\n')).toBe(
      'unknown field "resorces".',
    );
    expect(plain('E1121 19:56:17.163639    8232 run.go:72] "command failed" err=<\n\ttrouble with `\n\tx\n\t`: no\n >\n')).toBe(
      'trouble with ` x `: no.',
    );
  });

  it('shows the paths that the user knows, and no secrets', () => {
    const redaction = { secrets: ['hunter2', 'abc'], names: new Map([['/tmp/x/chart', 'chart']]) };
    expect(toolMessage("Error: cannot read /tmp/x/chart/a.yaml: bad value hunter2 in https://me:pw@host/x 'abc'", redaction)).toBe(
      "cannot read chart/a.yaml: bad value *** in https://***@host/x 'abc'.",
    );
  });

  it('holds no control characters, and an end', () => {
    expect(plain('Error: a\u001b[31mb\u0000c\td')).toBe('a [31mb c d.');
    expect(plain(`Error: ${'x'.repeat(5000)}`)).toHaveLength(1002);
  });
});
