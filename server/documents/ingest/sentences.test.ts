import { expect, test } from "vitest";
import { splitSentences } from "./sentences.ts";

const split = (text: string): string[] =>
  splitSentences(text).map(({ start, end }) => text.slice(start, end));

test("sentences end at stops and at line breaks", () => {
  expect(split("Close the tap. Is it dry? Then wait!\nTechnical data\nWeight 11.4 kg")).toEqual([
    "Close the tap.",
    "Is it dry?",
    "Then wait!",
    "Technical data",
    "Weight 11.4 kg",
  ]);
});

test("abbreviations, initials and decimal points end no sentence", () => {
  expect(split("Dr. Renn saw J. Smith, e.g. on Monday. See Fig. 3 for the 2.5 bar limit.")).toEqual([
    "Dr. Renn saw J. Smith, e.g. on Monday.",
    "See Fig. 3 for the 2.5 bar limit.",
  ]);
});

test("closing quotes stay with their sentence, and blank text has none", () => {
  expect(split('He said "Stop." Then he left.')).toEqual(['He said "Stop."', "Then he left."]);
  expect(split(" \n ")).toEqual([]);
});

test.each([
  [
    "He lives at No. 5. She said no. Then she left.",
    ["He lives at No. 5.", "She said no.", "Then she left."],
  ],
  ["The U.S. Army came at 5 p.m. It left.", ["The U.S. Army came at 5 p.m.", "It left."]],
  [
    "Nägel, Schrauben usw. Danach Dübel, z. B. Spreizdübel.",
    ["Nägel, Schrauben usw.", "Danach Dübel, z. B. Spreizdübel."],
  ],
  [
    "Am 3. Mai kamen 5 Mio. Menschen, vgl. Abs. 2. Im 19. Jahrhundert kaum.",
    ["Am 3. Mai kamen 5 Mio. Menschen, vgl. Abs. 2.", "Im 19. Jahrhundert kaum."],
  ],
  ["La Sra. Ruiz vive en EE. UU. Véase la pág. 4.", ["La Sra. Ruiz vive en EE. UU. Véase la pág. 4."]],
  ["M. Petit et Mme. Roux, env. 3 km. Voir art. 5.", ["M. Petit et Mme. Roux, env. 3 km.", "Voir art. 5."]],
  [
    "Дом на ул. Мира, рис. 3. Цена 5 тыс. Рублей нет.",
    ["Дом на ул. Мира, рис. 3.", "Цена 5 тыс. Рублей нет."],
  ],
  ["他说“好。”然后走了。真的？", ["他说“好。”", "然后走了。", "真的？"]],
  ["「はい。」と言った。", ["「はい。」", "と言った。"]],
  ["ما هي العاصمة؟ القاهرة هي العاصمة.", ["ما هي العاصمة؟", "القاهرة هي العاصمة."]],
  ["Built in 1998. The motor is new.", ["Built in 1998.", "The motor is new."]],
])("stops of other languages and abbreviations: %s", (text, sentences) => {
  expect(split(text)).toEqual(sentences);
});

test("the number of a list item or a section belongs to its sentence", () => {
  expect(split("1. Open the valve. Wait.\n2.3. Safety\nb. Close it.")).toEqual([
    "1. Open the valve.",
    "Wait.",
    "2.3. Safety",
    "b. Close it.",
  ]);
});

test("a million dots are read once", () => {
  expect(split(`${".".repeat(1_000_000)}x`)).toHaveLength(1);
});
