// One measured run in a process of its own: evaluates a file with all installed rules, from YAML text to the JSON report.
// Arguments: file, threads (the calling one included), mode (evaluate | parse), and the addresses of packs. Prints one line of JSON.
import { readFileSync } from 'node:fs';
import { systemClock } from '@bylaw/core/clock';
import { createEngine } from '@bylaw/core/evaluate';
import { REPORTERS } from '@bylaw/core/report';
import { fileInput } from '@bylaw/core/resource';
import { loadCatalogue } from '@bylaw/core/rule';
import { RULE_PACKS } from '@bylaw/core/testing/rule-packs';
import { loadAll } from 'js-yaml';

const [file = '', threads = '0', mode = 'evaluate', ...packs] = process.argv.slice(2);
const started = performance.now();
let resources = 0;
let bytes = 0;
if (mode === 'parse') {
  resources = loadAll(readFileSync(file, 'utf8')).filter(Boolean).length;
} else {
  const engine = createEngine({ catalogue: await loadCatalogue({ packs: packs.length > 0 ? packs : RULE_PACKS }), clock: systemClock });
  const out = {
    write: (chunk: string) => {
      bytes += chunk.length;
    },
  };
  const events = engine.evaluate({ inputs: [fileInput(file, 'input.yaml')], threads: Number(threads) });
  const seen = async function* () {
    for await (const event of events) {
      if (event.type === 'end') resources = event.summary.resources;
      yield event;
    }
  };
  await REPORTERS.json.report(seen(), out, { version: '0', rules: engine.select(), colour: false, width: 80, verbose: false });
}
const milliseconds = performance.now() - started;
const { user, system } = process.cpuUsage();
const cpuMilliseconds = (user + system) / 1000;
console.log(JSON.stringify({ resources, milliseconds, bytes, cpuMilliseconds, peakMiB: process.resourceUsage().maxRSS / 1024 }));
