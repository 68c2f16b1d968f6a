import { spend } from './budget.js';

/** A text for re2js that counts the characters which are read as steps: how far it reads to find a match, only re2js knows. */
export class CountedText extends String {
  #next = 0;

  constructor(
    private readonly text: string,
    private readonly stepsPerCharacter: number,
  ) {
    super(text);
  }

  /** A search starts here: what follows counts again. */
  readFrom(index: number): void {
    this.#next = index;
  }

  override charCodeAt(index: number): number {
    if (index >= this.#next) {
      spend((index + 1 - this.#next) * this.stepsPerCharacter);
      this.#next = index + 1;
    }
    return this.text.charCodeAt(index);
  }

  override indexOf(part: string, from: number): number {
    const index = this.text.indexOf(part, from);
    spend(((index < 0 ? this.text.length : index) - from) / 4);
    return index;
  }
}
