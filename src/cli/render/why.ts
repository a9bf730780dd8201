import type { Why } from '../../kb/why.ts';
import type { WhyWord } from '../../kb/why-words.ts';
import { headingPathOf, locationOf } from './place.ts';
import { renderRows } from './table.ts';
import { oneLine, stylesOf, type Terminal } from './terminal.ts';

/** Terms of the section that are shown; the rest is counted. */
const SHOWN_TERMS = 60;

const FATES: Readonly<Record<WhyWord['fate'], string>> = {
  matched: 'matched',
  absent: 'not in the section',
  'stop-word': 'dropped: a stop word',
  'left-out': 'dropped: commoner than the words that are searched',
  unknown: 'no section holds it',
};

/** The verdict first, then what it rests on; without line end after the last line. */
export function renderWhy(why: Why, terminal: Terminal): string {
  const styles = stylesOf(terminal);
  const { section } = why;
  const head = [
    ...(section === undefined ? [] : [`${headingPathOf(section)} (#${section.ref})`, locationOf(section)]),
    styles.bold(oneLine(why.reason)),
    ...(why.nearest.length === 0 ? [] : [oneLine(`nearest: ${why.nearest.join(', ')}`)]),
    why.tier,
  ];
  return [head.join('\n'), wordTable(why, terminal), listTable(why, terminal), parts(why), terms(why)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function wordTable({ words }: Why, terminal: Terminal): string {
  if (words.length === 0) return 'The query has no words.';
  return renderRows(
    words.map((word) => [
      word.typed === undefined ? word.word : `${word.word} (typed ${word.typed})`,
      word.stem,
      FATES[word.fate],
      String(word.count),
      String(word.chunks),
      word.weight?.toFixed(2) ?? '-',
    ]),
    [
      { title: 'word', shrinkTo: 12 },
      { title: 'stem', shrinkTo: 8 },
      { title: 'what became of it', shrinkTo: 12 },
      { title: 'in section', align: 'right' },
      { title: 'in chunks', align: 'right' },
      { title: 'weight', align: 'right' },
    ],
    terminal,
  );
}

function listTable({ lists }: Why, terminal: Terminal): string {
  if (lists.length === 0) return '';
  return renderRows(
    lists.map(({ list, of, rank, score, length }) => [
      list,
      rank === undefined ? 'not in it' : String(rank),
      `${length} ${of}`,
      score?.toFixed(4) ?? '-',
    ]),
    [
      { title: 'list' },
      { title: 'rank', align: 'right' },
      { title: 'among', align: 'right' },
      { title: 'score', align: 'right' },
    ],
    terminal,
  );
}

function parts({ parts: shares }: Why): string {
  if (shares === undefined) return '';
  const sum = Object.entries(shares).map(([name, share]) => `${name} ${share.toFixed(3)}`);
  return `lexical score: ${sum.join(' + ')}`;
}

function terms({ terms: all, section }: Why): string {
  if (section === undefined) return '';
  const shown = all.slice(0, SHOWN_TERMS).map(({ stem, count }) => (count > 1 ? `${stem} x${count}` : stem));
  const more = all.length > SHOWN_TERMS ? ` and ${all.length - SHOWN_TERMS} more` : '';
  return oneLine(
    `${section.chunks} ${section.chunks === 1 ? 'chunk' : 'chunks'}; its terms: ${shown.join(', ')}${more}`,
  );
}
