/** A fenced block of code. */
export interface Block {
  /** What comes after the fence; empty where nothing does. */
  language: string;
  text: string;
  /** Of the opening fence, from 1. */
  line: number;
}

export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^ *```(\w*)/.exec(line);
    if (!fence) {
      if (open) open.text += `${line}\n`;
    } else if (open) {
      blocks.push(open);
      open = undefined;
    } else {
      open = { language: fence[1] ?? '', text: '', line: index + 1 };
    }
  }
  return blocks;
}

/** Everything but the blocks. */
export function proseOf(markdown: string): string {
  return markdown.replace(/^ *```[\s\S]*?^ *```/gm, '');
}

/** The targets of the links within the repository, without those that are in code. */
export function linksOf(markdown: string): string[] {
  const prose = proseOf(markdown).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target).filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target));
}

/** What may come after `#` in a link to the page: the headings as GitHub names them, and anchors of its own. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const prose = proseOf(markdown);
  const headings = [...prose.matchAll(/^#+ +(.+?) *$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-'),
  );
  const own = [...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return new Set([...headings, ...own]);
}

/** The blocks that a page shows as files, by the paths in front of them. */
export function filesShownIn(markdown: string, paths: RegExp): { [path: string]: string } {
  const lines = markdown.split('\n');
  return Object.fromEntries(
    blocksOf(markdown).flatMap(({ text, line }) => {
      const path = /^`([^` ]+)`/.exec(lines[line - 3] ?? '')?.[1];
      return path !== undefined && paths.test(path) ? [[path, text]] : [];
    }),
  );
}
