import { ask, type Corpus } from "../corpus-types.ts";

export const german: Corpus = {
  documents: [
    {
      id: "de-hausordnung",
      title: "Hausordnung Lindenhof 7",
      layout: "manual",
      blocks: [
        { heading: "Ruhe und Rücksicht" },
        {
          text: "Von 13 bis 15 Uhr und von 22 bis 7 Uhr gilt Ruhezeit. Musikinstrumente dürfen höchstens zwei Stunden am Tag gespielt werden. Feiern sind den Nachbarn drei Tage vorher durch einen Aushang anzukündigen.",
        },
        {
          text: "Das Treppenhaus ist ein Fluchtweg. Kinderwagen und Schuhschränke dürfen dort nicht abgestellt werden; für Fahrräder steht der Kellerraum neben der Waschküche bereit.",
        },
        { pageBreak: true },
        { heading: "Reinigung und Abfall" },
        {
          text: "Die Treppenreinigung wechselt wöchentlich zwischen den Wohnungen eines Stockwerks. Sperrmüll wird nur nach Anmeldung bei den Stadtwerken abgeholt und darf frühestens am Vorabend an die Straße gestellt werden. Die Biotonne wird jeden zweiten Dienstag geleert.",
        },
        {
          text: "Die Waschküche kann von 8 bis 20 Uhr benutzt werden. Eine Wäsche kostet 1,50 Euro; Wertmarken verkauft der Hausmeister donnerstags.",
        },
        { pageBreak: true },
        { heading: "Sicherheit und Haustiere" },
        {
          text: "Die Haustür ist ab 21 Uhr verschlossen zu halten. Der Verlust eines Schlüssels ist der Verwaltung unverzüglich zu melden; der Austausch der Schließanlage geht zu Lasten des Verlierers. Hunde bedürfen der schriftlichen Zustimmung, Kleintiere nicht. Auf den Balkonen ist das Grillen mit Holzkohle untersagt.",
        },
      ],
    },
    {
      id: "de-fahrradverleih",
      title: "Radstation Seeufer: Mietbedingungen",
      layout: "report",
      blocks: [
        { heading: "Anmietung" },
        {
          text: "Zur Anmietung ist ein gültiger Lichtbildausweis vorzulegen und eine Kaution von 50 Euro zu hinterlegen. Ein Tourenrad kostet 14 Euro am Tag, ein Elektrorad 29 Euro. Ab dem dritten Tag ermäßigt sich der Mietpreis um ein Fünftel.",
        },
        { pageBreak: true },
        { heading: "Gebrauch" },
        {
          text: "Der Akku reicht je nach Steigung für 60 bis 90 Kilometer. Bei einer Reifenpanne hilft unser Notdienst von 9 bis 18 Uhr kostenlos im Umkreis von 15 Kilometern. Das Rad ist beim Abstellen stets mit beiden Schlössern an einem festen Gegenstand zu sichern; andernfalls haftet der Mieter für den Diebstahl.",
        },
        { pageBreak: true },
        { heading: "Rückgabe" },
        {
          text: "Die Räder sind bis 18.30 Uhr zurückzubringen. Für jede angefangene Stunde danach werden 5 Euro berechnet. Wer kurzfristig verhindert ist, kann bis 24 Stunden vor Beginn ohne Gebühr stornieren. Kindersitze und Helme werden unentgeltlich verliehen.",
        },
      ],
    },
    {
      id: "de-volkshochschule",
      title: "Volkshochschule Altenried: Hinweise zu den Kursen",
      layout: "two-column",
      blocks: [
        { heading: "Anmeldung und Entgelt" },
        {
          text: "Die Plätze werden in der Reihenfolge des Eingangs vergeben. Das Kursentgelt wird zwei Wochen nach Kursbeginn abgebucht. Auszubildende, Rentner und Empfänger von Bürgergeld zahlen die Hälfte. Für Lehrbücher ist selbst zu sorgen.",
        },
        { pageBreak: true },
        { heading: "Rücktritt und Ausfall" },
        {
          text: "Ein Rücktritt ist bis zehn Tage vor dem ersten Termin kostenfrei möglich. Danach wird das volle Entgelt fällig, es sei denn, ein ärztliches Attest liegt vor. Kommen weniger als sieben Teilnehmende zusammen, findet der Kurs nicht statt. Fällt die Dozentin krankheitsbedingt aus, wird die Stunde am Ende angehängt.",
        },
        { pageBreak: true },
        { heading: "Vor Ort" },
        {
          text: "In den Schulferien ruht der Unterricht. Der Aufzug befindet sich im Nordflügel. Eine Bescheinigung über die Teilnahme wird ausgestellt, wenn mindestens vier Fünftel der Stunden besucht wurden. Das Parken auf dem Schulhof ist nur mit Schwerbehindertenausweis erlaubt.",
        },
      ],
    },
  ],
  questions: [
    ...ask(
      "de-hausordnung",
      [
        ["Ab wann muss ich abends leise sein?", "von 22 bis 7 Uhr gilt Ruhezeit"],
        ["Wie lange darf meine Tochter Klavier üben?", "höchstens zwei Stunden am Tag"],
        ["Wohin mit meinem alten Sofa?", "Sperrmüll wird nur nach Anmeldung"],
        ["Ich finde meinen Schlüssel nicht mehr, wer bezahlt das?", "geht zu Lasten des Verlierers"],
        [
          "Darf ich mir eine Katze oder einen Hamster anschaffen?",
          "Hunde bedürfen der schriftlichen Zustimmung, Kleintiere nicht",
        ],
        [
          "Kann der Buggy im Flur stehen bleiben?",
          "Kinderwagen und Schuhschränke dürfen dort nicht abgestellt werden",
        ],
        [
          "Wir wollen am Wochenende Würstchen auf dem Balkon machen, geht das?",
          "das Grillen mit Holzkohle untersagt",
        ],
      ],
      "de",
    ),
    ...ask(
      "de-fahrradverleih",
      [
        ["Was muss ich mitbringen, um ein Rad zu bekommen?", "ein gültiger Lichtbildausweis"],
        ["Wie weit komme ich mit dem E-Bike?", "60 bis 90 Kilometer"],
        ["Mein Reifen ist platt, wer kommt?", "hilft unser Notdienst von 9 bis 18 Uhr"],
        [
          "Was passiert, wenn ich zu spät zurückkomme?",
          "Für jede angefangene Stunde danach werden 5 Euro berechnet",
        ],
        ["Es soll regnen, kann ich noch absagen?", "bis 24 Stunden vor Beginn ohne Gebühr stornieren"],
        ["Wird es billiger, wenn ich es eine Woche behalte?", "ermäßigt sich der Mietpreis um ein Fünftel"],
      ],
      "de",
    ),
    ...ask(
      "de-volkshochschule",
      [
        [
          "Ich kann doch nicht hingehen. Bekomme ich mein Geld zurück?",
          "bis zehn Tage vor dem ersten Termin kostenfrei",
        ],
        [
          "Gibt es Rabatt für Studenten oder ältere Leute?",
          "Auszubildende, Rentner und Empfänger von Bürgergeld zahlen die Hälfte",
        ],
        ["Was ist, wenn sich kaum jemand anmeldet?", "weniger als sieben Teilnehmende"],
        ["Kriege ich am Schluss ein Zertifikat?", "Eine Bescheinigung über die Teilnahme wird ausgestellt"],
        ["Meine Lehrerin ist krank, fällt die Stunde weg?", "wird die Stunde am Ende angehängt"],
        [
          "Darf ich mein Auto vor dem Gebäude abstellen?",
          "Das Parken auf dem Schulhof ist nur mit Schwerbehindertenausweis erlaubt",
        ],
      ],
      "de",
    ),
  ],
};
