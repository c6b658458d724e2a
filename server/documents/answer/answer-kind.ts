import { onFirstUse } from "../../lib/first-use.ts";
import type { Span } from "../ingest/sentences.ts";

/** What a question asks for. An amount is a number with its unit. */
export type AnswerKind = "person" | "time" | "place" | "count" | "amount";

/** The boundary of a word in any script; `\b` knows only ASCII. */
const START = "(?<![\\p{L}\\p{N}])";
const END = "(?![\\p{L}\\p{N}])";
const words = (alternatives: string): RegExp =>
  new RegExp(`${START}(?:${alternatives.replace(/\n\s*/g, "")})${END}`, "iu");

/**
 * Question words in English, German, Spanish, French, Russian, Chinese, Japanese and Arabic. The first match decides, so
 * "how many", "what time" and "um wie viel Uhr" come before shorter ones.
 */
const questionWords = onFirstUse((): readonly (readonly [AnswerKind, RegExp])[] => [
  [
    "time",
    words(
      `when|(?:what|which|whose) (?:year|date|day|time|month|century)|wann|(?:welche[ms]|welchen) (?:Jahr|Tag|Monat|Datum)|
       um wie ?viel Uhr|cu[áa]ndo|qu[ée] (?:año|fecha|d[íi]a|hora|mes)|quand|quel(?:le)? (?:année|date|jour|heure|mois)|
       когда|(?:в )?како(?:м|го|й) (?:году|числа|день|дня|месяце)|во сколько|متى|أي (?:عام|سنة|يوم|شهر)`,
    ),
  ],
  ["time", /什么时候|什麼時候|何时|何時|哪一?年|哪一?天|几点|幾點|几月|いつ|何年|何月|何日|何曜日/u],
  [
    "count",
    words(
      `how many|(?:what|which) number|wie ?viele|cu[áa]nt[oa]s|combien d(?:e|es|['’]\\p{L}*)|nombre d(?:e|es)|сколько|كم عدد`,
    ),
  ],
  [
    "count",
    /多少[个個人名位条條座只隻所家种種次]|[几幾][个個人名位条條座只隻所家种種次]|いくつ|何[人個回本台枚冊社校匹頭隻か]/u,
  ],
  [
    "amount",
    words(
      `how (?:much|long|old|far|tall|high|wide|deep|thick|heavy|large|big|small|fast|often|hot|cold|loud|soon|late|early|quickly)|
       (?:what|which) (?:is the |was the |are the |were the )?(?:\\p{L}+ ){0,2}(?:percentage|per ?cent|share|proportion|price|fee|fees|cost|costs|rate|amount|weight|length|width|
       height|depth|speed|temperature|pressure|power|age|size|capacity|distance|area|limit|salary|rent|deposit|fine)|
       wie ?viel|wie (?:lang|lange|alt|weit|gro[ßs]+|hoch|tief|breit|dick|schwer|schnell|oft|h[äa]ufig|teuer|warm|hei[ßs]+|kalt)|was kostet|
       cu[áa]nt[oa]|qu[ée] (?:porcentaje|precio|cantidad|altura|peso|tamaño)|combien|quel(?:le)? (?:pourcentage|prix|taille|hauteur|quantité)|كم`,
    ),
  ],
  [
    "amount",
    /多少|多[久长長大高远遠重深宽寬快]|几[岁天年小]|いくら|どのくらい|どれくらい|どれほど|何[%％パメキグ歳円時分秒]/u,
  ],
  [
    "place",
    words(
      `where|(?:what|which) (?:city|town|country|place|street|room|floor|building|region|state)|wo|woher|wohin|
       welche[rmn]? (?:Stadt|Land|Ort|Stra[ßs]+e|Raum)|d[óo]nde|qu[ée] (?:ciudad|pa[íi]s|lugar|calle)|o[ùu]|quel(?:le)? (?:ville|pays|lieu|rue|endroit)|
       где|куда|откуда|каком (?:городе|месте)|какой стране|أين|أي (?:مدينة|بلد|دولة|مكان)`,
    ),
  ],
  ["place", /哪里|哪裡|哪儿|何处|何處|在哪|什么地方|哪个(?:城市|国家|地方)|どこ|何処/u],
  [
    "person",
    words(
      `who|whom|whose|(?:what|which) (?:person|man|woman|author|company|doctor)|wer|wen|wem|wessen|qui[ée]n(?:es)?|(?<!est-ce )qui|
       кто|кого|кому|кем|чей|чья`,
    ),
  ],
  ["person", /谁|誰|哪位|何人|だれ|^\s*(?:من|مَن)(?= )/u],
]);

/** Undefined for other questions ("what", "why", "how"). */
export function answerKindOf(question: string): AnswerKind | undefined {
  const text = question.normalize("NFC");
  return questionWords().find(([, pattern]) => pattern.test(text))?.[0];
}

const NUMBER = "[+−-]?\\p{Nd}+(?:[.,’' \u00a0]\\p{Nd}{3}(?!\\p{Nd}))*(?:[.,]\\p{Nd}+)?";
const NUMBER_WORD =
  `(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|
  (?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\\p{L}+)?|hundreds?|thousands?|millions?|billions?|dozens?|twice|
  zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|hundert|tausend|Millionen|
  dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|veinte|treinta|cien|mil|millones|
  deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|vingt|trente|cent|mille|
  два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|двадцать|сто|тысяч[аи]?|миллион(?:а|ов)?)`.replace(
    /\s/g,
    "",
  );
const CJK_NUMBER = "[〇零一二三四五六七八九十百千万萬亿億两兩数數]+";
const COUNT = `(?:${NUMBER}(?: (?:million|billion|thousand|Millionen|Milliarden|millones|millions|milliards|тысяч|миллион(?:ов|а)?|миллиард(?:ов|а)?))?|${START}${NUMBER_WORD}${END}(?: ${NUMBER_WORD}${END})*|${CJK_NUMBER}(?=[个個人名位条條座只隻所家种種次年月日点點时時分秒元円米岁歲天小公%]))`;
/** The word after a number, unless it is a function word: "24 days", "17.9 million cubic metres", "30 pence a mile". */
const UNIT = `(?!(?:and|or|of|in|on|at|to|for|by|the|und|oder|von|im|am|y|o|de|en|et|ou|du|и|в|на|из) )(?:cubic |square |working |per )?\\p{L}+(?:[/²³]\\p{L}*)?(?: (?:per|an?|pro|por|par) \\p{L}+)?`;
const MONTH = `(?:January|February|March|April|May|June|July|August|September|October|November|December|
  Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|
  janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|
  январ[ья]|феврал[ья]|марта?|апрел[ья]|ма[йя]|июн[ья]|июл[ья]|августа?|сентябр[ья]|октябр[ья]|ноябр[ья]|декабр[ья]|
  يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر)`.replace(/\s/g, "");
const DAY = `(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag)`;
const NAME = `\\p{Lu}[\\p{L}'’.-]+(?: (?:(?:of|the|de|la|le|del|van|von|der|den|di|da|al|bin|ibn) )*\\p{Lu}[\\p{L}'’.-]*)`;
const TITLE = "(?:Dr|Mrs?|Ms|Prof|Sir|Lord|Lady|King|Queen|President|Herr|Frau|Sr|Sra|M|Mme)\\.?";
const PREPOSITION =
  "(?:in|at|on|near|from|to|of|through|into|outside|bei|nach|aus|an|im|am|en|à|au|dans|desde|в|во|на|из|под|около)";

/** What an answer of each kind looks like. Without capital letters, as in Chinese, names are not recognised. */
const likely = onFirstUse((): Readonly<Record<AnswerKind, RegExp>> => ({
  time: new RegExp(
    [
      `(?:${START}(?:${DAY},? )?(?:\\p{Nd}{1,2}(?:st|nd|rd|th|\\.|er|º)? (?:de |of )?)?${MONTH}${END}(?: \\p{Nd}{1,2}(?:st|nd|rd|th)?${END})?(?:,? (?:de |of )?\\p{Nd}{4})?)`,
      `\\p{Nd}{4}-\\p{Nd}{2}-\\p{Nd}{2}|\\p{Nd}{1,2}[./]\\p{Nd}{1,2}[./]\\p{Nd}{2,4}`,
      `\\p{Nd}{1,4} ?年(?: ?\\p{Nd}{1,2} ?月)?(?: ?\\p{Nd}{1,2} ?日)?|\\p{Nd}{1,2} ?月(?: ?\\p{Nd}{1,2} ?日)?|${CJK_NUMBER}[年月]`,
      `${START}\\p{Nd}{1,2}[:.]\\p{Nd}{2}(?: ?(?:[ap]\\.?m\\b\\.?|Uhr|h))?${END}|${START}\\p{Nd}{1,2} ?(?:[ap]\\.?m\\b\\.?|o['’]clock|Uhr)|\\p{Nd}{1,2} ?[时時点點]`,
      `${START}(?:1\\p{Nd}{3}|20\\p{Nd}{2}|[١-٢][٠-٩]{3})(?:s)?${END}(?:[–-](?:\\p{Nd}{4}|\\p{Nd}{2})${END})?`,
      `${START}${DAY}${END}`,
      `(?:\\p{Nd}{1,2}(?:st|nd|rd|th)|\\p{Nd}{1,2}\\.|\\p{L}+) (?:century|Jahrhunderts?|siècle|века?)|siglo [IVX]+|\\p{Nd}{1,2} ?世[纪紀]`,
    ].join("|"),
    "giu",
  ),
  count: new RegExp(COUNT, "giu"),
  amount: new RegExp(`[$€£¥₹] ?${COUNT}|${COUNT}(?: ?(?:[%‰€£$¥°]\\p{L}?|${UNIT}))?`, "giu"),
  person: new RegExp(`${START}(?:${TITLE} )(?:${NAME}|\\p{Lu}[\\p{L}'’-]+)|${START}${NAME}`, "gu"),
  place: new RegExp(
    `(?<=${START}${PREPOSITION} (?:(?:the|der|die|das|dem|den|la|le|el|los|las) )?)\\p{Lu}[\\p{L}'’-]+(?:,? (?:(?:of|de|la|del|upon|am) )?\\p{Lu}[\\p{L}'’-]+)*`,
    "gu",
  ),
}));

const YEAR = /^(?:19|20)\d\d(?!\p{N})/u;

/** The ranges of a text that look like an answer of this kind and do not repeat the question. */
export function likelyAnswers(kind: AnswerKind, text: string, question: string): Span[] {
  const asked = question.toLowerCase();
  const spans: Span[] = [];
  for (const match of text.matchAll(likely()[kind])) {
    const piece = match[0].trim().replace(/(?<![.,'’-])[.,'’-]+$/, "");
    if (piece === "" || asked.includes(piece.toLowerCase())) continue;
    if ((kind === "count" || kind === "amount") && YEAR.test(piece)) continue;
    const start = match.index + match[0].indexOf(piece);
    spans.push({ start, end: start + piece.length });
  }
  return spans;
}

// In a row with many figures, or a list of names, it is unclear which one is meant.
const MAX_HIGHLIGHTS = 3;

/** The parts of a quote that are probably the answer. */
export function highlightsOf(question: string, quote: string): Span[] {
  const kind = answerKindOf(question);
  const spans = kind ? likelyAnswers(kind, quote, question) : [];
  return spans.length <= MAX_HIGHLIGHTS ? spans : [];
}
