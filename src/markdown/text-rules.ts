import type { Rule, Site } from './site.ts';

const TOC = /^(?:\[toc\]|\[\[_?toc_?\]\]|\{\{[<%]\s*toc\s*\/?[%>]\}\}|__TOC__|\$\{toc\})\s*$/iu;
const ABBREVIATION = /^\*\[[^\]]+\]:\s/u;

/** Marks that the site's table of contents takes the place of. */
export const contentsRule: Rule = (site, line, at) => {
  if (!TOC.test(at.text)) return undefined;
  site.write(line, at, '');
  return line + 1;
};

/** `*[HTML]: Hyper Text Markup Language` is shown when the pointer rests on the word. */
export const abbreviationRule: Rule = (site, line, at) => {
  if (!ABBREVIATION.test(at.text)) return undefined;
  site.write(line, at, '');
  return line + 1;
};

/** A formula between lines of `$$` is a listing: a lone `=` in it underlines nothing. */
export const mathRule: Rule = (site, line, at) => {
  if (at.text.trimEnd() !== '$$') return undefined;
  const end = site.find(/^\s*(?:>\s*)*[^`~]*\$\$\s*$/u, line + 1);
  if (end === -1 || site.lines[end]?.trim() !== '$$') return undefined;
  // Tildes do not stand in formulas at the beginning of a line.
  site.write(line, at, '~~~~~~');
  for (let next = line + 1; next < end; next += 1) {
    const place = site.containers.place(site.lines[next] ?? '');
    site.write(next, { ...place, indent: at.indent }, place.text);
  }
  site.write(end, at, '~~~~~~');
  return end + 1;
};

/** Generated regions and the comments around them. */
const REGIONS: readonly (readonly [RegExp, RegExp])[] = [
  [/^<!--\s*START doctoc/iu, /<!--\s*END doctoc/iu],
  [/^<!--\s*toc\s*-->/iu, /<!--\s*(?:\/toc|tocstop|endtoc)\s*-->/iu],
  [/^<!--\s*ALL-CONTRIBUTORS-LIST:\s*START/iu, /<!--\s*ALL-CONTRIBUTORS-LIST:\s*END/iu],
];

/** An HTML comment at the beginning of a line; what is in it has no rules. */
export const commentRule: Rule = (site, line, at) => {
  for (const [start, stop] of REGIONS) {
    const end = start.test(at.text) ? site.find(stop, line + 1) : -1;
    if (end === -1) continue;
    site.blank(line, end + 1);
    return end + 1;
  }
  return skipComment(site, line, at.text, '-->');
};

function skipComment(site: Site, line: number, text: string, mark: '-->' | '*/}'): number | undefined {
  if (text.includes(mark, 3)) return undefined;
  const end = site.find(mark === '-->' ? /-->/u : /\*\/\}/u, line + 1);
  return end === -1 ? site.lines.length : end + 1;
}

/** A comment of MDX that begins a line. */
export const expressionCommentRule: Rule = (site, line, at) => {
  const single = /^\{\/\*.*?\*\/\}/u.exec(at.text)?.[0];
  if (single !== undefined) {
    site.write(line, at, at.text.slice(single.length).trim());
    return line + 1;
  }
  const end = site.find(/\*\/\}\s*$/u, line + 1);
  if (end === -1) return undefined;
  site.blank(line, end + 1);
  return end + 1;
};

/** `%%` to `%%` is a note to the author in vaults: alone on its lines, or around a whole line. */
export const vaultCommentRule: Rule = (site, line, at) => {
  if (/^%%.*%%\s*$/u.test(at.text)) {
    site.write(line, at, at.text.replace(/%%[^%]*(?:%[^%]+)*%%/gu, '').replace(/^%%.*%%\s*$/u, ''));
    return line + 1;
  }
  if (at.text.includes('%%', 2)) return undefined;
  const end = site.find(/%%/u, line + 1);
  if (end === -1 || !/%%\s*$/u.test(site.lines[end] ?? '')) return undefined;
  site.blank(line, end + 1);
  return end + 1;
};

const CONFLICT = /^(?:<{7}|>{7}) /u;

/** What a merge left behind: its `=======` would make a heading of the paragraph above. */
export const conflictRule: Rule = (site, line, at) => {
  if (!/^(?:<{7}|>{7})(?: |$)|^={7}$/u.test(at.text) || at.column > 0) return undefined;
  if (at.text.startsWith('=')) {
    const next = site.lines.slice(line + 1, line + 4).find((text) => text.trim() !== '') ?? '';
    const certain = site.find(CONFLICT, 0) !== -1;
    if (!certain && !/^#{1,6}\s/u.test(next)) return undefined;
  }
  site.warn(line, 'mark of a merge conflict left out');
  site.write(line, at, '');
  return line + 1;
};

/** GitBook's `{% update date="2024-05-01" %}` heads an entry. */
export const updateRule: Rule = (site, line, at) => {
  const found = /^\{%\s*update\s[^%]*?\bdate="(?<date>[^"]+)"[^%]*%\}\s*$/u.exec(at.text)?.groups?.['date'];
  if (found === undefined) return undefined;
  site.write(line, at, `# ${found}`);
  return line + 1;
};
