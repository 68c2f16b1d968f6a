/** One control, criterion, requirement or technique of a framework. */
export interface Control {
  /** As rules cite it after the colon. */
  readonly id: string;
  /** In our own words, or a name that is free to reproduce; absent where neither is at hand. */
  readonly title?: string;
}

/** What is known of the controls of a framework, in the order of the framework. */
export interface ControlList {
  readonly controls: readonly Control[];
  /** Whether these are all controls that the framework has. Only then can coverage have a denominator. */
  readonly complete: boolean;
  /** Parts of the framework that rules may cite as a whole, such as a level. They are not controls. */
  readonly parts?: readonly Control[];
}

/** All controls of a framework. @param table one control a line: its identifier, then a space and its title, if it has one */
export function allControls(table: string): ControlList {
  return { controls: controlsOf(table), complete: true };
}

/** Titles of some controls of a framework whose list cannot be established, or is beside the point. @param table as for `allControls` */
export function someControls(table: string): ControlList {
  return { controls: controlsOf(table), complete: false };
}

function controlsOf(table: string): Control[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const space = line.indexOf(' ');
      return space < 0 ? { id: line } : { id: line.slice(0, space), title: line.slice(space + 1).trim() };
    });
}
