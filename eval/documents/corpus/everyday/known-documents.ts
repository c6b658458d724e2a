import { ask, type EvalQuestion } from "../corpus-types.ts";

/** Everyday questions about the letters, minutes, articles and tables of the corpus. */
export const aboutKnownDocuments: EvalQuestion[] = [
  ...ask("letter-storm-claim", [
    [
      "What can she do if she's unhappy with the insurer's decision?",
      "you can ask the ombudsman for a decision",
    ],
    ["Will they buy Mrs Fontaine a new rug?", "The carpet can be cleaned and does not have to be replaced"],
    ["When will the insurance money be in her bank?", "within ten working days"],
    ["How hard was it blowing that night?", "Wind of force nine was measured"],
  ]),
  ...ask("letter-job-offer", [
    ["Do they help the scientist with relocating?", "We meet the costs of moving up to 4,000 euros"],
    ["Is it a permanent position?", "The post is limited to five years"],
    ["Is there childcare at the new job?", "The nursery of the institute has a place for your daughter"],
    ["How much lecturing would she have to do?", "You would teach one course each term"],
    ["Can she hire people?", "you can fill two posts for doctoral students"],
  ]),
  ...ask("letter-school-trip", [
    ["We can't afford the class trip. What now?", "The friends of the school can help where money is short"],
    ["Are mobiles allowed on the class trip?", "Telephones may be used for half an hour after supper"],
    ["When do the kids get home?", "back on Friday at about six in the evening"],
    ["Where will the pupils sleep?", "in the hostel at Cemaes"],
    ["My son is asthmatic, who do I tell?", "write down allergies and medicines on the yellow sheet"],
  ]),
  ...ask("letter-bank-loan", [
    [
      "Can the baker pay it off faster without a penalty?",
      "Extra payments of up to 10,000 pounds a year are free of charge",
    ],
    ["Could Mr Okafor lose his home?", "Your house would not be touched"],
    ["How long does he have to pay everything back?", "75,000 pounds for seven years"],
    ["What paperwork is still missing for the bakery?", "Please send us the lease of the shop"],
  ]),
  ...ask("letter-hospital", [
    ["When can he get behind the wheel again?", "He should not drive a car for six weeks"],
    ["How bad was his leg before the surgery?", "a walking distance of less than 300 metres"],
    ["Was the patient awake during the procedure?", "under spinal anaesthesia"],
    ["When do the doctors want to check on him again?", "after three months, with a new picture"],
  ]),
  ...ask("minutes-allotments", [
    ["Can I let my puppy run around between the beds?", "Dogs are to be kept on a lead on the paths"],
    ["When can I burn my garden waste?", "Bonfires are allowed on the first Saturday"],
    ["Why were two gardeners kicked out?", "their plots had not been dug for two summers"],
    ["How long until I get a garden of my own there?", "The mean time of waiting has grown to three years"],
    ["Which volunteer job does nobody want?", "The post of seed steward remains open"],
  ]),
  ...ask("minutes-bridge", [
    ["Did anybody get hurt on the building site?", "One worker was treated for cement burns"],
    ["Why is one side behind schedule?", "because of the old sewer that was not on any plan"],
    ["What are people living nearby grumbling about?", "have complained of noise before seven"],
    ["Where does the metal for the crossing come from?", "The steelwork comes from Dravik in Gdansk"],
  ]),
  ...ask("article-bumblebees", [
    [
      "How far away does planting flowers still help the insects?",
      "At 750 metres no difference could be found",
    ],
    ["Did animals wreck any of the nests?", "Two nests were dug up by badgers"],
    ["Was bad weather a problem for the research?", "the wettest for thirty years"],
  ]),
  ...ask("article-lime-mortar", [
    [
      "Is the pricier material worth it in the long run?",
      "in forty years the wall with lime comes out cheaper by a third",
    ],
    [
      "Is late autumn a bad time for the masonry job?",
      "Work after the middle of September is therefore not advised",
    ],
  ]),
  ...ask("article-night-shift", [
    ["Did staff feel less exhausted afterwards?", "The score for tiredness at the end of the night fell"],
    [
      "Should older staff be spared working while others sleep?",
      "nurses over fifty-five should be able to leave out the night",
    ],
    ["Did anyone drop out?", "Eleven nurses left the study"],
  ]),
  ...ask("article-soil-carbon", [
    [
      "What happens to the ground if you rip the bushes out?",
      "Grubbing up an old hedge gives back half of the store",
    ],
    ["Does trimming them more often do any harm?", "made no difference below ground"],
  ]),
  ...ask("ferry-timetable", [
    [
      "How early do I have to be at the dock with my vehicle?",
      "closes twenty minutes before the ship leaves",
    ],
    ["Is my bike extra?", "Bicycles cost 2.00 on every route"],
    [
      "Which boat fills in when the big one is being repaired?",
      "the Little Auk then sails twice a day in her place",
    ],
  ]),
  ...ask("nursery-price-list", [
    ["My soil is soggy. Which fruit would cope?", "Quinces do not mind wet feet"],
    ["What time of year should I cut back a cherry?", "Prune plums and cherries only in summer"],
    ["Do they bring the trees to my house?", "are delivered free within forty miles"],
  ]),
];
