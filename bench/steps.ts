/**
 * What expressions that are made to take long cost until they are stopped: milliseconds, and MiB that they hold then.
 *
 *   npm run bench:steps                 all of them
 *   npm run bench:steps -- 'RE2'        those whose name holds the text
 *
 * Each is a kind of work in two or three nested loops over 5,000 items, or over a text of 50,000 characters. `packages/core/src/cel/budget/costs.ts` says how
 * many steps each kind of work is; these figures are how well it says so: none should stand out.
 */
import { createEvaluator } from '@bylaw/core/cel';

const text = `${'a'.repeat(50_000)}b`;
const numbers = Array.from({ length: 5_000 }, (_, index) => index);
const containers = numbers.map((index) => ({ name: `c${index}`, args: ['run'], volumeMounts: [{ name: 'v', mountPath: '/v' }] }));
const scope = {
  x: text,
  y: [...text].join(''),
  z: numbers.flatMap((number) => [...'abaab'].map((letter, index) => ((number * 7 + index) % 3 ? letter : 'b'))).join(''),
  n: numbers,
  s: numbers.map((number) => `${'x'.repeat(50)}${number}`),
  l: numbers.map((number) => ({ name: `n${number}`, value: number })),
  m: Object.fromEntries(numbers.map((number) => [`k${number}`, number])),
  p: { containers },
};
const twice = (body: string) => `n.all(a, n.all(b, ${body} || true))`;
const kept = (body: string) => `n.map(a, n.map(b, ${body}))`;

const EXPRESSIONS: { readonly [name: string]: string } = {
  'three loops over characters': 'x.split("").all(a, y.split("").all(b, x.split("").all(c, a != "c" || b != c)))',
  'three loops': 'n.all(a, n.all(b, n.all(c, a != b || true)))',
  'loops of two variables': 'n.all(i, a, n.all(j, b, n.all(k, c, true)))',
  arithmetic: twice('n.all(c, int(a) * int(b) % 7 == 1)'),
  'errors that are set aside': 'n.exists(a, n.exists(b, a.missing))',
  'lists that are kept': kept('n.map(c, [a, b, c])'),
  'maps that are kept': kept('n.map(c, {"a": a, "b": b})'),
  'lists that are joined and kept': kept('n + n'),
  'parts of texts that are kept': kept('x.split("a")'),
  'texts that are kept': kept('x.replace("a", "bb")'),
  'texts that are joined and kept': kept('cel.bind(t, x + y, t.contains("q") ? "" : t)'),
  'texts that are compared': twice('x == y'),
  'long texts that are searched for': twice('x.contains(x.substring(1, 9000) + "c" + x.substring(1, 9000))'),
  'texts that are measured': twice('x.size() > 0'),
  'texts that are cut': twice('x.substring(1) == ""'),
  'texts that are formatted': twice('"%s %s".format([s, x]) == ""'),
  'JSON that is parsed and kept': kept('parseJson("[[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[]]")'),
  'YAML that is parsed and kept': kept('parseYaml("[[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[]]")'),
  'times in time zones': twice('timestamp("2009-02-13T23:31:30Z").getHours("Europe/Berlin") > 30'),
  'a pattern of the engine': twice('x.matches("(a|a|a|a)(a|a|a|a)aaaaaaaaaaaac")'),
  'a pattern of RE2': twice('x.matches("^(a+)+$")'),
  'a pattern of RE2 with many states': twice('z.matches("(?i)(foo|bar|[ab]{30}a)[ab]{100}c|q")'),
  'matches of RE2': twice('x.findAll("(a|b){3}(c|a)?").size() > 1'),
  'matches of RE2, each looked for to the end': twice('x.findAll("a(.*c)?").size() > 1'),
  'lists that are searched': twice('"z" in s'),
  'lists that are searched for maps': twice('{"name": "z"} in l'),
  'lists that are sorted': twice('s.sort().size() > 1'),
  'lists without what is twice in them': twice('l.distinct().size() > 1'),
  'lists that are flattened and kept': 'n.map(a, n.map(b, n).flatten())',
  'maps that are listed and kept': kept('entries(m)'),
  'trees that are walked and kept': kept('leaves(l)'),
  selectors: twice('selects({"matchLabels": m}, m)'),
  'Pods that are looked at': twice('isWindows({"containers": p.containers})'),
  'mounts that are looked at': twice('mountedWritable({"containers": p.containers}, "w")'),
  'names of secrets': twice('n.all(c, isSecretName("some_ssl_password_credentials_file") || true)'),
  'secrets in texts': twice('hasSecretValue(x)'),
  quantities: twice('n.all(c, quantity("1Gi").isGreaterThan(quantity("2Mi")) || true)'),
};

const evaluator = createEvaluator();
const [wanted = ''] = process.argv.slice(2);
const held = () => {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 ** 2;
};
console.log(`${'ms'.padStart(7)}${'MiB'.padStart(7)}`);
for (const [name, source] of Object.entries(EXPRESSIONS).filter(([name]) => name.includes(wanted))) {
  const program = evaluator.compile(source, { variables: Object.keys(scope), maxNodes: 2000, maxNesting: 3 });
  globalThis.gc?.();
  const before = held();
  const started = performance.now();
  let after = before;
  try {
    program.evaluate(scope);
    console.log(`${name} was not stopped`);
  } catch {
    after = held();
  }
  console.log(`${(performance.now() - started).toFixed(0).padStart(7)}${(after - before).toFixed(0).padStart(7)}  ${name}`);
}
console.log(`peak of the process: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`);
