/**
 * Bundles a package: of the hundreds of modules that the compiler has written to `dist`, it makes a few files in `lib`, which are what runs. To find and
 * open every module by itself takes longer than most commands do. A file that others name keeps its path: what the package exports, commands, programs
 * of threads. See ADR 24.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));

/** What commands need before they know what they do, and what nearly all of them load then: a file each, with all that it imports. */
const TOGETHER = {
  '@bylaw/core': {
    base: ['errors.js', 'nearest.js', 'command/flags/index.js', 'installation.js', 'plugin/index.js'],
    everyday: ['command/evaluation/index.js', 'command/output/index.js', 'command/remote/index.js', 'evaluate/index.js', 'report/index.js'],
  },
};

/** The framework of commands: as many modules as the rest of the program. Core bundles it, and the other packages use core's. */
const FRAMEWORK = '@oclif/core';

/** Dependencies that are bundled with what they depend on: those that nearly every command loads, and those of which little is used. */
const BUNDLED = {
  '@bylaw/core': [FRAMEWORK, 'chalk', 'cli-progress', 'ignore', 'js-yaml', 'undici'],
  '@bylaw/cli': [
    '@inquirer/prompts',
    '@modelcontextprotocol/sdk',
    '@oclif/plugin-autocomplete',
    '@oclif/plugin-help',
    '@oclif/plugin-version',
    'chalk',
    'js-yaml',
  ],
};

/** Bundled dependencies that a module requires when it needs them: a file each. */
const REQUIRED = { '@bylaw/core': ['string-width', 'wrap-ansi'] };

/** Commands of other packages that are commands of the command line, so that nothing has to look for them at each start. */
const COMMANDS = {
  '@bylaw/cli': {
    'commands/autocomplete/create': '@oclif/plugin-autocomplete/lib/commands/autocomplete/create.js',
    'commands/autocomplete/index': '@oclif/plugin-autocomplete/lib/commands/autocomplete/index.js',
    'commands/autocomplete/script': '@oclif/plugin-autocomplete/lib/commands/autocomplete/script.js',
    'commands/help': '@oclif/plugin-help/lib/commands/help.js',
    'commands/version': '@oclif/plugin-version/lib/commands/version.js',
    'hooks/refresh-completion': '@oclif/plugin-autocomplete/lib/hooks/refresh-cache.js',
  },
};

/**
 * Replaces the folder `lib` of a package.
 * @param {string} folder of the package, absolute
 */
export async function bundle(folder) {
  const dist = join(folder, 'dist');
  const description = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entries = entriesOf(dist, description);
  const required = REQUIRED[description.name] ?? [];
  const bundled = await rolldown({
    cwd: folder,
    platform: 'node',
    input: {
      ...Object.fromEntries([...entries].map((file) => [file.slice(0, -'.js'.length), join(dist, file)])),
      ...Object.fromEntries(required.map((name) => [`required/${name}`, name])),
      ...Object.fromEntries(Object.entries(COMMANDS[description.name] ?? {}).map(([name, file]) => [name, join(modules, file)])),
    },
    plugins: [externals(description.name), addresses(dist, required), builtins()],
    // A module that is imported when it is needed stays apart even if others import it at once.
    checks: { ineffectiveDynamicImport: false },
  });
  const draft = join(folder, `lib.${process.pid}`);
  try {
    const { output } = await bundled.write({
      dir: draft,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name].js',
      // Names stay, and comments go.
      minify: { compress: false, mangle: false },
      codeSplitting: { groups: groupsOf(dist, TOGETHER[description.name] ?? {}) },
    });
    const licences = licencesOf(output.flatMap(({ moduleIds = [] }) => moduleIds));
    if (licences !== '') writeFileSync(join(draft, 'THIRD-PARTY-LICENSES.txt'), licences);
    rmSync(join(folder, 'lib'), { recursive: true, force: true });
    renameSync(draft, join(folder, 'lib'));
  } finally {
    await bundled.close();
    rmSync(draft, { recursive: true, force: true });
  }
}

function groupsOf(dist, together) {
  const groups = Object.entries(together).map(([name, files]) => {
    const modules = new Set(files.map((file) => join(dist, file)));
    return { name, test: (id) => modules.has(id) };
  });
  return together.everyday === undefined ? [] : [{ name: 'framework', test: /node_modules[\\/]@oclif[\\/]core[\\/]/ }, ...groups];
}

/** The licences of the packages that are in a bundle, which must go with it. */
function licencesOf(modules) {
  const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll(sep, '/'))?.[0] ?? []));
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    return `${name} ${version} (${license})\n\n${file === undefined ? '' : `${readFileSync(join(folder, file), 'utf8').trim()}\n`}`;
  });
  return texts.sort().join(`\n${'-'.repeat(80)}\n\n`);
}

/** The files that others name, relative to `dist`. */
function entriesOf(dist, { exports }) {
  const targets = Object.values(exports).map((target) => target.default ?? '');
  const entries = new Set(targets.filter((target) => target.startsWith('./lib/')).map((target) => target.slice('./lib/'.length)));
  for (const path of readdirSync(dist, { recursive: true })) {
    const file = path.replaceAll(sep, '/');
    if (!file.endsWith('.js') || file.includes('.test') || file.startsWith('docs-page/') || file.startsWith('testing/')) continue;
    const text = readFileSync(join(dist, file), 'utf8');
    if (/^(?:commands\/|hooks\/|main\.js$)/.test(file) || text.includes('compiledModule(import.meta.url)')) entries.add(file);
    for (const [, program] of text.matchAll(PROGRAM)) entries.add(program);
    for (const [, module] of text.matchAll(/new URL\('\.\/([^']+\.js)', import\.meta\.url\)/g)) entries.add(posix.join(file, '..', module));
  }
  return entries;
}

/** How a module names the program of a thread, so that the sources find it, too. */
const PROGRAM = /(?<=new URL\('(?:\.\.\/)+)dist\/([^']+\.js)(?=', import\.meta\.url\))/g;

/** oclif compares the names of plugins as patterns; those of this program are plain names. */
const EXACT = '\0exact-minimatch.cjs';
const EXACT_SOURCE = `exports.minimatch = (text, pattern) =>
  /[*?{}[\\]!]|[@+]\\(/.test(pattern) ? require('minimatch').minimatch(text, pattern) : text === pattern;`;

function externals(name) {
  const bundled = BUNDLED[name] ?? [];
  return {
    name: 'externals',
    load: (id) => (id === EXACT ? EXACT_SOURCE : null),
    resolveId(source, importer) {
      if (importer === undefined || /^[./]/.test(source)) return null;
      if (source === 'minimatch' && importer !== EXACT) return EXACT;
      if (source === FRAMEWORK && name !== '@bylaw/core') return { id: '@bylaw/core/oclif', external: true };
      const inside = importer.includes('node_modules') || bundled.some((one) => source === one || source.startsWith(`${one}/`));
      // oclif can run sources in TypeScript, which nobody here needs.
      return inside && !/^(?:node:|typescript$|ts-node|tsx)/.test(source) ? null : { id: source, external: true };
    },
  };
}

/** A module finds the files of its package as if it were still in a place of its own. */
function addresses(dist, required) {
  return {
    name: 'addresses',
    transform(code, id) {
      if (!id.startsWith(dist) || !code.includes('import.meta.url')) return null;
      const file = relative(dist, id).replaceAll(sep, '/');
      return code
        .replace(PROGRAM, 'lib/$1')
        .replace(/(?<=\brequire\(')[^'.]+(?='\))/g, (name) => (required.includes(name) ? `${relativeTo(file)}/required/${name}.js` : name))
        .replaceAll('import.meta.url', `ADDRESS_OF(${JSON.stringify(file)})`);
    },
    renderChunk(code, { fileName }) {
      const up = relativeTo(fileName);
      return code.replace(/ADDRESS_OF\("([^"]+)"\)/g, (_, file) => `new URL(${JSON.stringify(`${up}/${file}`)}, import.meta.url).href`);
    },
  };
}

/** The way from a file to the root of its tree. */
function relativeTo(file) {
  return posix.relative(posix.dirname(file), '.') || '.';
}

/**
 * To import a module of Node reads each of its members, and some load half of Node: the standard streams of the process, for example. A bundle reads
 * only the members that it uses, and those of the largest module when it calls them.
 */
function builtins() {
  const statement = /^import (?:(?:\* as )?([\w$]+))?(?:, )?(?:\{([^}]+)\})? from ['"](node:[\w/]+)['"];$/gm;
  return {
    name: 'builtins',
    transform(code) {
      if (!code.includes('node:')) return null;
      return code.replace(statement, (_, whole, members = '', module) => {
        const loaded = `globalThis.process.getBuiltinModule(${JSON.stringify(module)})`;
        const pairs = members.split(',').flatMap((member) => (member.trim() === '' ? [] : [member.trim().split(' as ')]));
        const late = module === 'node:crypto' ? pairs.filter(([name]) => /^[a-z]/.test(name) && name !== 'constants') : [];
        const early = pairs.filter((pair) => !late.includes(pair)).map((pair) => pair.join(': '));
        const lines = late.map(([name, local = name]) => `const ${local} = (...args) => (late ??= ${loaded}).${name}(...args);`);
        if (late.length > 0) lines.unshift('let late;');
        if (whole !== undefined) lines.push(`const ${whole} = ${loaded};`);
        if (early.length > 0) lines.push(`const { ${early.join(', ')} } = ${loaded};`);
        return lines.join(' ');
      });
    },
  };
}
