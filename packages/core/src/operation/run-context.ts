import { type Clock, fixedClock } from '../clock.js';
import type { NamedComparer } from '../evaluate/index.js';
import { type GroupReader, loadReaders } from '../resource/index.js';
import { type Catalogue, type CatalogueOrigin, loadCatalogue } from '../rule/index.js';
import { type Comparing, comparersOf, type RequestDefaults } from '../service/index.js';
import type { Place } from '../workload/index.js';

/** What answering a request may need of the program. Each part is loaded on first use. */
export interface RunContext {
  /** Tells the time of the request. */
  clock: Clock;
  catalogue(): Promise<Catalogue>;
  evaluation(): Promise<EvaluationContext>;
}

/** How the program evaluates and compares configurations where a request says nothing else. */
export interface EvaluationContext {
  /** Of the program, and so of its rules. */
  version: string;
  defaults: RequestDefaults;
  /** What plugins add to comparisons, and where configurations run. */
  comparers: readonly NamedComparer[];
  place: Place;
  /** What reads files together. */
  readers: readonly GroupReader[];
}

/** The same, in a form that threads can be given. */
export interface ProgramSetup {
  version: string;
  origin: CatalogueOrigin;
  defaults: RequestDefaults;
  comparing: Comparing;
  /** Modules of what plugins read files with. */
  readers: readonly string[];
}

/** The program, as the requests of one thread see it: each part is loaded once. */
export class Program {
  #catalogue: Promise<Catalogue> | undefined;
  #evaluation: Promise<EvaluationContext> | undefined;

  /** @param setup absent where no request needs rules */
  constructor(private readonly setup: ProgramSetup | undefined) {}

  /** @param now the time of the request, RFC 3339 */
  contextAt(now: string): RunContext {
    return { clock: fixedClock(now), catalogue: () => this.catalogue(), evaluation: () => this.#loadEvaluation() };
  }

  async catalogue(): Promise<Catalogue> {
    this.#catalogue ??= loadCatalogue(this.#known().origin);
    return this.#catalogue;
  }

  async #loadEvaluation(): Promise<EvaluationContext> {
    this.#evaluation ??= evaluationContext(this.#known());
    return this.#evaluation;
  }

  #known(): ProgramSetup {
    if (this.setup) return this.setup;
    throw new Error('a request needs rules, and the program was started without');
  }
}

async function evaluationContext({ version, defaults, comparing, readers }: ProgramSetup): Promise<EvaluationContext> {
  return { version, defaults, comparers: comparersOf(comparing), place: comparing.config.workloads, readers: await loadReaders(readers) };
}
