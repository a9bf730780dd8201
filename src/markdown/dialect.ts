import type { Json } from '../core/chat.ts';
import type { AnchorRule } from '../core/config.ts';

interface Mark {
  readonly rule: AnchorRule;
  /** A page without any of them cannot have the spelling; asked first, since they are found much faster. */
  readonly literals: readonly string[];
  readonly pattern: RegExp;
}

/** Spellings that pages for one generator have and others hardly ever. Lengths are bounded: lines may be hostile. */
const MARKS: readonly Mark[] = [
  {
    rule: 'kramdown',
    literals: ['{:', '{%'],
    pattern: /^[ \t>]*\{:[^{}\n]*\}[ \t]*$|\{% *(?:include|include_relative|link|post_url|highlight) /mu,
  },
  { rule: 'hugo', literals: ['{{<', '{{%'], pattern: /\{\{[<%] *\/?\w[^\n]{0,300}?[%>]\}\}/u },
  {
    rule: 'mkdocs',
    literals: ['!!!', '???', '=== ', '--8<--', '///', '{ #'],
    pattern:
      /^[ \t]*(?:!!!|\?\?\?\+?) +[a-z]|^[ \t]*=== +"|^ *--8<--|^\/\/\/ *\w|^#+ .{0,300}\{ #[\w.-]{1,100} (?:[^}\n]{0,200} )?\}$/mu,
  },
  {
    rule: 'vitepress',
    literals: ['<script setup', ':::', '<<<', '@include:'],
    pattern:
      /^<script setup\b|^ *:{3,} +(?:code-group|info|tip|warning|danger|details)\b|^<<< +@?[\w./]|^<!-- *@include:/mu,
  },
  {
    rule: 'mdbook',
    literals: ['{{#', '{{ #', 'r['],
    pattern: /\{\{ *#(?:include|rustdoc_include|playground|title)\b|^r\[[\w.-]+\]$/mu,
  },
  {
    rule: 'docfx',
    literals: ['[!', ':::'],
    pattern: /\[!INCLUDE *\[|^ *:::(?:row|column|image|code|zone|moniker)\b|^ *::: *moniker\b/imu,
  },
  {
    rule: 'myst',
    literals: [')=', '`{', '~{', ':{'],
    pattern: /^\([\w./:-]+\)=[ \t]*$|^[ \t]*(?:`{3,}|~{3,}|:{3,})\{[\w:-]+\}/mu,
  },
  { rule: 'gitbook', literals: ['{%'], pattern: /\{% (?:hint|tabs|content-ref|stepper|embed) /u },
  {
    rule: 'obsidian',
    literals: ['[['],
    pattern: /(?<!`)!?\[\[[^[\]\n`]+\]\](?!`)|^```(?:dataview|tasks)\b/mu,
  },
  { rule: 'rails', literals: ['**DO NOT READ'], pattern: /^\*\*DO NOT READ THIS FILE ON GITHUB/mu },
  { rule: 'devsite', literals: ['{% setvar', '{:.external}'], pattern: /^\{% setvar |\{:\.external\}/mu },
  { rule: 'nodedoc', literals: ['<!-- YAML', 'Stability:'], pattern: /^<!-- YAML$|^> Stability: \d/mu },
  {
    rule: 'github',
    literals: ['import ', '<', ':::'],
    pattern:
      /^import [^\n]{0,300} from ['"][^\n]{0,300}['"];?$|^[ \t]*<\/?[A-Z][A-Za-z][^\n]*>[ \t]*$|^:::(?:note|tip|info|caution|warning|danger)\b/mu,
  },
];

export interface WrittenPage {
  readonly text: string;
  /** The text without its code, where code may hold the same characters. */
  readonly prose: () => string;
  readonly metadata: Readonly<Record<string, Json>>;
  /** Its front matter is TOML. */
  readonly toml: boolean;
}

/** Which generators a page is written for, as far as it shows. */
export function dialectsOf({ text, prose, metadata, toml }: WrittenPage): readonly AnchorRule[] {
  const found: AnchorRule[] = [];
  for (const { rule, literals, pattern } of MARKS) {
    if (!literals.some((literal) => text.includes(literal)) || !pattern.test(text)) continue;
    if (rule !== 'obsidian' || pattern.test(prose())) found.push(rule);
  }
  const keys = Object.keys(metadata);
  if (keys.some((key) => DOCFX_KEY.test(key))) found.push('docfx');
  if (keys.includes('language_tabs') || keys.includes('toc_footers')) found.push('slate');
  if (toml) found.push(/\]\(@\//u.test(text) || 'template' in metadata ? 'zola' : 'hugo');
  return found;
}

const DOCFX_KEY = /^(?:ms\.\w+|f1_keywords|helpviewer_keywords|Locale|schema)$/u;
