/** A range of a text: `text.slice(start, end)`. */
export interface Span {
  start: number;
  end: number;
}

// A full stop after one of these ends no sentence: initials ("J.", "U.S.", "z. B."), and in English, German, Spanish,
// French and Russian titles and words that precede what they qualify.
const ABBREVIATION = endingWith(
  `(?:\\p{L}\\.)*\\p{L}|dr|mr|mrs|ms|prof|st|vs|approx|cf|al|inc|ltd|co|dept|ca|bzw|ggf|evtl|inkl|zzgl|vgl|sog|mio|mrd|hr|
   sr|sra|srta|dra|ud|uds|uu|ee|aprox|ej|mm|mme|mlle|env|ул|им|тыс|млн|млрд|руб|св|напр`,
);
// "No. 5" goes on, and "He said no." ends.
const BEFORE_NUMBER = endingWith(
  `no|nos|nr|núm|num|nº|fig|figs|abb|tab|sec|eq|art|vol|pp|pág|págs|chap|kap|abs|ziff|bd|стр|рис|табл|гл|пп|ст|кв`,
);
const TIME_OF_DAY = /\b[ap]\.m\.$/i;
// "am 3. Mai", "im 19. Jahrhundert"
const GERMAN_ORDINAL = /(?:^|\s)\d{1,2}\.$/;
const AFTER_GERMAN_ORDINAL =
  /^(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhundert|Jh|Weltkrieg|Auflage|Etage|Stock|Klasse|Lebensjahr|Tag)/;
/** The number of a list item or a section: "1.", "2.3.", "b.", "Article 3." */
const ITEM_NUMBER = /^\s*(?:(?:\p{Lu}\p{L}+ )?\d{1,3}(?:\.\d{1,3})*|\p{L}|[ivx]{2,5}|[IVX]{2,5})\.$/u;

function endingWith(alternatives: string): RegExp {
  return new RegExp(`(?:^|[\\s(])(?:${alternatives.replace(/\s+/g, "")})\\.$`, "iu");
}

/** Begins at the first mark of several: trying each of ten thousand dots would take the square of that. */
const SENTENCE_END = /(?<![.!?…؟۔।])[.!?…؟۔।]+["'”’»)\]]*(?=\s|$)|[。！？｡]+["'”’」』）)]*/gu;

/** The sentences of a text in order. A line break always ends one: it ends a paragraph, a heading or a table row. */
export function splitSentences(text: string): Span[] {
  const spans: Span[] = [];
  let lineStart = 0;
  for (const line of text.split("\n")) {
    splitLine(line, lineStart, spans);
    lineStart += line.length + 1;
  }
  return spans;
}

function splitLine(line: string, offset: number, spans: Span[]): void {
  let start = 0;
  for (const match of line.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    const next = line.slice(end).trimStart();
    if (match[0] === "." && next !== "" && isInside(line.slice(start, end), next)) continue;
    push(line, offset, start, end, spans);
    start = end;
  }
  push(line, offset, start, line.length, spans);
}

/** A full stop between these pieces of a line is part of a sentence. */
function isInside(sentence: string, next: string): boolean {
  const before = sentence.slice(-16);
  if (/^\p{Ll}/u.test(next) || ITEM_NUMBER.test(sentence)) return true;
  if (/^\p{N}/u.test(next) && BEFORE_NUMBER.test(before)) return true;
  if (GERMAN_ORDINAL.test(before) && AFTER_GERMAN_ORDINAL.test(next)) return true;
  return ABBREVIATION.test(before) && !TIME_OF_DAY.test(before);
}

function push(line: string, offset: number, start: number, end: number, spans: Span[]): void {
  const piece = line.slice(start, end);
  const visible = piece.trim();
  if (visible === "") return;
  const lead = piece.length - piece.trimStart().length;
  spans.push({ start: offset + start + lead, end: offset + start + lead + visible.length });
}
