import { expect, test } from "vitest";
import { stemEnglish as stem } from "./language/english.ts";
import { termsOf, termVariants } from "./terms.ts";

test("forms of one word are one term", () => {
  for (const forms of [
    ["filter", "filters", "filtered", "filtering"],
    ["battery", "batteries"],
    ["stop", "stopped", "stopping"],
    ["glass", "glasses"],
    ["use", "used", "uses"],
  ])
    expect(new Set(forms.map(stem)).size, forms.join()).toBe(1);
});

test("different words stay different", () => {
  expect(new Set(["bus", "business", "gas", "glass", "sing", "red"].map(stem)).size).toBe(6);
});

test("stop words and question words are dropped, figures stay whole", () => {
  expect(termsOf("What is the maximum pressure of the Halden 40's pump?")).toEqual([
    "maximum",
    "pressur",
    "halden",
    "40",
    "pump",
  ]);
  expect(termsOf("How long do they ...?!")).toEqual([]);
});

test("accents, case and compatibility forms do not matter", () => {
  expect(termsOf("CAFÉ Naïve ﬁlter")).toEqual(termsOf("cafe naive filter"));
});

const shared = (a: string, b: string): string[] => {
  const other = new Set(termsOf(b));
  return termsOf(a).filter((term) => other.has(term));
};

test.each([
  ["German", "Wann enden die Verträge nach der Kündigung?", "Der Vertrag hat zwei Kündigungen.", 2],
  ["French", "Quelles sont les obligations des locataires ?", "Le locataire a une obligation de soin.", 2],
  ["Spanish", "¿Cuándo empiezan los contratos?", "El contrato empieza en mayo.", 2],
  ["Italian", "Quali sono i prezzi delle stanze?", "Il prezzo della stanza è di 80 euro.", 2],
  ["Russian", "Какие города находятся в областях?", "Город находится в этой области.", 3],
  ["Turkish", "Kitapları nerede bulabilirim?", "Bu kitap için bir raf var.", 1],
  ["Greek", "Πόσοι άνθρωποι ζουν στην πόλη;", "Ο πληθυσμός των ανθρώπων είναι μικρός.", 1],
  ["Hindi", "किताबें कहाँ हैं?", "यह किताब यहाँ है।", 1],
  ["Arabic", "ما هي المكتبات في المدينة؟", "مكتبة كبيرة بالمدينة", 2],
])("%s words match in other forms, and stop words do not", (_, question, sentence, matches) => {
  expect(shared(question, sentence)).toHaveLength(matches);
});

test("Chinese, Japanese and Thai are cut into words", () => {
  expect(termsOf("中国的首都是哪里？")).toEqual(["中国", "首都"]);
  expect(termsOf("日本の首都はどこですか？")).toEqual(["日本", "首都"]);
  expect(termsOf("เมืองหลวงของประเทศไทยคืออะไร")).toEqual(["เมือง", "หลวง", "ประเทศไทย"]);
});

test("characters without a word in the dictionary are pairs", () => {
  expect(termsOf("陸特（Luth）")).toEqual(["陸", "特", "陸特", "luth"]);
});

test("a long Chinese word is found by a part of it, and a Korean noun with another particle", () => {
  expect(shared("清华大学在哪里？", "他毕业于大学。")).toEqual(["大学"]);
  expect(shared("계약기간은 언제까지입니까?", "계약기간이 끝났다.")).toEqual(["계약", "약기", "기간"]);
});

test("one letter in several spellings is one term", () => {
  expect(termsOf("ＡＢＣ１２３ ﾃﾞｰﾀ")).toEqual(termsOf("abc123 データ"));
  expect(termsOf("أَحْمَد مـكـتـبـة ﻣﻜﺘﺒﺔ ٢٠٢٤")).toEqual(termsOf("احمد مكتبه مكتبة 2024"));
  expect(termsOf("ёлка")).toEqual(termsOf("елка"));
  expect(termsOf("Die Straße und die Häuser")).toEqual(termsOf("Die Strasse und das Haus"));
  expect(termsOf("Łódź Ærø")).toEqual(termsOf("Lodz Aero"));
});

test("the marks of Indic and Thai letters stay part of their words", () => {
  expect(termsOf("हिन्दी").join("")).toContain("\u094d");
  expect(termsOf("น้ำ")).toEqual(["น้ำ".normalize("NFKC")]);
});

test("the parts of a German compound are terms too", () => {
  expect(termsOf("Wie lange ist die Kündigungsfrist?")).toEqual([
    "lang",
    "kundigungsfrist",
    "kundig",
    "frist",
  ]);
  expect(shared("Welche Frist gilt?", "Die Kündigungsfristen der Mietverträge.")).toEqual(["frist"]);
  expect(shared("Welcher Vertrag ist das?", "Die Kündigungsfristen der Mietverträge.")).toEqual(["vertrag"]);
});

test("names in English sentences do not change their language", () => {
  expect(termsOf("When did Charles de Gaulle die?")).toEqual(["charl", "de", "gaull", "die"]);
  expect(termsOf("Los Angeles Lakers, Los Angeles Rams, San Diego teams")).toContain("team");
  expect(termsOf("T. S. Eliot, J. D. Salinger: poems")).toContain("poem");
  expect(termsOf("The man in the hat started a war.")).toEqual(["man", "hat", "start", "war"]);
});

test("a word whose language is not recognized has the terms of the other languages too", () => {
  expect(termsOf("Mietpreis Wohnungen")).toEqual(["mietpreis", "wohnungen"]);
  expect(termVariants("Mietpreis Wohnungen").get("wohnungen")).toContain(termsOf("Die Wohnung ist neu.")[0]);
  expect(termVariants("Where are the Wohnungen?")).toEqual(new Map());
  expect(termVariants("東京 2024")).toEqual(
    new Map([
      ["東京", []],
      ["2024", []],
    ]),
  );
});
