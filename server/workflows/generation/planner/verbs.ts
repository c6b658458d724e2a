/** Verb stems by kind of instruction. "write" has two kinds: to compose and to store. */
const VERBS = {
  read: "fetch|get|gett|download|retriev|request|call|load|pull|query|quer|scrap|crawl|ping|check|open|read|hit|look up|import|grab|visit|monitor|watch|pars",
  send: "post|send|submit|submitt|push|publish|forward|upload|put|putt|patch|updat|creat|delet|remov|notif|alert|tell|inform|messag|report|deliver|trigger|shar|rout|redirect|pay",
  think:
    "summari[sz]|translat|classif|categori[sz]|extract|analy[sz]|rewrit|rephras|paraphras|generat|draft|compos|describ|explain|answer|evaluat|scor|rat|rank|proofread|correct|detect|identif|compar|brainstorm|suggest|simplif|shorten|improv|convert|writ|decid|find out|determin|label|tag|tagg|recommend|outlin|review|turn|highlight|list",
  keep: "sav|stor|writ|append|log|logg|record|dump|archiv|keep|export|add",
  wait: "wait|paus|sleep|delay|hold",
  ask: "ask|approv|confirm|requir|let|have|hav|seek|obtain|prompt",
  mail: "email|e-mail|mail",
  shape: "combin|merg|join|count|sum|sort|filter|format|reformat|transform|calculat|comput|total",
  search: "search|look|find|consult",
  run: "run|runn|start|execut|use|us|invok|do|ignor|skip|stop",
} as const;

/** Stems without their final e or y, so that any ending can follow. */
const ENDS_IN_E =
  /^(?:retriev|scrap|pars|updat|creat|delet|remov|messag|shar|rout|summari[sz]|translat|categori[sz]|analy[sz]|rewrit|rephras|paraphras|generat|compos|describ|evaluat|scor|rat|compar|improv|writ|decid|determin|outlin|sav|stor|archiv|paus|approv|requir|hav|combin|merg|calculat|comput|execut|us|invok|ignor)$/;
const ENDS_IN_Y = /^(?:classif|identif|simplif|notif|quer)$/;
const IS_DOUBLED = /^(?:gett|submitt|putt|tagg|logg|runn)$/;

/** Every form of a stem: summarise, summarises, summarised, summarising, classify, classifies. */
const ENDINGS = "(?:e|es|s|ed|d|ing|y|ies|ied|ying)?";
const anyStem = Object.values(VERBS).join("|");
const ADVERB = "(?:also|finally|again|immediately|automatically|just|only|first|next|now|quickly|always)\\s+";
const STRONG =
  "fetch|download|retriev|summari[sz]|translat|classif|extract|post|send|email|sav|append|notif|wait|publish|delet|generat|draft|writ|alert|creat|call|ask|updat|upload|forward|stor|pay";

/** An instruction begins here: a verb, perhaps after an adverb. */
export const VERB_AHEAD = `(?=(?:${ADVERB})?(?:${anyStem})${ENDINGS}(?![\\w-]))`;
/** Unambiguous verbs, which start an instruction even without a comma. */
export const STRONG_VERB = new RegExp(
  `(?<!\\b(?:the|an?|this|that|each|every|my|our|new|any|is|are|was))\\s(?=(?:${STRONG})${ENDINGS}\\s)`,
  "i",
);

export type VerbKind = keyof typeof VERBS;

const MATCHERS = (Object.entries(VERBS) as [VerbKind, string][]).map(
  ([kind, stems]) => [kind, new RegExp(`^(?:${ADVERB})?(?:${stems})${ENDINGS}(?![\\w-])`, "i")] as const,
);
const FIRST_VERB = new RegExp(`^(?:${ADVERB})?(${anyStem})${ENDINGS}(?![\\w-])`, "i");

export function verbKindsOf(clause: string): Set<VerbKind> {
  return new Set(MATCHERS.flatMap(([kind, pattern]) => (pattern.test(clause) ? [kind] : [])));
}

/** "Translates it to French" → "translate it to French". */
export function imperative(clause: string): string {
  return clause.replace(FIRST_VERB, (_match, stem: string) => {
    if (ENDS_IN_E.test(stem.toLowerCase())) return `${stem}e`;
    if (ENDS_IN_Y.test(stem.toLowerCase())) return `${stem}y`;
    return IS_DOUBLED.test(stem.toLowerCase()) ? stem.slice(0, -1) : stem;
  });
}

/** The clause's verb as a step's name: "Fetches the orders" → "fetch". */
export function plainVerb(clause: string): string {
  return /^[\p{L}-]+/u.exec(imperative(clause).toLowerCase())?.[0].replace("e-mail", "email") ?? "";
}
