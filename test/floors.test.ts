import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('the linter holds the floors', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bylaw-floors-'));
    const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false } }));
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['packages/core/src/resource/reader.ts', '../rule/index.js', 'its own floor or a lower one'],
    ['packages/core/src/rule/pack.ts', '../evaluate/engine.js', 'its own floor or a lower one'],
    ['packages/core/src/score/score.ts', '../report/index.js', 'its own floor or a lower one'],
    ['packages/core/src/errors.ts', './resource/index.js', 'its own floor or a lower one'],
    ['packages/core/src/evaluate/deep/worker.ts', '../../http/index.js', 'its own floor or a lower one'],
    ['packages/core/src/report/formats/text.ts', '@bylaw/cli', 'its own floor or a lower one'],
    ['packages/core/src/report/formats/text.ts', '../service/index.js', 'its own floor or a lower one'],
    ['packages/core/src/config/config.ts', '../http/index.js', 'its own floor or a lower one'],
    ['packages/core/src/http/serve.ts', '../plugin/load-plugins.js', 'its own floor or a lower one'],
    ['packages/core/src/thread/thread-pool.ts', '../http/index.js', 'below all other floors'],
    ['packages/plugin-k8s/src/index.ts', '@bylaw/plugin-cloud', 'A plugin imports core, and no other plugin'],
    ['packages/plugin-k8s/src/index.ts', '../../plugin-cloud/src/index.js', 'A plugin imports core, and no other plugin'],
    ['packages/plugin-gate/src/deep/proposal.ts', '@bylaw/cli', 'A plugin imports core, and no other plugin'],
    ['packages/cli/src/commands/rules.ts', '@bylaw/plugin-k8s', 'any of them may be absent'],
  ])('refuses that %s imports %s', (file, specifier, message) => {
    write(file, `export { thing } from '${specifier}';\n`);
    expect(lint()).toContain(message);
  });

  it.each([
    ['packages/core/src/rule/pack.ts', '../resource/index.js'],
    ['packages/core/src/rule/pack.ts', '../errors.js'],
    ['packages/core/src/report/formats/text.ts', '../evaluate/index.js'],
    ['packages/core/src/plugin/plugin.ts', './config/index.js'],
    ['packages/plugin-k8s/src/index.ts', '@bylaw/core/plugin'],
    ['packages/cli/src/commands/rules.ts', '@bylaw/core/rule'],
    ['packages/cli/src/commands/rules.ts', '../doors/rules.js'],
  ])('lets %s import %s', (file, specifier) => {
    write(file, `export { thing } from '${specifier}';\n`);
    expect(lint()).not.toContain('noRestrictedImports');
  });

  it('refuses the import of a type upwards', () => {
    write('packages/core/src/cel/create.ts', "import type { Rule } from '../rule/index.js';\n\nexport type Here = Rule;\n");
    expect(lint()).toContain('noRestrictedImports');
  });

  it('refuses a dynamic import upwards', () => {
    write('packages/core/src/cel/create.ts', "export const later = () => import('../rule/index.js');\n");
    expect(lint()).toContain('noRestrictedImports');
  });

  it('refuses a cycle', () => {
    write('packages/core/src/rule/a.ts', "import { b } from './b.js';\n\nexport const a = () => b;\n");
    write('packages/core/src/rule/b.ts', "import { a } from './a.js';\n\nexport const b = () => a;\n");
    expect(lint()).toContain('noImportCycles');
  });

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }

  function lint(): string {
    const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
    const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', '--colors=off', '.'], { cwd: folder, encoding: 'utf8' });
    return stdout + stderr;
  }
});
