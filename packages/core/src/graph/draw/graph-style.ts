/** The shapes of a graph. Their colours are those of charts and of the severities in the HTML report; what differs in colour differs in text, too. */
export const GRAPH_SHAPES = `.chart .g-title{font-size:18px;font-weight:600}
.chart .g-band-title{font-weight:600}
.chart .g-state{font-weight:600}
.chart .g-name{font-weight:600}
.g-band{fill:none;stroke:var(--grid);stroke-width:1}
.g-box{fill:var(--panel);stroke:var(--axis);stroke-width:1}
.g-outside{stroke-dasharray:5 4}
.g-missing{stroke:var(--bad);stroke-dasharray:5 4;stroke-width:1.5}
.g-bar-critical{fill:var(--critical)}.g-bar-high{fill:var(--high)}.g-bar-medium{fill:var(--medium)}.g-bar-low{fill:var(--low)}.g-bar-info{fill:var(--info)}.g-bar-good{fill:var(--good)}.g-bar-none{fill:var(--grid)}
.g-edge{fill:none;stroke:var(--axis);stroke-width:1.2}
.g-head{fill:var(--axis)}
.g-faint{opacity:.5}
.g-edge-missing{stroke:var(--bad)}.g-head-missing{fill:var(--bad)}
.g-edge-critical{stroke:var(--critical);stroke-width:2.2}.g-head-critical{fill:var(--critical)}
.g-edge-high{stroke:var(--high);stroke-width:2.2}.g-head-high{fill:var(--high)}
.g-edge-medium{stroke:var(--medium);stroke-width:2.2}.g-head-medium{fill:var(--medium)}
.g-edge-low{stroke:var(--low);stroke-width:2.2}.g-head-low{fill:var(--low)}
.g-edge-info{stroke:var(--info);stroke-width:2.2}.g-head-info{fill:var(--info)}
.chart .g-port{font-size:10px;fill:var(--dim);paint-order:stroke;stroke:var(--panel);stroke-width:3px}
.chart .g-rule{font-size:11px;font-weight:600;paint-order:stroke;stroke:var(--panel);stroke-width:3px}
`;
