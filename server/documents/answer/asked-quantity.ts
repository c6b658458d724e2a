import { onFirstUse } from "../../lib/first-use.ts";

/** A quantity: how questions ask for it, and what a text that gives it contains. English, German, French and Spanish. */
interface Quantity {
  asked: string;
  given: string;
}

const MONEY = `\\p{Sc}|(?:euros?|cents?|dollars?|pounds?|pence|francs?|franken|pesos?|libras?|livres?|dólares|EUR|USD|GBP|CHF|free|kostenlos|gratis|gratuit\\p{L}*|gratuit[oa]s?)(?!\\p{L})|\\p{Nd}[.,]\\p{Nd}\\p{Nd}(?!\\p{Nd})|\\(?(?:in )?(?:millions|thousands)`;
const LENGTH = `(?:(?:milli|centi|kilo)?met(?:re|er|ro|re)s?|mètres?|k?m|cm|mm|miles?|feet|foot|inch(?:es)?|yards?|Zoll|Meilen?|millas?)(?!\\p{L})|\\p{Nd}["″']`;

const QUANTITIES: readonly Quantity[] = [
  {
    asked: `miles (?:to|per) (?:the |a )?gallon|mpg|fuel (?:consumption|economy)|litres per 100|Verbrauch auf 100|consommation aux 100`,
    given: `(?:miles? (?:to|per|a) (?:the )?gallon|mpg|(?:l|lit(?:re|er|ro)s?|liter)(?: ?\\/ ?| per | pro | auf | aux | por | cada )(?:100|hundred))`,
  },
  {
    asked: `how (?:tall|wide|deep|far)|wie (?:breit|tief|weit)|qué (?:altura|anchura|profundidad|distancia)|quelle (?:largeur|profondeur|distance|hauteur)`,
    given: LENGTH,
  },
  {
    asked: `how (?:heavy|much (?:does|do) [^?]* weigh)|weight of|wie (?:schwer|viel wiegt)|cuánto pesa|combien pèse|qué peso|quel poids`,
    given: `(?:(?:kilo|milli)?gram(?:me|mo)?s?|k?g|mg|kilos?|tons?|tonnes?|tonnen|pounds?|lbs?|ounces?|oz|kilogramm)(?!\\p{L})`,
  },
  {
    asked: `how fast|(?:top|maximum|greatest|highest) speed|wie schnell|Höchstgeschwindigkeit|vitesse|velocidad`,
    given: `(?:k?m ?\\/ ?[hs]|km ?h|kph|mph|knots?|[kmg]?bit|Mbps|Gbps|rpm|miles (?:an|per) hour|kilomet(?:re|er)s? (?:an|per) hour|(?:metres?|meters?) (?:a|per) second|Stundenkilometer|Knoten|Umdrehungen|minutes?|seconds?|Minuten|Sekunden|nœuds|nudos|speed|Geschwindigkeit|vitesse|velocidad)(?!\\p{L})`,
  },
  {
    asked: `how old|wie alt|quel âge|qué edad|cuántos años tiene`,
    given: `(?:years? old|year-old|aged?|born|built|founded|opened|dat(?:es|ing) (?:from|back)|since|Jahre alt|jährig\\p{L}*|geboren|gebaut|erbaut|gegründet|seit|âgée?s?|née?s?|construit\\p{L}*|depuis|ans|años|edad|nacid[oa]|construid[oa]|desde)(?!\\p{L})`,
  },
  {
    asked: `how (?:hot|cold|warm)|temperature|wie (?:heiß|kalt|warm)|Temperatur|température|temperatura`,
    given: `°|(?:degrees?|Grad|degrés?|grados|celsius|fahrenheit)(?!\\p{L})`,
  },
  {
    asked: `(?:what|how much) (?:do|does|did|would|will) [^?]* (?:costs?|earn|charge)|(?:what|which) (?:is|was|are|were) the (?:\\p{L}+ )?(?:price|salary|wage|fee|fare|rent|deposit|cost)s?|was kostet|was kosten|wie teuer|wie viel kostet|wie hoch ist (?:die Miete|der Preis|das Gehalt|die Gebühr|die Kaution)|cuánto (?:cuesta|vale|gana)|qué precio|quel (?:est le )?(?:prix|loyer|salaire)|combien coûte|how expensive|salary`,
    given: MONEY,
  },
  {
    asked: `(?:what|which) (?:percentage|share|proportion)|how many per ?cent|wie viel Prozent|quel pourcentage|qué porcentaje`,
    given: `[%‰]|(?:per ?cent|percent|percentage|half|third|quarter|fifth|Prozent|Hälfte|Drittel|Viertel|pour ?cent|moitié|por ciento|mitad)(?!\\p{L})|(?<!\\p{L})in \\p{Nd}`,
  },
  {
    asked: `(?:tele)?phone number|hotline|extension of|Telefonnummer|numéro de téléphone|número de teléfono`,
    given: `\\p{Nd}[\\p{Nd} ()/–-]{2,}\\p{Nd}`,
  },
];

const quantities = onFirstUse(() =>
  QUANTITIES.map(({ asked, given }) => ({
    asked: new RegExp(`(?<!\\p{L})(?:${asked})(?!\\p{L})`, "iu"),
    given: new RegExp(`(?<!\\p{L})(?:${given})`, "iu"),
  })),
);

/** Whether a question asks for a quantity that a text does not give: its price where the text has no money. */
export function lacksQuantity(question: string, text: string): boolean {
  return quantities().some(({ asked, given }) => asked.test(question) && !given.test(text));
}
