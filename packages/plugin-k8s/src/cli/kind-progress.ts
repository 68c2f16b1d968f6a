import { type Output, plural } from '@bylaw/core/report';
import { printable } from '@bylaw/core/report/printable';
import type { KindPage } from '../scan/index.js';

export interface KindProgress {
  onListed(page: KindPage): void;
  /** An output that silences the progress once it is written to the same terminal. */
  around(out: Output): Output;
  stop(): void;
}

/** A line on stderr for each kind that has objects, once it is listed: on a terminal, and nowhere else. */
export function kindProgress({
  stderr,
  stdout,
}: {
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  stdout: { isTTY?: boolean };
} = process): KindProgress {
  let kind: string | undefined;
  let objects = 0;
  let silent = !stderr.isTTY;
  const tell = () => {
    if (!silent && kind !== undefined && objects > 0) stderr.write(`${printable(kind)}: ${plural(objects, 'object')}\n`);
  };
  const stop = () => {
    tell();
    silent = true;
  };
  return {
    onListed(page) {
      if (page.kind.name !== kind) {
        tell();
        kind = page.kind.name;
        objects = 0;
      }
      objects += page.objects.length;
    },
    around: (out) => ({
      write: (chunk) => {
        if (stdout.isTTY) stop();
        return out.write(chunk);
      },
    }),
    stop,
  };
}
