import { expect, test } from "vitest";
import { foldText } from "./fold-text.ts";
import { rankBest } from "./rank.ts";

interface Entry {
  name: string;
  steps?: string;
}

const find = (query: string, entries: Entry[], limit = 10) =>
  rankBest(entries, foldText(query), limit, {
    fieldsOf: ({ name, steps = "" }) => ({ name: foldText(name), others: () => [["step", foldText(steps)]] }),
  }).map(({ item, match }) => `${item.name}:${match.field}`);

test("names come before other fields, and beginnings before the middle", () => {
  const entries = [
    { name: "Prereport" },
    { name: "Nothing", steps: "write report" },
    { name: "Weekly report" },
    { name: "Report of sales" },
    { name: "Report" },
  ];
  expect(find("report", entries)).toEqual([
    "Report:name",
    "Report of sales:name",
    "Weekly report:name",
    "Prereport:name",
    "Nothing:step",
  ]);
});

test("every word must occur, in any field and any order", () => {
  const entries = [{ name: "Weekly report", steps: "send mail" }, { name: "Weekly plan" }];
  expect(find("mail weekly", entries)).toEqual(["Weekly report:step"]);
  expect(find("weekly nothing", entries)).toEqual([]);
});

test("case, accents and full-width letters make no difference, and marks of other scripts do", () => {
  expect(find("ubersicht", [{ name: "Übersicht" }])).toHaveLength(1);
  expect(find("ПЛАТЕЖ", [{ name: "платеж за май" }])).toHaveLength(1);
  expect(find("ＡＰＩ", [{ name: "api sync" }])).toHaveLength(1);
  expect(find("請求", [{ name: "毎月の請求書" }])).toHaveLength(1);
  expect(find("가맹", [{ name: "가맹점 정산" }])).toHaveLength(1);
  expect(find("が", [{ name: "か" }])).toEqual([]);
});

test("a name with a typing error is found when few names have the word, after them", () => {
  const entries = [{ name: "Inovice archive" }, { name: "Invoice" }];
  expect(find("invoice", entries)).toEqual(["Invoice:name", "Inovice archive:name"]);
  const many = Array.from({ length: 5 }, (_, index) => ({ name: `Invoice ${index}` }));
  expect(find("invoice", [entries[0]!, ...many])).toHaveLength(5);
});
