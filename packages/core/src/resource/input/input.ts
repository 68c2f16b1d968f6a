import { closeSync, constants, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import type { InputError } from '../../errors.js';
import type { UnknownValue } from '../../undecided.js';
import type { JsonObject } from '../text/json.js';
import type { Position } from '../text/lines.js';
import type { FileUse, SourceDocument } from '../yaml/source-document.js';

/** A source of bytes: a file, standard input, or text that is already in memory. */
export interface Input {
  /** The name under which findings and errors report it. */
  file: string;
  /** Whether the user named it. A file met while walking a directory may hold other things than manifests. */
  explicit: boolean;
  /** What a kustomization uses the file for. Absent: it holds manifests, as far as is known. */
  use?: FileUse;
  /** What reads it together with other files. Absent: it holds documents that are read one by one. */
  reader?: GroupReader;
  /** Bytes, where known. */
  size?: number;
  /** The absolute path, links resolved, where the input is a regular file. */
  path?: string;
  /** The source that the text was rendered from, under the name the user knows. Its lines are then not lines of `file`. */
  rendered?: string;
  /** Where the text was rendered: the files and folders that it was made from, absolute. Absent if that is not known, or was reached through a link. */
  madeFrom?: readonly string[];
  /** May be called more than once; each call starts at the first byte. The iteration throws when the source cannot be read. */
  open(options?: OpenOptions): AsyncIterable<Uint8Array>;
}

export interface OpenOptions {
  /** That nobody will open the input again, so that nothing of it need be kept. */
  last?: boolean;
}

/**
 * Makes resources of files that belong together, such as the files of a root module. Each resource says to which group it belongs; rules that look at the
 * set see only the resources of the same group.
 */
export interface GroupReader {
  /** Short name, such as `terraform`. */
  readonly name: string;
  /** Whether it reads a file of this name. The first reader that does reads the file; what none recognises is read as Kubernetes manifests. */
  recognises(file: string): boolean;
  /**
   * Reads all files of a run that it recognises, in any order that is the same for the same files. It may be called more than once. What is wrong with a
   * file is a part of the type `error`, and everything else is still read: it throws only for defects. Files are input of strangers: a reader limits what
   * it reads, and opens nothing but what it is given.
   */
  read(files: readonly Input[], options?: OpenOptions): AsyncIterable<ReaderPart>;
}

/** What a reader gives: resources, documents of YAML or JSON that hold manifests, and errors. All of it is plain data, which can be sent to a thread. */
export type ReaderPart =
  | { type: 'resource'; resource: ReadResource }
  | { type: 'text'; document: SourceDocument; explicit: boolean }
  | { type: 'error'; error: InputError };

/** A resource as a reader gives it. */
export interface ReadResource {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name: string;
  /** JSON without members that are null. */
  object: JsonObject;
  group: string;
  file: string;
  /** Where the resource begins. */
  position: Position;
  /** The places of values in it, by JSON Pointer. A value without a place has that of what holds it. */
  positions?: { readonly [pointer: string]: Position };
  unknown?: readonly UnknownValue[];
  terraform?: TerraformFacts;
}

/** What Terraform says about a resource beside the values of its arguments. */
export interface TerraformFacts {
  mode: 'managed' | 'data';
  /** `aws_s3_bucket`, without the `data.` that the kind of a data source has. */
  type: string;
  /** Source address of the provider, with its host; empty where the plan does not say. */
  provider: string;
  /** Address of the module that holds it; empty for the root module. */
  module: string;
  /** Region of its provider, where the configuration of the root module has it as a constant. */
  region?: string;
  /** Address, without indices, of the template that a group starts its machines from, where the configuration refers to one. */
  template?: string;
}

/** The input with the reader that recognises its name, if one does. */
export function withReader<I extends Input>(input: I, readers: readonly GroupReader[]): I {
  const reader = input.rendered === undefined ? readers.find((one) => one.recognises(input.file)) : undefined;
  return reader === undefined ? input : { ...input, reader };
}

/** Text in memory. */
export function textInput(
  file: string,
  content: string | Uint8Array,
  options: Partial<Pick<Input, 'explicit' | 'rendered' | 'use'>> = {},
): Input {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    file,
    explicit: options.explicit ?? true,
    size: bytes.length,
    ...(options.rendered !== undefined && { rendered: options.rendered }),
    ...(options.use !== undefined && { use: options.use }),
    async *open() {
      yield bytes;
    },
  };
}

/** A file, read as it is consumed. */
export function fileInput(path: string, displayName: string, options: Partial<Pick<Input, 'explicit' | 'size' | 'use'>> = {}): Input {
  return {
    file: displayName,
    explicit: options.explicit ?? true,
    path,
    ...(options.use === undefined ? {} : { use: options.use }),
    ...(options.size === undefined ? {} : { size: options.size }),
    open: () => chunksOf(path),
  };
}

const CHUNK_BYTES = 256 * 1024;

/**
 * A regular file is read at once, chunk by chunk: a stream takes several times as long to open and to close as the few kilobytes of a manifest take to
 * read. What is not one, such as a pipe, may let its reader wait.
 */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const status = fstatSync(file);
    if (!status.isFile()) return yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
    // One byte more than the file has, so that its end is seen without another read of a whole chunk.
    for (let rest = status.size + 1; ; rest -= CHUNK_BYTES) {
      const chunk = Buffer.allocUnsafe(rest > 0 ? Math.min(rest, CHUNK_BYTES) : CHUNK_BYTES);
      const length = readSync(file, chunk);
      if (length === 0) return;
      yield chunk.subarray(0, length);
      if (length < chunk.length) return;
    }
  } finally {
    closeSync(file);
  }
}

/**
 * The error for a source that cannot be read, in words of the operating system's error code.
 * @param found whether it was found in a folder, rather than named by the user
 */
export function unreadable(file: string, error: unknown, { found }: { found: boolean }): InputError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = code === 'ENOENT' && found ? VANISHED : (READ_ERRORS[code] ?? 'It cannot be read');
  return {
    code: code === 'ENOENT' && !found ? 'path-not-found' : 'path-unreadable',
    message: `${why}.`,
    location: { file, line: 1, column: 1 },
  };
}

const VANISHED = 'The file or folder disappeared after its parent folder was listed. Run the command again when nothing changes the folder';

const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'The file does not exist. Check the spelling and the working directory',
  EACCES: 'You do not have permission to read it. Change its mode, or run the command as its owner',
  EPERM: 'You do not have permission to read it. Change its mode, or run the command as its owner',
  EISDIR: 'It is a directory, but must be a file',
  ELOOP: 'Its symbolic links form a loop. Remove one of them',
  EMFILE: 'Too many files are open. Raise the limit (ulimit -n)',
  ENXIO: 'It is a socket, or a device that is not available. Pass a file instead',
  ENAMETOOLONG: 'Its path is longer than the system allows. Pass a folder closer to the file',
};
