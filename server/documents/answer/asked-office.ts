import { onFirstUse } from "../../lib/first-use.ts";

/** Offices and roles with their names in English, German, French and Spanish. A name of a row entails the others of it. */
const OFFICES = [
  `chief executive|CEO|managing directors?|Geschäftsführer(?:in)?|Vorstandsvorsitzende[rn]?|(?:PDG|directrice? générale?|directeur général)|directora? (?:general|ejecutiv[oa])|consejer[oa] delegad[oa]`,
  `chief financial officer|CFO|finance directors?|director of finance|Finanzvorstand|Finanzchef(?:in)?|direct(?:eur|rice) financi(?:er|ère)|directora? financier[oa]`,
  `chief technolog(?:y|ical) officer|chief technical officer|CTO|Technikvorstand|direct(?:eur|rice) technique|directora? (?:técnic[oa]|de tecnología)`,
  `chief operating officer|COO|directora? de operaciones|direct(?:eur|rice) des opérations`,
  `chair(?:man|woman|person)?(?! of the meeting)|(?:Aufsichtsrats|Vereins)?vorsitzende[rn]?|Vorsitz|président(?:e)? du conseil|presidente?a? del consejo|presided|presiding`,
  `president|Präsident(?:in)?|président(?:e)?|president[ea]`,
  `vice[- ](?:president|chair\\p{L}*)|deputy chair\\p{L}*|stellvertretende[rn]?|Stellvertreter(?:in)?|vice-président(?:e)?|vicepresident[ea]`,
  `treasurer|Schatzmeister(?:in)?|Kassenwart(?:in)?|trésori(?:er|ère)|tesorer[oa]`,
  `secretary|Schriftführer(?:in)?|Sekretär(?:in)?|secrétaire|secretari[oa]`,
  `auditors?|audited by|Wirtschaftsprüfer(?:in)?|Abschlussprüfer(?:in)?|commissaires? aux comptes|auditora?(?:es)?`,
  `directors?|Direktor(?:in)?|Leiter(?:in)?|direct(?:eur|rice)|directora?`,
  `mayor(?:ess)?|(?:Ober)?[bB]ürgermeister(?:in)?|maire|alcalde(?:sa)?`,
  `ministers?|Minister(?:in)?|ministres?|ministr[oa]`,
  `founders?|founded by|Gründer(?:in)?|gegründet von|fondat(?:eur|rice)|fondée? par|fundadora?|fundad[oa] por`,
  `owners?|owned by|Eigentümer(?:in)?|Inhaber(?:in)?|propriétaires?|propietari[oa]|dueñ[oa]`,
  `landlord|landlady|lessor|owner|Vermieter(?:in)?|bailleu(?:r|resse)|arrendadora?`,
  `architects?|Architekt(?:in)?|architectes?|arquitect[oa]`,
  `surgeons?|operated by|Chirurg(?:in)?|Operateur(?:in)?|chirurgien(?:ne)?|cirujan[oa]`,
  `lawyers?|solicitors?|attorneys?|barristers?|counsel|(?:Rechts)?[aA]nwält(?:e|in)|(?:Rechts)?[aA]nwalt|avocate?s?|abogad[oa]s?`,
  `notary|Notar(?:in)?|notaires?|notari[oa]`,
  `caretakers?|janitors?|Hausmeister(?:in)?|concierge|gardien(?:ne)?|conserje|porter[oa]`,
  `head ?teachers?|headmaster|headmistress|principal|Schulleiter(?:in)?|Rektor(?:in)?|proviseure?|directora? de(?:l| la) (?:colegio|escuela)`,
  `authors?|written by|Autor(?:in)?|Verfasser(?:in)?|auteure?|autora?`,
  `editors?|edited by|Herausgeber(?:in)?|éditeur|éditrice|editora?`,
  `translators?|translated by|Übersetzer(?:in)?|traduct(?:eur|rice)|traductora?`,
];

const offices = onFirstUse(() =>
  OFFICES.map((names) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${names})(?:['’]s)?(?![\\p{L}\\p{N}])`, "iu")),
);

/** The offices that a question names and a text does not, in the words of the question. */
export function missingOffices(question: string, text: string): string[] {
  const asked = offices().flatMap((names) => {
    const word = names.exec(question)?.[0];
    return word === undefined ? [] : [{ word, names }];
  });
  // "Managing director" is one office, not also a director.
  return asked
    .filter(({ word }) => !asked.some((other) => other.word !== word && other.word.includes(word)))
    .filter(({ names }) => !names.test(text))
    .map(({ word }) => word);
}

/** Whether a capitalised word, such as "CFO" or "Mayor", is an office and no name. */
export function isOffice(word: string): boolean {
  return offices().some((names) => names.exec(word)?.[0] === word);
}
