/** The style of the HTML report: system fonts, light and dark by the reader's preference, and print. Colours keep a contrast of 4.5 to 1. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#fff;--panel:#f6f7f9;--line:#dfe3e8;--text:#1c2128;--dim:#59636e;--link:#0a58ca;--track:#e6e9ed;
--critical:#a40e26;--high:#cf3a1f;--medium:#946200;--low:#0b6bcb;--info:#59636e;--good:#1a7f37;--fair:#946200;--bad:#cf222e;--chip:#fff}
@media (prefers-color-scheme:dark){:root{--bg:#0f1318;--panel:#181d24;--line:#2c343e;--text:#e4e8ed;--dim:#9aa5b1;--link:#78b4ff;--track:#262d36;
--critical:#ff6b81;--high:#ff8a66;--medium:#e3b341;--low:#6cb6ff;--info:#9aa5b1;--good:#56d364;--fair:#e3b341;--bad:#ff7b72;--chip:#0f1318}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main,header,footer{max-width:1080px;margin:0 auto;padding:0 24px}
header{display:flex;gap:28px;align-items:center;padding-top:36px;padding-bottom:8px;flex-wrap:wrap}
h1{font-size:26px;line-height:1.25;margin:0 0 4px;font-weight:650}
h2{font-size:19px;margin:40px 0 14px;font-weight:650}
h3{font-size:15px;margin:0 0 10px;font-weight:650}
p{margin:0 0 10px}
a{color:var(--link)}
code,.code{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere}
.dim{color:var(--dim)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(120px,1fr));gap:12px;margin:20px 0 0;padding:0;list-style:none}
.tiles li{background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:12px 14px}
.tiles b{display:block;font-size:24px;line-height:1.2;font-weight:650;font-variant-numeric:tabular-nums}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(420px,1fr));gap:16px;margin-top:20px}
figure{margin:0;background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:16px 18px}
figcaption{font-weight:650;margin-bottom:8px}
svg{display:block;max-width:100%;height:auto}
svg text{fill:var(--text);font:13px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;font-variant-numeric:tabular-nums}
svg .dim{fill:var(--dim)}
svg .track{fill:var(--track)}
svg .grade{font-size:40px;font-weight:700}
.f-critical{fill:var(--critical)}.f-high{fill:var(--high)}.f-medium{fill:var(--medium)}.f-low{fill:var(--low)}.f-info{fill:var(--info)}
.f-good{fill:var(--good)}.f-fair{fill:var(--fair)}.f-bad{fill:var(--bad)}.f-none{fill:var(--dim)}
.s-good{stroke:var(--good)}.s-fair{stroke:var(--fair)}.s-bad{stroke:var(--bad)}.s-none{stroke:var(--dim)}.s-track{stroke:var(--track)}
.chip{display:inline-block;min-width:78px;text-align:center;border-radius:5px;padding:1px 8px;font-size:11.5px;font-weight:700;letter-spacing:.03em;color:var(--chip)}
.critical{background:var(--critical)}.high{background:var(--high)}.medium{background:var(--medium)}.low{background:var(--low)}.info{background:var(--info)}
table{border-collapse:collapse;width:100%;font-size:14px}
th{text-align:left;font-weight:600;color:var(--dim);font-size:13px}
th,td{padding:6px 12px 6px 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap;width:1%}
td.k,th.k{white-space:nowrap;width:1%}
tr:last-child td{border-bottom:0}
details{background:var(--panel);border:1px solid var(--line);border-radius:10px;margin:0 0 10px}
summary{cursor:pointer;padding:11px 16px;display:flex;gap:12px;align-items:baseline}
summary::before{content:"\\25B8";color:var(--dim)}
details[open]>summary::before{content:"\\25BE"}
summary .title{flex:1;font-weight:600}
summary:focus-visible,a:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:6px}
.body{padding:2px 16px 14px 40px}
.fix{border-left:3px solid var(--good);padding:2px 0 2px 12px;margin:0 0 12px}
td .fix{margin:6px 0 0}
.verdict{border-radius:5px;padding:1px 8px;color:var(--chip)}
.verdict.pass{background:var(--good)}.verdict.fail,.verdict.incomplete{background:var(--bad)}.verdict.not-checked{background:var(--fair)}
.where{width:30%}.who{width:24%}
.error{border-left:3px solid var(--bad);padding-left:12px;margin:0 0 12px}
footer{color:var(--dim);font-size:13px;padding-top:28px;padding-bottom:40px}
@media (max-width:560px){.charts{grid-template-columns:1fr}.where,.who{width:auto}}
@media print{:root{--bg:#fff;--panel:#fff;--text:#000;--dim:#444;--line:#bbb;--track:#e6e9ed;--critical:#a40e26;--high:#cf3a1f;--medium:#946200;--low:#0b6bcb;--info:#59636e;--good:#1a7f37;--fair:#946200;--bad:#cf222e;--chip:#fff;--link:#000}
body{font-size:12px}details,figure,tr{break-inside:avoid}details::details-content{content-visibility:visible;height:auto}summary::before{content:""!important}
.chip,svg{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`;
