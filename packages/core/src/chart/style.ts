const LIGHT = '--c1:#0b63b5;--c2:#c4500b;--c3:#00805e;--c4:#a8447f;--c5:#7a6400;--c6:#5b6570;--edge:#5a8fc8;--grid:#dfe3e8;--axis:#7b8591';

const DARK = '--c1:#5db4f0;--c2:#f09a4a;--c3:#3fc79a;--c4:#e38fc0;--c5:#e0cf4a;--c6:#9aa5b1;--edge:#4c83b8;--grid:#2c343e;--axis:#7d8894';

/** What charts are made of; colours are variables. */
const SHAPES = `.chart text{font-size:12px}
.c-grid{stroke:var(--grid);stroke-width:1}
.c-zero,.c-tick{stroke:var(--axis);stroke-width:1}
.c-line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.c-actual{stroke:var(--text)}
.c-expected{stroke:var(--c1);stroke-dasharray:5 4}
.c-trend{stroke:var(--c2);stroke-width:2.5;stroke-dasharray:11 5}
.c-s1{stroke:var(--c1)}.c-s2{stroke:var(--c2)}.c-s3{stroke:var(--c3)}.c-s4{stroke:var(--c4)}.c-s5{stroke:var(--c5)}.c-s6{stroke:var(--c6)}
.c-dot{fill:var(--panel);stroke-width:2;stroke-dasharray:none}
.c-band{fill:var(--c1);fill-opacity:.14;stroke:var(--edge);stroke-width:1}
.c-level{stroke:var(--c4);stroke-width:2}
.c-l1{stroke-dasharray:8 4}.c-l2{stroke-dasharray:2 4}.c-l3{stroke-dasharray:10 3 2 3}
.c-divider{stroke:var(--axis);stroke-width:1;stroke-dasharray:3 3}
.c-mark{stroke:var(--panel);stroke-width:1.5}
.c-bad{fill:var(--bad)}.c-good{fill:var(--good)}.c-neutral{fill:var(--panel);stroke:var(--text);stroke-width:2}
.chart .c-label{font-weight:600;paint-order:stroke;stroke:var(--panel);stroke-width:3px;stroke-linejoin:round}
.c-f1{fill:var(--c1)}.c-f2{fill:var(--c2)}.c-f3{fill:var(--c3)}.c-f4{fill:var(--c4)}.c-f5{fill:var(--c5)}.c-f6{fill:var(--c6)}
.c-part{stroke:var(--panel);stroke-width:1}
.c-range{stroke:var(--text);stroke-width:1.5}
`;

/**
 * The colours of charts, over the style of the page: graphics keep a contrast of 3 to 1 with what is behind them, in light, dark and print.
 * Neighbours in the palette differ in lightness and hue after that of Okabe and Ito (Color Universal Design, https://jfly.uni-koeln.de/color/),
 * so that most colour-blind readers can tell them apart; what matters differs in form, too.
 */
export const CHART_STYLE = `
:root{${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}
.chart{width:100%;min-width:640px}
figure{overflow-x:auto}
${SHAPES}@media print{:root{${LIGHT}}
.chart{min-width:0}figure{overflow:visible}}
`;

/** The colours of the page around a chart, as in its style. */
const PAGE_LIGHT =
  '--panel:#f6f7f9;--text:#1c2128;--dim:#59636e;--good:#1a7f37;--bad:#cf222e;--critical:#a40e26;--high:#cf3a1f;--medium:#946200;--low:#0b6bcb;--info:#59636e';
const PAGE_DARK =
  '--panel:#181d24;--text:#e4e8ed;--dim:#9aa5b1;--good:#56d364;--bad:#ff7b72;--critical:#ff6b81;--high:#ff8a66;--medium:#e3b341;--low:#6cb6ff;--info:#9aa5b1';

/** The style of a chart without a page. Colours are in every rule, for not all that shows SVG knows variables. @param shapes beside those of charts */
export function standaloneStyle(shapes = ''): string {
  return `${standaloneRules(`${LIGHT};${PAGE_LIGHT}`, shapes)}@media screen and (prefers-color-scheme:dark){
${standaloneRules(`${DARK};${PAGE_DARK}`, shapes)}}
`;
}

function standaloneRules(colours: string, shapes: string): string {
  const values = new Map(colours.split(';').map((one) => [one.slice(0, one.indexOf(':')), one.slice(one.indexOf(':') + 1)]));
  const rules = `.chart{background:var(--panel)}
.chart text{fill:var(--text);font-family:system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;font-variant-numeric:tabular-nums}
.chart .dim{fill:var(--dim)}
${SHAPES}${shapes}`;
  return rules.replace(/var\((--[a-z0-9]+)\)/g, (_, name: string) => values.get(name) ?? 'currentColor');
}
