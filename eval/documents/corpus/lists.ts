import { ask, type Corpus } from "./corpus-types.ts";

/** Tables of everyday life: tariffs, service intervals, lessons, food. */
export const lists: Corpus = {
  documents: [
    {
      id: "energy-tariffs",
      title: "Calder Energy: tariffs from 1 January",
      layout: "table",
      blocks: [
        { heading: "Electricity" },
        {
          columns: [150, 120, 120, 100],
          rows: [
            ["Tariff", "Per kWh, day", "Per kWh, night", "Per month"],
            ["Basic", "31.4 p", "31.4 p", "9.80"],
            ["Evening", "33.0 p", "21.6 p", "11.20"],
            ["Car", "34.2 p", "12.9 p", "13.50"],
          ],
        },
        { text: "Night runs from eleven to six. Tariff Car needs a wall box with its own meter." },
        { pageBreak: true },
        { heading: "Gas" },
        {
          columns: [150, 120, 120],
          rows: [
            ["Tariff", "Per kWh", "Per month"],
            ["Basic", "7.9 p", "8.40"],
            ["Fixed 24", "8.6 p", "8.90"],
          ],
        },
        { text: "Fixed 24 keeps its price for two years. Leaving it early costs 60 pounds." },
      ],
    },
    {
      id: "van-service",
      title: "Tarka 3 delivery van: service plan",
      layout: "table",
      header: "Tarka 3 - service plan",
      blocks: [
        { heading: "Intervals" },
        {
          columns: [190, 110, 110],
          rows: [
            ["Work", "Miles", "Months"],
            ["Engine oil and filter", "12,000", "12"],
            ["Air filter", "36,000", "36"],
            ["Brake fluid", "any", "24"],
            ["Timing belt", "84,000", "96"],
            ["Coolant", "90,000", "60"],
          ],
        },
        { pageBreak: true },
        { heading: "Quantities and pressures" },
        {
          columns: [190, 140, 110],
          rows: [
            ["Item", "Empty", "Loaded"],
            ["Front tyres", "3.1 bar", "3.4 bar"],
            ["Rear tyres", "3.3 bar", "4.5 bar"],
            ["Oil, with filter", "6.2 litres", "6.2 litres"],
            ["Screen wash", "5.0 litres", "5.0 litres"],
          ],
        },
      ],
    },
    {
      id: "class-timetable",
      title: "Fernhill School: timetable of class 6a",
      layout: "table",
      blocks: [
        { heading: "Lessons" },
        {
          columns: [80, 90, 90, 90, 90],
          rows: [
            ["Time", "Monday", "Tuesday", "Wednesday", "Thursday"],
            ["8.15", "Maths", "Art", "English", "Swimming"],
            ["9.10", "English", "Art", "Maths", "Swimming"],
            ["10.20", "Biology", "French", "History", "Maths"],
            ["11.15", "Music", "Geography", "French", "Chess club"],
          ],
        },
        { pageBreak: true },
        { heading: "Rooms and teachers" },
        {
          columns: [120, 160, 100],
          rows: [
            ["Subject", "Teacher", "Room"],
            ["Maths", "Ms Delacroix", "B 14"],
            ["English", "Mr Whitlow", "B 02"],
            ["Biology", "Dr Senn", "Lab 3"],
            ["French", "Mme Aubry", "C 21"],
            ["Music", "Mr Oyelaran", "Hall"],
          ],
        },
      ],
    },
    {
      id: "cereal-nutrition",
      title: "Dunlin Mill: nutrition of breakfast cereals",
      layout: "table",
      blocks: [
        { heading: "Per 100 grams" },
        {
          columns: [140, 80, 80, 80, 80],
          rows: [
            ["Product", "Energy", "Sugar", "Fibre", "Salt"],
            ["Rolled oats", "372 kcal", "0.9 g", "10.1 g", "0.02 g"],
            ["Honey crunch", "431 kcal", "24.6 g", "5.2 g", "0.61 g"],
            ["Fruit muesli", "358 kcal", "16.3 g", "7.8 g", "0.14 g"],
            ["Corn flakes", "379 kcal", "7.7 g", "3.3 g", "1.12 g"],
          ],
        },
        { pageBreak: true },
        { heading: "Traces and packages" },
        {
          columns: [140, 170, 110],
          rows: [
            ["Product", "May contain", "Package"],
            ["Rolled oats", "wheat", "1,000 g"],
            ["Honey crunch", "hazelnuts, milk", "375 g"],
            ["Fruit muesli", "almonds, sulphites", "750 g"],
            ["Corn flakes", "barley, soya", "500 g"],
          ],
        },
      ],
    },
  ],
  questions: [
    ...ask("energy-tariffs", [
      ["What does a kilowatt hour cost at night if I charge my car?", "12.9 p"],
      ["What is the monthly fee of the Evening tariff?", "11.20"],
      ["How much is gas per unit when the price is guaranteed?", "8.6 p"],
      ["What does it cost to quit the two-year gas plan?", "Leaving it early costs 60 pounds"],
      ["Daytime electricity price in the cheapest plan?", "31.4 p"],
    ]),
    ...ask("van-service", [
      ["When does the cam belt of the Tarka 3 have to be changed?", "84,000"],
      ["How much air goes into the back wheels with a full load?", "4.5 bar"],
      ["How many litres of oil does the Tarka 3 take?", "6.2 litres"],
      ["How often should the liquid in the brakes be renewed?", "Brake fluid any 24"],
      ["After how many miles is the coolant due?", "90,000"],
    ]),
    ...ask("class-timetable", [
      ["Which room is biology in?", "Lab 3"],
      ["Who teaches French to 6a?", "Mme Aubry"],
      ["On which day does 6a have swimming?", "Swimming"],
      ["What comes last on Thursday in class 6a?", "Chess club"],
      ["What is the first lesson on Tuesday?", "8.15 Maths Art"],
    ]),
    ...ask("cereal-nutrition", [
      ["How much sugar is in honey crunch?", "24.6 g"],
      ["Which cereal is the saltiest?", "1.12 g"],
      ["How many calories do corn flakes have?", "379 kcal"],
      ["Can someone with a nut allergy eat honey crunch?", "hazelnuts, milk"],
      ["How big is a bag of fruit muesli?", "750 g"],
      ["How much fibre is in rolled oats?", "10.1 g"],
    ]),
  ],
};
