import type { Corpus } from "./corpus-types.ts";

export const minutes: Corpus = {
  documents: [
    {
      id: "minutes-allotments",
      title: "Minutes of the Sallow Hill allotment society, general meeting",
      layout: "report",
      header: "Sallow Hill allotment society",
      blocks: [
        { heading: "Minutes of the general meeting" },
        {
          text: "The meeting took place in the hall of the fire brigade. The chair, Mrs Dunmore, opened it at half past seven and welcomed sixty-two members. The minutes of last year were accepted without a vote against. Three members have died since then; all rose in their memory.",
        },
        {
          text: "1. Report of the chair. All 118 plots are let, and 44 people stand on the waiting list. The mean time of waiting has grown to three years. Two tenants were given notice because their plots had not been dug for two summers. The bees of Mr Ferreira have found a new place behind the compost.",
        },
        {
          text: "2. Report of the treasurer. Income was 9,870 pounds and expenses 8,415 pounds. The largest expense was the repair of the water main. The rent of a full plot remains at 62 pounds a year; that of half a plot rises to 34 pounds. The auditors found the books in good order.",
        },
        {
          text: "3. Water. After the dry summer the committee proposes that hoses be allowed only before nine and after eight. The motion was carried by 41 votes to 15. A second tank of 5,000 litres is to be bought for the upper field. Mr Salcedo offered his trailer for it.",
        },
        {
          text: "4. Dogs, children, bonfires. Dogs are to be kept on a lead on the paths. Bonfires are allowed on the first Saturday of the months from October to March. A swing may be put up by the hut if its insurance is settled.",
        },
        {
          text: "5. Elections. Mrs Dunmore was confirmed as chair for two years. Mr Pavel Ricci was elected treasurer in place of Mr Hobbs, who was given a pear tree with thanks. The post of seed steward remains open.",
        },
        {
          text: "6. Any other business. The open day will be held on 7 September. Members are asked not to throw potato haulm onto the common compost because of blight. The meeting closed at ten past nine.",
        },
      ],
    },
    {
      id: "minutes-bridge",
      title: "Site meeting 14: footbridge over the Arle",
      layout: "report",
      header: "Footbridge over the Arle - site meeting 14",
      blocks: [
        { heading: "Site meeting 14" },
        {
          text: "Present were the city engineer Ms Thornbury, the contractor Hask and Sons with Mr Vance, the designer Mr Iqbal, and the inspector of the river authority. The next meeting is on Tuesday at eight in the site hut.",
        },
        {
          text: "14.1 Progress. The north abutment was cast on Thursday with 86 cubic metres of concrete. The cubes reached 41 newtons per square millimetre after seven days. The south abutment is two weeks behind because of the old sewer that was not on any plan.",
        },
        {
          text: "14.2 Steel. The main span of 38 metres will be delivered in two parts and welded on the bank. The steelwork comes from Dravik in Gdansk and should arrive on 3 June. The crane of 250 tonnes is booked for the night of 11 June, when the towpath and the railway will be closed.",
        },
        {
          text: "14.3 River. The authority asks that nothing be done in the water between 15 March and 15 May, when grayling spawn. The silt curtain has a hole, which is to be mended at once. A boat with an anchor must lie ready during the lifting.",
        },
        {
          text: "14.4 Costs. The contractor announces a claim of 64,000 euros for the sewer. The city accepts the reason but not the sum, and asks for a breakdown by the end of the month. The painting is to be done in moss green and not in grey, at no further cost.",
        },
        {
          text: "14.5 Safety. A scaffold without toe boards was closed on Monday. One worker was treated for cement burns on the hand. From now on gloves of nitrile are to be worn when pouring. The neighbours have complained of noise before seven, and Mr Vance will speak to the foreman.",
        },
      ],
    },
  ],
  questions: [
    [
      "minutes-allotments",
      "How many people are waiting for an allotment plot?",
      "44 people stand on the waiting list",
    ],
    [
      "minutes-allotments",
      "What is the yearly rent of a full allotment plot?",
      "The rent of a full plot remains at 62 pounds",
    ],
    [
      "minutes-allotments",
      "Who was elected treasurer of the allotment society?",
      "Mr Pavel Ricci was elected treasurer",
    ],
    [
      "minutes-allotments",
      "When may hoses be used on the allotments?",
      "hoses be allowed only before nine and after eight",
    ],
    [
      "minutes-allotments",
      "When is the open day of the Sallow Hill allotments?",
      "The open day will be held on 7 September",
    ],
    ["minutes-bridge", "How long is the main span of the footbridge?", "The main span of 38 metres"],
    [
      "minutes-bridge",
      "How much does the contractor claim for the sewer?",
      "a claim of 64,000 euros for the sewer",
    ],
    [
      "minutes-bridge",
      "When is work in the river forbidden because of spawning fish?",
      "between 15 March and 15 May",
    ],
    ["minutes-bridge", "In which colour will the footbridge be painted?", "moss green"],
    ["minutes-bridge", "Which crane is booked for lifting the bridge?", "The crane of 250 tonnes is booked"],
  ].map(([document = "", question = "", answer = ""]) => ({ document, question, answer })),
};
