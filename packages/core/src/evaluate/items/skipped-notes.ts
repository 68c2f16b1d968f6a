import { NamesByReason, type Note, namesText } from '../../note.js';
import { plural } from '../../plural.js';
import { FORMAT_NAMES, formatNote, type Skipped } from '../../resource/index.js';

/** A document that is not a resource, in a file that the user did not name. */
export interface SkippedDocument {
  file: string;
  what: Skipped;
}

/** Counts the files of documents that were passed over: the notes are the same, however the documents are shared out to threads. */
export class SkippedFiles {
  private readonly files = new NamesByReason<Skipped>();
  private readonly last = new Map<Skipped, string>();

  /** Takes documents in the order of the input, in which those of a file follow one another. */
  add(documents: readonly SkippedDocument[]): void {
    for (const { file, what } of documents) {
      if (this.last.get(what) !== file) this.files.add(what, file);
      this.last.set(what, file);
    }
  }

  notes(): Note[] {
    const unknown = this.files.of('unknown');
    const patches = this.files.of('patch');
    return [
      ...(patches ? [patchNote(patches)] : []),
      ...FORMAT_NAMES.flatMap((format) => formatNote(format, this.files.of(format)) ?? []),
      ...(unknown ? [unknownNote(unknown)] : []),
    ];
  }
}

function patchNote(files: Pick<Note, 'count' | 'first'>): Note {
  const what = plural(files.count, 'patch of a kustomization was not applied', 'patches of kustomizations were not applied');
  return {
    code: 'patch-not-applied',
    message: `${what}, and ${files.count === 1 ? 'is only a part of an object, so it was' : 'are only parts of objects, so they were'} not evaluated (${namesText(files)}).`,
    ...files,
  };
}

function unknownNote(files: Pick<Note, 'count' | 'first'>): Note {
  const one = files.count === 1;
  const contain = plural(files.count, 'file contains a document', 'files contain documents');
  const are = one ? 'It is not a Kubernetes object and was' : 'They are not Kubernetes objects and were';
  return {
    code: 'no-kubernetes-object',
    message: `${contain} without apiVersion and kind. ${are} not evaluated (${namesText(files)}).`,
    ...files,
  };
}
