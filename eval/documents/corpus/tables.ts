import type { Corpus } from "./corpus-types.ts";

export const tables: Corpus = {
  documents: [
    {
      id: "ferry-timetable",
      title: "Skerry Line: summer timetable and fares",
      layout: "table",
      header: "Skerry Line summer timetable",
      blocks: [
        { heading: "Departures from Port Ellary" },
        {
          columns: [130, 90, 90, 180],
          rows: [
            ["To", "Leaves", "Arrives", "Remarks"],
            ["Inchmore", "06.15", "07.05", "Weekdays only"],
            ["Inchmore", "09.40", "10.30", "Daily, takes cars"],
            ["Sula Bay", "08.00", "10.25", "Daily, takes cars"],
            ["Sula Bay", "16.30", "18.55", "Not on Tuesdays"],
            ["Great Skerry", "11.20", "12.10", "Foot passengers only"],
            ["Great Skerry", "17.45", "18.35", "June to August"],
            ["Kettle Point", "13.10", "14.00", "On request, call by noon"],
          ],
        },
        {
          text: "Check-in for cars closes twenty minutes before the ship leaves, for foot passengers five minutes before. In strong wind from the south-west the ships to Great Skerry do not land.",
        },
        { pageBreak: true },
        { heading: "Fares for one crossing" },
        {
          columns: [150, 110, 110, 110],
          rows: [
            ["Route", "Adult", "Child", "Car"],
            ["Inchmore", "7.20", "3.60", "24.50"],
            ["Sula Bay", "15.80", "7.90", "61.00"],
            ["Great Skerry", "9.40", "4.70", "not carried"],
            ["Kettle Point", "8.10", "4.05", "not carried"],
          ],
        },
        {
          text: "Dogs travel free on a lead. Bicycles cost 2.00 on every route. Islanders with a card pay half of the fare. A ticket of ten crossings is cheaper by a fifth and can be passed on within the family.",
        },
        { pageBreak: true },
        { heading: "The fleet" },
        {
          columns: [130, 90, 110, 130],
          rows: [
            ["Ship", "Built", "Passengers", "Cars"],
            ["Gannet", "1996", "180", "22"],
            ["Storm Petrel", "2011", "240", "36"],
            ["Little Auk", "1984", "60", "none"],
          ],
        },
        {
          text: "The Gannet goes into dock from 4 to 15 November each year; the Little Auk then sails twice a day in her place.",
        },
      ],
    },
    {
      id: "nursery-price-list",
      title: "Hollin Tree Nursery: price list of fruit trees",
      layout: "table",
      header: "Hollin Tree Nursery - price list",
      blocks: [
        { heading: "Apples" },
        {
          columns: [140, 90, 110, 140],
          rows: [
            ["Variety", "Bush", "Half standard", "Picking time"],
            ["Ashmead's Kernel", "24.00", "38.00", "mid October"],
            ["Discovery", "21.50", "34.00", "middle of August"],
            ["Egremont Russet", "23.00", "36.50", "late September"],
            ["Bramley", "22.00", "41.00", "early October"],
            ["Pitmaston Pineapple", "26.50", "44.00", "end of September"],
          ],
        },
        {
          text: "Bramley needs two other trees for pollen and gives none itself. Discovery bruises easily and should be eaten off the tree. All our apples are budded on MM106 unless you ask for another stock.",
        },
        { pageBreak: true },
        { heading: "Pears and quinces" },
        {
          columns: [140, 90, 110, 140],
          rows: [
            ["Variety", "Bush", "Half standard", "Picking time"],
            ["Conference", "25.00", "39.00", "late September"],
            ["Beurre Hardy", "27.00", "42.50", "mid September"],
            ["Vranja quince", "29.50", "46.00", "end of October"],
          ],
        },
        { text: "Pears want the warmest wall you have. Quinces do not mind wet feet and are self-fertile." },
        { pageBreak: true },
        { heading: "Plums and cherries" },
        {
          columns: [140, 90, 110, 140],
          rows: [
            ["Variety", "Bush", "Half standard", "Picking time"],
            ["Victoria", "22.50", "35.50", "end of August"],
            ["Shropshire Prune", "24.50", "37.00", "mid September"],
            ["Stella cherry", "28.00", "43.00", "middle of July"],
            ["Morello cherry", "27.50", "42.00", "early August"],
          ],
        },
        {
          text: "Prune plums and cherries only in summer, when the sap runs, or silver leaf will get in. Orders of more than ten trees are delivered free within forty miles; smaller ones cost 14.50 for carriage.",
        },
      ],
    },
    {
      id: "clinic-directory",
      title: "Marsh End Health Centre: directory and opening hours",
      layout: "table",
      header: "Marsh End Health Centre",
      blocks: [
        { heading: "Telephone directory" },
        {
          columns: [150, 190, 120],
          rows: [
            ["Name", "Duty", "Extension"],
            ["Dr Tobias Renn", "General practice, diabetes", "4102"],
            ["Dr Mei Castellano", "General practice, children", "4107"],
            ["Sister Ruth Abara", "Dressings and blood samples", "4115"],
            ["Owen Llewellyn", "Physiotherapy", "4121"],
            ["Petra Szabo", "Midwife", "4126"],
            ["Nadia Rahim", "Reception and repeat prescriptions", "4100"],
            ["Colin Frith", "Accounts", "4133"],
          ],
        },
        { pageBreak: true },
        { heading: "Opening hours" },
        {
          columns: [150, 150, 160],
          rows: [
            ["Day", "Surgery", "Blood samples"],
            ["Monday", "8.00 to 18.30", "7.30 to 10.00"],
            ["Tuesday", "8.00 to 17.00", "7.30 to 10.00"],
            ["Wednesday", "8.00 to 12.30", "none"],
            ["Thursday", "8.00 to 20.00", "7.30 to 11.00"],
            ["Friday", "8.00 to 16.00", "7.30 to 9.30"],
          ],
        },
        {
          text: "Repeat prescriptions are ready after two working days. Appointments that are not cancelled a day ahead may be charged at 15 pounds. At night and at weekends call 116 117.",
        },
        { pageBreak: true },
        { heading: "Vaccinations" },
        {
          columns: [170, 150, 140],
          rows: [
            ["Against", "Number of doses", "Refreshed after"],
            ["Tetanus", "three", "ten years"],
            ["Tick-borne encephalitis", "three", "three years"],
            ["Hepatitis B", "three", "not needed"],
            ["Influenza", "one", "one year"],
            ["Shingles", "two", "not known yet"],
          ],
        },
      ],
    },
    {
      id: "alloy-datasheet",
      title: "Brennock Metals: data sheets of aluminium alloys",
      layout: "table",
      header: "Brennock Metals data sheets",
      blocks: [
        { heading: "Alloy BM-310" },
        {
          columns: [230, 220],
          rows: [
            ["Property", "Value of BM-310"],
            ["Tensile strength", "245 megapascals"],
            ["Yield strength", "195 megapascals"],
            ["Density", "2.70 grams per cubic centimetre"],
            ["Melting range", "585 to 650 degrees"],
            ["Thermal conductivity", "193 watts per metre and kelvin"],
            ["Brinell hardness", "75"],
          ],
        },
        {
          text: "BM-310 is easily extruded and anodised. It is used for window frames, ladders and the legs of tables. It can be welded with filler wire of the 4000 series.",
        },
        { pageBreak: true },
        { heading: "Alloy BM-520" },
        {
          columns: [230, 220],
          rows: [
            ["Property", "Value of BM-520"],
            ["Tensile strength", "310 megapascals"],
            ["Yield strength", "228 megapascals"],
            ["Density", "2.66 grams per cubic centimetre"],
            ["Melting range", "570 to 640 degrees"],
            ["Thermal conductivity", "117 watts per metre and kelvin"],
            ["Brinell hardness", "88"],
          ],
        },
        {
          text: "BM-520 stands sea water well and is the alloy of choice for hulls and railings. Above 65 degrees it should not be loaded for long, since it becomes prone to corrosion along the grains.",
        },
        { pageBreak: true },
        { heading: "Alloy BM-775" },
        {
          columns: [230, 220],
          rows: [
            ["Property", "Value of BM-775"],
            ["Tensile strength", "572 megapascals"],
            ["Yield strength", "503 megapascals"],
            ["Density", "2.81 grams per cubic centimetre"],
            ["Melting range", "477 to 635 degrees"],
            ["Thermal conductivity", "130 watts per metre and kelvin"],
            ["Brinell hardness", "150"],
          ],
        },
        {
          text: "BM-775 is as strong as many steels and is made for aircraft and climbing gear. It cannot be welded by usual means and has to be protected from salt by a coat.",
        },
      ],
    },
  ],
  questions: [
    ["ferry-timetable", "When does the ferry to Inchmore that takes cars leave?", "Inchmore 09.40"],
    ["ferry-timetable", "How much does a car cost on the ferry to Sula Bay?", "Sula Bay 15.80 7.90 61.00"],
    ["ferry-timetable", "In which year was the Storm Petrel built?", "Storm Petrel 2011"],
    [
      "ferry-timetable",
      "When does the Gannet go into dock?",
      "The Gannet goes into dock from 4 to 15 November",
    ],
    [
      "ferry-timetable",
      "How long before departure does check-in for cars close?",
      "Check-in for cars closes twenty minutes before",
    ],
    ["ferry-timetable", "Do dogs need a ticket on the Skerry Line?", "Dogs travel free on a lead"],
    ["nursery-price-list", "What does a half standard Bramley apple cost?", "Bramley 22.00 41.00"],
    ["nursery-price-list", "When are Discovery apples picked?", "Discovery 21.50 34.00 middle of August"],
    ["nursery-price-list", "What is the price of a Vranja quince bush?", "Vranja quince 29.50"],
    [
      "nursery-price-list",
      "When should plums and cherries be pruned?",
      "Prune plums and cherries only in summer",
    ],
    [
      "nursery-price-list",
      "Which rootstock are the apples of Hollin Tree Nursery budded on?",
      "All our apples are budded on MM106",
    ],
    [
      "clinic-directory",
      "What is the extension of the physiotherapist Owen Llewellyn?",
      "Owen Llewellyn Physiotherapy 4121",
    ],
    ["clinic-directory", "Until what time is the surgery open on Thursday?", "Thursday 8.00 to 20.00"],
    [
      "clinic-directory",
      "How many years until a tick-borne encephalitis vaccination must be refreshed?",
      "Tick-borne encephalitis three three years",
    ],
    [
      "clinic-directory",
      "How long do repeat prescriptions take?",
      "Repeat prescriptions are ready after two working days",
    ],
    ["clinic-directory", "Who is the midwife at Marsh End?", "Petra Szabo Midwife"],
    ["alloy-datasheet", "What is the tensile strength of BM-520?", "Tensile strength 310 megapascals"],
    ["alloy-datasheet", "What is the density of alloy BM-775?", "Density 2.81 grams"],
    ["alloy-datasheet", "How well does BM-310 conduct heat?", "Thermal conductivity 193 watts"],
    [
      "alloy-datasheet",
      "Which Brennock alloy is used for hulls of ships?",
      "is the alloy of choice for hulls and railings",
    ],
    ["alloy-datasheet", "Can BM-775 be welded?", "It cannot be welded by usual means"],
  ].map(([document = "", question = "", answer = ""]) => ({ document, question, answer })),
};
