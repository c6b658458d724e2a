import { expect, test } from "vitest";
import { canAnswer, missingSubjects } from "./asked-subject.ts";

const accounts = {
  title: "Marlow Orchards plc: accounts for 2024",
  heading: "Report of the chair, Ms Okoye",
  text: "Revenue rose to 48,213 thousand pounds. The managing director is Peter Hale. Trains from Ellary to Skerry cost 4.20 pounds.\nTrains from Ellary to Tarn cost 9.80 pounds.",
};

test.each([
  // Years
  ["What was the revenue in 2019?", accounts, ["2019"]],
  ["What was the revenue in 2024?", accounts, []],
  ["What was the profit in 2024?", { title: "Accounts", text: "Profit 2023/24: 12" }, []],
  ["What was the profit in 2024?", { title: "Accounts", text: "Profit FY24: 12" }, []],
  ["What was the profit in 2024?", { title: "Accounts", text: "Profit of 12,024 pounds" }, ["2024"]],
  // Names
  ["What does the company pay to Ingrid Vale?", accounts, ["Ingrid", "Vale"]],
  ["What does Marlow Orchards sell?", accounts, []],
  [
    "Quel est le salaire de Mme Duval ?",
    { title: "Contrat", text: "Le salaire de M. Petit est de 3 000 euros." },
    ["Duval"],
  ],
  [
    "Wie hoch ist das Gehalt von Frau Seidel?",
    { title: "Vertrag", text: "Herr Lang erhält 3.000 Euro." },
    ["Seidel"],
  ],
  [
    "¿Cuánto gana la señora Romero?",
    { title: "Contrato", text: "La señora Ruiz gana 3.000 euros." },
    ["Romero"],
  ],
  // Offices
  ["Who is the chief executive?", accounts, []],
  ["Who is the chief financial officer?", accounts, ["chief financial officer"]],
  ["Who is the CFO?", { title: "Board", text: "Director of finance: Ada Lund" }, []],
  ["Who is the chair?", accounts, []],
  ["Who is the auditor of the company?", accounts, ["auditor"]],
  ["Wer ist der Geschäftsführer?", { title: "Impressum", text: "Inhaber: Karl Lang" }, ["Geschäftsführer"]],
  ["Wer ist der Geschäftsführer?", { title: "Impressum", text: "Managing director: Karl Lang" }, []],
  ["Qui est la trésorière ?", { title: "Statuts", text: "Le président est M. Petit." }, ["trésorière"]],
  ["¿Quién es el tesorero?", { title: "Estatutos", text: "Tesorera: Ana Ruiz" }, []],
  // Two names that belong together
  ["How much is a ticket from Ellary to Skerry?", accounts, []],
  ["How much is a ticket from Skerry to Tarn?", accounts, ["from Skerry to Tarn"]],
  [
    "Was kostet die Fahrt von Bonn nach Mainz?",
    { title: "Tarif", text: "Bonn–Köln 8 Euro\nKöln–Mainz 19 Euro" },
    ["von Bonn nach Mainz"],
  ],
])("%s", (question, evidence, missing) => {
  expect(missingSubjects(question, evidence)).toEqual(missing);
});

const says = (text: string, title = "Notes") => [{ title, text }, [text]] as const;

test.each([
  ["How many miles to the gallon does the van do?", "The van does 110 miles an hour.", false],
  ["How many miles to the gallon does the van do?", "It does 38 miles to the gallon.", true],
  ["What does the machine cost?", "The machine has 3 buttons.", false],
  ["What does the machine cost?", "The machine is sold for 300 euros.", true],
  ["How old is Mrs Fontaine?", "Mrs Fontaine, 12 Beech Rise", false],
  ["How old is Mrs Fontaine?", "Mrs Fontaine, aged 67, lives alone.", true],
  ["Wie schwer ist das Rad?", "Das Rad kostet 14 Euro.", false],
  ["Wie schwer ist das Rad?", "Das Rad wiegt 14 kg.", true],
  ["¿Qué profundidad tiene la piscina?", "La piscina abre a las 9.", false],
  ["Quel est le prix de la machine ?", "La machine coûte 300 euros.", true],
  ["How many children are in the class?", "Children sit in front.", false],
  ["How many children are in the class?", "There are 24 children.", true],
  ["Who designed the motor?", "The motor was designed for quiet rooms.", false],
  ["Who designed the motor?", "The motor was designed by Ada Lund.", true],
  ["When was the company founded?", "Changes are announced four weeks before.", false],
  ["When is the oil changed?", "The oil is changed every 1,500 hours.", true],
  ["What is the name of the owner?", "The owner and the tenant sign.", false],
  ["What is in the box?", "The box holds the cable.", true],
])("%s %s: %j", (question, text, expected) => {
  expect(canAnswer(question, ...says(text))).toBe(expected);
});

test("a quantity may be elsewhere in the passage, the kind of answer must be quoted", () => {
  const evidence = { title: "Prices", text: "All prices in euros.\nBasic 12\nPlus 19" };
  expect(canAnswer("What does Plus cost?", evidence, ["Plus 19"])).toBe(true);
  expect(canAnswer("How many seats has Plus?", evidence, ["All prices in euros."])).toBe(false);
});
