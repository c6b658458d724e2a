import { expect, test } from "vitest";
import { mentions, namesIn } from "./names.ts";

test("words with a capital inside an English sentence are names", () => {
  expect(namesIn("Who painted the Mona Lisa?")).toEqual(["Mona", "Lisa"]);
  expect(namesIn("What did Mr O’Neill of A-Tec say?")).toEqual(["O’Neill", "A-Tec"]);
});

test("the first word of a sentence, the pronoun I and titles are none", () => {
  expect(namesIn("My bag was stolen. What do I do, and what if I’m abroad? “Can they pay?”")).toEqual([]);
});

test("French, Spanish and Italian show names by capitals, German by titles", () => {
  expect(namesIn("Quel est le salaire de Mme Duval à l'Alhambra ?")).toEqual(["Duval", "Alhambra"]);
  expect(namesIn("¿Cuánto gana Lucía Romero en la empresa?")).toEqual(["Lucía", "Romero"]);
  expect(namesIn("Quanto guadagna il signor Bianchi?")).toEqual(["Bianchi"]);
  expect(namesIn("Wie alt ist Frau Dr. Seidel und wer ist Herr Lang?")).toEqual(["Seidel", "Lang"]);
});

test("questions in capitals, and German nouns, show no names", () => {
  expect(namesIn("Wann wird die Kaution nach dem Auszug erstattet?")).toEqual([]);
  expect(namesIn("WHAT IS THE REFUND PERIOD?")).toEqual([]);
  expect(namesIn("What Is The Refund Period?")).toEqual([]);
});

test.each([
  ["Gandhi called it so.", "Ghandi's", true],
  ["Gandhi called it so.", "Gandi", true],
  ["Lady Gaga sang.", "Gaga", true],
  ["The river flows.", "River", true],
  ["Encke was an astronomer.", "Halley", false],
  ["Marie lived in Parma.", "Maria", true],
  ["They parted in spring.", "Parted", true],
  ["The parts are in stock.", "Paris", false],
  ["Rome is old.", "Rom", false],
  ["Sales in the United Kingdom fell.", "UK", true],
  ["The Bank of England raised rates.", "BE", true],
  ["Ukraine exports grain.", "UK", false],
])("%j mentions %j: %j", (text, name, expected) => {
  expect(mentions(text, name)).toBe(expected);
});

test("periods and abbreviations of reports are no names", () => {
  expect(namesIn("How much did they spend on R&D and SG&A in Q3 of FY2023?")).toEqual([]);
});
