/** A word of a command line. */
export interface Word {
  text: string;
  /** JSON Pointer of the text that holds it. */
  pointer: string;
  /** The line of that text, from 1, if it is a script; otherwise 0. */
  line: number;
}

/** What separates the commands of a script, or ends a redirection. */
const BLANK = /\s/;
const SEPARATOR = /[;&|\n()]/;

/**
 * The commands of a shell script, each as its words: quotes are removed, comments and redirections are left out, and variables stay as they are
 * written. Reads what start scripts of components contain, not the whole language of a shell.
 */
export function commandsOfScript(script: string, pointer: string): Word[][] {
  const commands: Word[][] = [[]];
  let [word, started, quote, redirected, line, startLine] = ['', false, '', false, 1, 1];
  const endWord = () => {
    if (started && !redirected) commands.at(-1)?.push({ text: word, pointer, line: startLine });
    if (started) redirected = false;
    word = '';
    started = false;
  };
  const add = (character: string) => {
    if (!started) startLine = line;
    started = true;
    word += character;
  };
  for (let i = 0; i < script.length; i++) {
    const character = script.charAt(i);
    if (character === '\\' && quote !== "'") {
      i++;
      if (script.charAt(i) === '\n') line++;
      else add(script.charAt(i));
    } else if (quote !== '') {
      if (character === '\n') line++;
      if (character === quote) quote = '';
      else add(character);
    } else if (character === '"' || character === "'") {
      quote = character;
      add('');
    } else if (character === '$' && script.charAt(i + 1) === '(') {
      // Kubernetes replaces `$(NAME)` before the shell reads the script.
      const end = script.indexOf(')', i);
      const text = end < 0 ? character : script.slice(i, end + 1);
      add(text);
      i += text.length - 1;
    } else if (character === '#' && !started) {
      while (i + 1 < script.length && script.charAt(i + 1) !== '\n') i++;
    } else if (character === '>' || character === '<') {
      if (/^\d*$/.test(word)) [word, started] = ['', false];
      endWord();
      while (/[>&<]/.test(script.charAt(i + 1))) i++;
      redirected = true;
    } else if (SEPARATOR.test(character)) {
      endWord();
      redirected = false;
      if (character === '\n') line++;
      if (commands.at(-1)?.length !== 0) commands.push([]);
    } else if (BLANK.test(character)) {
      endWord();
    } else {
      add(character);
    }
  }
  endWord();
  return commands.filter(({ length }) => length > 0);
}
