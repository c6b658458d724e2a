// Nouns that often end a German compound, as they are spelled inside one. A longer noun is found before a shorter one.
const HEADS =
  `abbau abend abgabe ablauf absatz abschluss abschnitt abstand abteilung adresse agentur akte aktie amt anfang angabe
  angebot angst anlage anlass anleitung anmeldung anschluss anspruch anstalt anteil antrag anwalt anwendung anzahl
  anzeige apparat arbeit arbeiter archiv artikel arzt ausbildung ausgabe ausgleich auskunft ausschluss ausschuss
  ausweis auszug auto automat bahn bahnhof ball band bank basis bau bauer baum beamter bedarf bedingung begriff
  behandlung behörde beispiel beitrag belastung beratung bereich berg bericht beruf bescheid bescheinigung beschluss
  beschreibung besitz bestand bestellung bestimmung betrag betrieb bewegung bewerbung bewilligung bezirk bild bildung
  bindung blatt boden brief bruch brücke buch bund burg büro chef daten dauer decke dienst dorf druck ebene effekt
  eigentum einheit einkommen einrichtung eintrag energie entgelt entscheidung entwicklung erfahrung ergebnis erhöhung
  erklärung erlaubnis ermäßigung ersatz fabrik fach fahrer fahrt fahrzeug faktor fall familie farbe fehler feier feld
  fenster fest feuer figur film filter firma fisch flasche flug flugzeug fluss fläche folge form formel formular
  forscher forschung frage frau freiheit freund frist funktion fuß führer führung gang garten gas gast gebiet gebäude
  gebühr gefahr gefühl gehalt gehäuse geld gemeinde gemeinschaft genehmigung gericht gerät geschichte geschwindigkeit
  geschäft gesellschaft gesetz gesicht gespräch gewicht gewinn glas grenze grund gruppe größe hafen halle haltung hand
  handel handlung haus heim held herr hilfe himmel hof holz höhe insel institut interesse jahr jahrhundert kabel
  kammer kampf kanal karte kasse kauf kern kette kind kirche klasse klinik knochen kommission konflikt konto kontrolle
  konzept kopf kosten kraft kraftwerk krankheit kreis krieg kunde kunst kurs könig körper küste lage lager land lauf
  leben lehre lehrer leistung leiter leitung liebe lieferung linie liste lohn luft länder löhne macht mann mannschaft
  markt maschine masse material mauer maß maßnahme meer mehrheit meister menge mensch messer messung methode miete
  mieter minister ministerium mitglied mittel modell monat mord motor museum musik männer nacht name netz niveau
  nummer objekt ordnung ort papier park partei partner person pflanze pflicht phase plan planung platte platz politik
  politiker preis prinzip problem produkt produktion programm projekt prozess prüfung pumpe punkt quelle quote rad
  raum reaktion rechner rechnung recht rede regel regelung regierung regler reich reihe reise rente revolution richter
  richtung ring risiko rolle ruhe räume rücklage saal sache sammlung satz schaden schalter schein schicht schiff
  schlacht schlag schloss schluss schlüssel schnitt schrank schreiben schrift schuh schuld schule schutz schwelle
  schüler seite sektor senkung sicherheit sicht sieg signal sitz sitzung sohn sommer spannung speicher spiel spieler
  spitze sport sprache sprecher staat stadt stand start station steigerung stein stelle stellung stern steuer stiftung
  stimme stoff strategie straße strecke streit strom struktur student studie studium stufe stunde stätte stück suche
  sucht summe system tag tarif tasche taste technik teich teil teilung temperatur termin test text theater theorie
  thron tier tisch tochter tod tor tour transport treffen träger turm tür umsatz umwelt unfall universität unternehmen
  unterricht unterstützung untersuchung urlaub urteil ventil verband verbindung verbot verbrauch verein verfahren
  verfassung verhalten verhältnis verkauf verkehr verlag verletzung verlust vermögen verordnung versammlung
  versicherung versorgung versuch verteilung vertrag vertreter verwaltung verzeichnis vogel volk vorgang vorschrift
  vorstand wache waffe wagen wahl wand ware wasser wechsel weg wehr wein weise welle welt werbung werk werkzeug wert
  wesen wettbewerb wetter winkel winter wirkung wirtschaft wissen wissenschaft woche wohnung wolke wort wunsch wärme
  zahl zahlung zeichen zeit zeitung zelle zentrum zeug zeugnis ziel zimmer zins zone zucht zug zugang zuschlag zustand
  zustimmung zwang zweck zweig übung`.split(/\s+/);

const MIN_LENGTH = 8;
const MIN_MODIFIER = 3;
const LONGEST_HEAD = Math.max(...HEADS.map((head) => head.length));
const heads = new Set(HEADS);

// These endings of a noun take an "s" before the next noun, so the word divides after it whatever follows.
const BEFORE_LINKING_S = /(?:ung|heit|keit|schaft|tion|tät|ling|tum)(?=s(?!t?$|ch)\p{L}{4})/u;
const INFLECTION = /(?:e[nsrm]?|n|s)$/u;

/** The nouns of a German compound: "kündigungsfrist" → "kündigung", "frist". Empty for a word that is not one. */
export function partsOfCompound(word: string): string[] {
  if (word.length < MIN_LENGTH || heads.has(word)) return [];
  const linked = BEFORE_LINKING_S.exec(word);
  if (linked) {
    const end = linked.index + linked[0].length;
    return [...orWhole(word.slice(0, end)), ...orWhole(word.slice(end + 1))];
  }
  const head = headOf(word);
  if (head === undefined) return [];
  const modifier = withoutLinkingLetters(word.slice(0, -head.length));
  return modifier.length < MIN_MODIFIER ? [] : [...orWhole(modifier), head];
}

const orWhole = (word: string): string[] => {
  const parts = partsOfCompound(word);
  return parts.length > 0 ? parts : [word];
};

/** The longest known noun at the end, with or without an ending: "verträge" ends a compound like "vertrag". */
function headOf(word: string): string | undefined {
  const longest = Math.min(LONGEST_HEAD + 2, word.length - MIN_MODIFIER);
  for (let length = longest; length >= 3; length--) {
    const end = word.slice(-length);
    if (isHead(end)) return end;
  }
  return undefined;
}

function isHead(word: string): boolean {
  if (heads.has(word)) return true;
  const noun = word.replace(INFLECTION, "");
  return (
    noun.length >= 3 &&
    (heads.has(noun) ||
      heads.has(`${noun}e`) ||
      heads.has(noun.replace("ä", "a").replace("ö", "o").replace("ü", "u")))
  );
}

function withoutLinkingLetters(modifier: string): string {
  return modifier.length > 5 ? modifier.replace(/(?<=[^aeiouäöüs])s$|(?<=\p{L}{4})en?s?$/u, "") : modifier;
}
