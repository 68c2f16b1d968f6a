import type { TestProject } from 'vitest/node';
import { buildPrograms, type Programs } from './programs.js';

declare module 'vitest' {
  interface ProvidedContext {
    programs: Programs;
  }
}

/** Before the tests against a cluster: builds what they start. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('programs', await buildPrograms((line) => console.error(line)));
}
