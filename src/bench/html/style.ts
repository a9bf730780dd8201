/** Everything the page looks like; nothing is fetched. Colours hold in light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --paper: #fff; --tint: #f6f8fa;
  --good: #116329; --bad: #a40e26;
  --c0: #4c78a8; --c1: #e07b28; --c2: #2f8f5b; --c3: #a05195; --c4: #8a6d1d; --c5: #5f6b7a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9da7b3; --line: #3d444d; --paper: #0d1117; --tint: #161b22;
  --good: #56d364; --bad: #ff7b72;
  --c0: #79aee0; --c1: #f0a35e; --c2: #63c48f; --c3: #cf8ac4; --c4: #d3b255; --c5: #9fb0c3; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 76rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
p, dl { margin: .25rem 0; color: var(--soft); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; overflow-wrap: normal; }
caption { text-align: left; font-weight: 600; padding: 1rem 0 .25rem; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.plots { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); }
figure { margin: 0; min-width: 0; } figcaption { font-weight: 600; margin-bottom: .25rem; }
svg { display: block; width: 100%; max-width: 35rem; height: auto; }
.grid { stroke: var(--line); stroke-width: .7; } .tick { font-size: 11.5px; fill: var(--soft); } .label { font-size: 12.5px; font-weight: 600; fill: var(--ink); }
.whisker { stroke: var(--ink); stroke-width: 1.4; } polyline { fill: none; stroke-width: 2; }
${[0, 1, 2, 3, 4, 5].map((at) => `.s${at} { fill: var(--c${at}); } .l${at} { stroke: var(--c${at}); } .k${at} { background: var(--c${at}); }`).join('\n')}
.l1 { stroke-dasharray: 7 3; } .l2 { stroke-dasharray: 2 2.5; }
.legend { list-style: none; padding: 0; margin: .5rem 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
.key { display: inline-block; width: .8rem; height: .8rem; margin-right: .4rem; }
details { border: 1px solid var(--line); border-radius: .3rem; margin: .35rem 0; padding: 0 .6rem; }
summary { cursor: pointer; padding: .4rem 0; } details[open] { background: var(--tint); padding-bottom: .6rem; }
.win { color: var(--good); font-weight: 600; } .loss { color: var(--bad); font-weight: 600; }
.kind { color: var(--soft); font-size: .85rem; }
.lists { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); }
.lists h3 { font-size: .95rem; margin: .5rem 0 .25rem; } ol, .wanted { margin: 0; padding-left: 1.6rem; font-size: .9rem; }
.hit { font-weight: 600; color: var(--good); } .place { color: var(--soft); font-size: .8rem; display: block; }
`.trim();
