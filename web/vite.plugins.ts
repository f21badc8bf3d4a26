/** What the build does beside bundling. */

import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

const INDEX = 'index.html';
const COMPRESSIBLE = /\.(js|css|svg|webmanifest|txt)$/;
/** What the place of the shell's list is in the service worker's source. */
const SHELL = '__SHELL__';
const VERSION = '__VERSION__';

/**
 * Writes an entry for each module given: the page, with links to all that this module needs. The browser then loads it
 * at once rather than after the script that imports it.
 */
export function entries(modules: Record<string, string>): Plugin {
  return {
    name: 'raichi-entries',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const index = bundle[INDEX];
        if (index?.type !== 'asset') return;
        const html = String(index.source);
        for (const [fileName, module] of Object.entries(modules)) {
          const links = linksOf(bundle, module, html).map((link) => `  ${link}\n  `);
          const source = html.replace('</head>', `${links.join('')}</head>`);
          if (fileName === INDEX) index.source = source;
          else this.emitFile({ type: 'asset', fileName, source });
        }
      },
    },
  };
}

function linksOf(bundle: Bundle, module: string, html: string): string[] {
  const chunks = Object.values(bundle).filter((output): output is Chunk => output.type === 'chunk');
  const first = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
  if (!first) throw new Error(`${module} is not a chunk of its own`);
  const needed = new Set<Chunk>();
  const visit = (chunk: Chunk): void => {
    if (needed.has(chunk)) return;
    needed.add(chunk);
    for (const name of chunk.imports) visit(bundle[name] as Chunk);
  };
  visit(first);
  const scripts = [...needed].map(({ fileName }) => `<link rel="modulepreload" crossorigin href="./${fileName}">`);
  const styles = [...needed]
    .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
    .map((fileName) => `<link rel="stylesheet" crossorigin href="./${fileName}">`);
  const address = (link: string) => /href=("[^"]*")/.exec(link)?.[1] ?? link;
  return [...new Set([...styles, ...scripts])].filter((link) => !html.includes(address(link)));
}

/** Tells the service worker which files make the shell, and a version that changes with them. */
export function shellOfServiceWorker(fileName: string): Plugin {
  return {
    name: 'raichi-shell',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const worker = bundle[fileName] as Chunk;
        if (worker.imports.length > 0) throw new Error(`${fileName} must be one file: it imports ${worker.imports}`);
        const files = Object.keys(bundle).filter((name) => name.startsWith('assets/') && !name.includes('-more-'));
        const index = bundle[INDEX];
        if (index?.type !== 'asset') return;
        // The names have hashes of the files' content in them.
        const version = createHash('sha256').update(files.sort().join()).update(index.source).digest('hex');
        worker.code = worker.code.replace(SHELL, files.join(' ')).replace(VERSION, version.slice(0, 12));
      },
    },
  };
}

/** Writes a brotli and a gzip variant beside each file that becomes shorter by them. */
export function compressed(): Plugin {
  let folder = '';
  return {
    name: 'raichi-compressed',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true });
      await Promise.all(files.filter((name) => COMPRESSIBLE.test(name)).map((name) => compress(join(folder, name))));
    },
  };
}

async function compress(file: string): Promise<void> {
  const plain = await readFile(file);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  const variants = {
    br: await promisify(brotliCompress)(plain, { params }),
    gz: await promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
  };
  for (const [end, bytes] of Object.entries(variants)) {
    if (bytes.length < plain.length) await writeFile(`${file}.${end}`, bytes);
  }
}
