import { expect, test } from "vitest";
import { namesIn } from "./names.ts";

test("words with a capital inside an English sentence are names", () => {
  expect(namesIn("Who painted the Mona Lisa?")).toEqual(["Mona", "Lisa"]);
  expect(namesIn("What did Mr O’Neill of A-Tec say?")).toEqual(["O’Neill", "A-Tec"]);
});

test("the first word of a sentence, the pronoun I and titles are none", () => {
  expect(namesIn("My bag was stolen. What do I do, and what if I’m abroad? “Can they pay?”")).toEqual([]);
});

test("other languages, and questions in capitals, show no names", () => {
  expect(namesIn("Wann wird die Kaution nach dem Auszug erstattet?")).toEqual([]);
  expect(namesIn("WHAT IS THE REFUND PERIOD?")).toEqual([]);
  expect(namesIn("What Is The Refund Period?")).toEqual([]);
});
