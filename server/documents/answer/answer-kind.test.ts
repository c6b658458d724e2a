import { expect, test } from "vitest";
import { answerKindOf, highlightsOf } from "./answer-kind.ts";

test.each([
  [
    "person",
    [
      "Who is in charge?",
      "Wer ist zuständig?",
      "¿Quién es el dueño?",
      "Qui dirige ?",
      "Кто отвечает?",
      "谁负责？",
      "誰が責任者ですか",
      "من هو المدير؟",
    ],
  ],
  [
    "time",
    [
      "When does it start?",
      "In which year was it built?",
      "Wann beginnt es?",
      "In welchem Jahr?",
      "¿Cuándo empieza?",
      "Quand commence-t-il ?",
      "Когда начинается?",
      "В каком году?",
      "什么时候开始？",
      "いつ始まりますか",
      "متى يبدأ؟",
    ],
  ],
  [
    "place",
    [
      "Where is the key?",
      "Wo ist der Schlüssel?",
      "¿Dónde está?",
      "Où est la clé ?",
      "Где ключ?",
      "钥匙在哪里？",
      "どこにありますか",
      "أين المفتاح؟",
    ],
  ],
  [
    "count",
    [
      "How many rooms?",
      "Wie viele Zimmer?",
      "¿Cuántas habitaciones?",
      "Combien de chambres ?",
      "Сколько комнат?",
      "有多少个房间？",
      "何人いますか",
      "كم عدد الغرف؟",
    ],
  ],
  [
    "amount",
    [
      "How much is the rent?",
      "How long is the guarantee?",
      "What is the maximum pressure?",
      "Wie viel kostet es?",
      "Wie lange dauert es?",
      "¿Cuánto cuesta?",
      "Combien coûte-t-il ?",
      "多少钱？",
      "いくらですか",
      "كم السعر؟",
    ],
  ],
  [undefined, ["What is a pump?", "Why is it loud?", "How do I open it?", "Worum geht es?"]],
] as const)("questions that ask for: %s", (kind, questions) => {
  for (const question of questions) expect([question, answerKindOf(question)]).toEqual([question, kind]);
});

test.each([
  ["How much oil does it hold?", "The gearbox of 2019 holds 1.4 litres of oil.", ["1.4 litres"]],
  [
    "How much water was delivered in 2023?",
    "In 2023 we delivered 17.9 million cubic metres.",
    ["17.9 million cubic metres"],
  ],
  ["What is the yearly rent?", "The rent is £960 a month.", ["£960"]],
  ["How many samples?", "They took twenty-four samples.", ["twenty-four"]],
  [
    "When does the tenancy begin?",
    "It begins on 1 October 2025 and is made for twelve months.",
    ["1 October 2025"],
  ],
  ["Wann war die Sitzung?", "Die Sitzung war am 3. Mai 2024 um 14:30 Uhr.", ["3. Mai 2024", "14:30 Uhr"]],
  ["何年にできましたか", "橋は1998年に完成した。", ["1998年"]],
  [
    "Who signed the letter of Mr Tull?",
    "The letter of Mr Tull was signed by Dr Amira Haddad.",
    ["Dr Amira Haddad"],
  ],
  ["Кто написал роман?", "Роман написал Лев Толстой в 1869 году.", ["Лев Толстой"]],
  ["Where do we live?", "We shall live in the hostel at Cemaes Bay, in rooms of six.", ["Cemaes Bay"]],
  ["How many trees?", "Bush 24, half 38, tall 12 and wide 7.", []],
] as const)("%s %s", (question, quote, pieces) => {
  expect(highlightsOf(question, quote).map(({ start, end }) => quote.slice(start, end))).toEqual(pieces);
});
