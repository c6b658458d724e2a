import { ask, type Corpus } from "../corpus-types.ts";

/** Leaflets and conditions, asked about the way people ask: in other words than those of the page. */
export const guides: Corpus = {
  documents: [
    {
      id: "gym-conditions",
      title: "Kestrel Fitness: conditions of membership",
      layout: "contract",
      header: "Kestrel Fitness - conditions",
      blocks: [
        { heading: "1 Term and termination" },
        {
          text: "The agreement runs for twelve months and is prolonged by three months at a time unless one side terminates it in text form four weeks before it ends. If a member moves to a place more than twenty-five miles from the nearest studio, the agreement can be ended at the end of the following month against proof of the new address.",
        },
        { heading: "2 Dues" },
        {
          text: "The monthly due is 39 pounds, collected by direct debit on the first working day. A returned debit causes a charge of 6 pounds. Members who are unable to train for more than six weeks because of illness, pregnancy or military service may suspend the agreement on presentation of a certificate; no dues are collected for that period.",
        },
        { pageBreak: true },
        { heading: "3 Use of the studios" },
        {
          text: "Outdoor footwear is not permitted beyond the turnstile, and a towel must lie on every bench in use. Persons under sixteen are admitted to the weight room only in the company of a parent. Members may bring a companion on the last Friday of each month without charge; on other days a day pass costs 12 pounds.",
        },
        {
          text: "The sauna is heated from Wednesday to Sunday, on Thursdays for women only. Glass bottles and perfumed oils are forbidden there.",
        },
        { pageBreak: true },
        { heading: "4 Lockers and liability" },
        {
          text: "Lockers are emptied every night at closing time. Their contents are kept at reception for fourteen days and then given to charity. The operator is not liable for valuables. Damage to equipment is paid for by the member who caused it, unless it results from ordinary wear.",
        },
      ],
    },
    {
      id: "travel-cover",
      title: "Wayfarer Cover: summary of travel insurance",
      layout: "report",
      header: "Wayfarer Cover",
      blocks: [
        { heading: "Before the journey" },
        {
          text: "If you cannot begin the journey because you, a travelling companion or a close relative falls seriously ill, we reimburse the costs of cancellation less an excess of 20 per cent. You may revoke the contract within fourteen days without giving reasons. From the age of 70 on the premium doubles.",
        },
        {
          text: "Each journey is insured for up to 56 days; longer stays need the extension W, which must be bought before departure.",
        },
        { pageBreak: true },
        { heading: "On the road" },
        {
          text: "Treatment by doctors, hospital stays and prescribed drugs outside your country of residence are covered without limit. Dental care is limited to the relief of acute pain, at most 400 euros. Transport home by air ambulance is arranged by the emergency centre when a doctor considers it sensible.",
        },
        {
          text: "If checked baggage reaches you more than twelve hours after your own arrival, essential purchases are refunded up to 300 euros. Cameras and computers are covered at half of their present value.",
        },
        { pageBreak: true },
        { heading: "Duties and exclusions" },
        {
          text: "Report theft to the local police within twenty-four hours and ask for a written record; without it we cannot pay. Not insured are events that were foreseeable when the policy was bought, injuries under the influence of alcohol, and races of any kind. Claims become void two years after the event.",
        },
      ],
    },
    {
      id: "museum-leaflet",
      title: "Harbour Museum Ellary: information for visitors",
      layout: "manual",
      blocks: [
        { heading: "Hours and admission" },
        {
          text: "The museum is open from Tuesday to Sunday from ten to half past five; the last admission is at five. Adults pay 9 pounds. Under-eighteens enter free of charge. Guided walks start at eleven and three at the anchor in the courtyard and last fifty minutes.",
        },
        { pageBreak: true },
        { heading: "In the house" },
        {
          text: "The building is free of steps; two wheelchairs can be borrowed at the cloakroom against an identity card. Rucksacks larger than a sheet of A4 go into the lockers, which need a one-pound coin. Photographs without flash and without tripod are welcome for private use. The lighthouse tower has 142 steps and is closed in winds above force seven.",
        },
        { pageBreak: true },
        { heading: "Around the house" },
        {
          text: "The café serves soups and cakes until four; food of your own may be eaten in the garden. Dogs, with the exception of assistance dogs, stay outside; there are rings and water at the east gate. The nearest place to leave a car is behind the fish market, two minutes on foot.",
        },
      ],
    },
    {
      id: "router-guide",
      title: "Fennel Net: quick start and help for your router",
      layout: "manual",
      header: "Fennel Net quick start",
      blocks: [
        { heading: "Setting up" },
        {
          text: "Place the device in the middle of the flat, at some height and away from microwave ovens; thick walls and water pipes weaken the signal. The key of the wireless network is printed on the underside of the housing. The device draws nine watts.",
        },
        { pageBreak: true },
        { heading: "Daily use" },
        {
          text: "Guests receive access of their own, which ends after eight hours and cannot see your devices. Times without network can be set for each device, for example from nine in the evening until seven. Updates are installed between two and four at night.",
        },
        { pageBreak: true },
        { heading: "Faults and contract" },
        {
          text: "If the globe lamp blinks red, the line is interrupted. Pull out the plug, wait one minute and connect it again. To return to the state of delivery, press the recessed button with a pin for twelve seconds; all settings are lost. Faults are mended by the evening of the next working day. For each further day you are credited 5 pounds. When you move house, the connection moves with you; tell us the new address six weeks ahead.",
        },
      ],
    },
  ],
  questions: [
    ...ask("gym-conditions", [
      [
        "I forgot to cancel my gym in time. How much longer am I stuck?",
        "is prolonged by three months at a time",
      ],
      ["I broke my arm, do I have to keep paying for the gym?", "no dues are collected for that period"],
      [
        "What if there isn't enough in my account when they take the money?",
        "A returned debit causes a charge of 6 pounds",
      ],
      ["When can my buddy work out with me for free?", "on the last Friday of each month without charge"],
      ["I left my shoes there three weeks ago. Where are they now?", "then given to charity"],
      ["Can my 14 year old lift by himself?", "Persons under sixteen are admitted to the weight room only"],
      [
        "Can I train in the sneakers I walked over in?",
        "Outdoor footwear is not permitted beyond the turnstile",
      ],
      ["Is there an evening when no men are in the hot room?", "on Thursdays for women only"],
      [
        "We're relocating to another city, can I get out early?",
        "more than twenty-five miles from the nearest studio",
      ],
      [
        "Somebody took my watch at the gym. Will they compensate me?",
        "The operator is not liable for valuables",
      ],
    ]),
    ...ask("travel-cover", [
      [
        "My mum got sick right before our holiday. Do I get my money back?",
        "we reimburse the costs of cancellation",
      ],
      [
        "How much can I spend on clothes if my suitcase doesn't show up?",
        "essential purchases are refunded up to 300 euros",
      ],
      ["Will they pay if I get a toothache in Greece?", "Dental care is limited to the relief of acute pain"],
      ["Can they fly me back if I'm badly hurt?", "Transport home by air ambulance"],
      ["I'd had a few drinks when I fell. Am I still covered?", "injuries under the influence of alcohol"],
      [
        "My handbag was snatched abroad. What do I have to do first?",
        "Report theft to the local police within twenty-four hours",
      ],
      ["I'm away for three months, is that okay?", "longer stays need the extension W"],
      ["Does it get more expensive for my grandparents?", "From the age of 70 on the premium doubles"],
      [
        "I bought this policy yesterday and changed my mind.",
        "You may revoke the contract within fourteen days",
      ],
    ]),
    ...ask("museum-leaflet", [
      ["Which day is the museum shut?", "from Tuesday to Sunday"],
      ["What do kids pay to get in?", "Under-eighteens enter free of charge"],
      ["Where do we meet for the tour?", "at the anchor in the courtyard"],
      [
        "My grandfather can't walk far. Do they have something for him?",
        "two wheelchairs can be borrowed at the cloakroom",
      ],
      ["Am I allowed to take pictures?", "Photographs without flash and without tripod are welcome"],
      ["Where can I leave my big backpack?", "go into the lockers, which need a one-pound coin"],
      ["Why might we not get to climb to the top?", "is closed in winds above force seven"],
      ["Can we have our own sandwiches somewhere?", "food of your own may be eaten in the garden"],
      [
        "What do I do with my puppy while we look around?",
        "stay outside; there are rings and water at the east gate",
      ],
      ["Where can I park?", "behind the fish market, two minutes on foot"],
    ]),
    ...ask("router-guide", [
      [
        "There's a red light and nothing loads. What now?",
        "Pull out the plug, wait one minute and connect it again",
      ],
      ["Where do I find the wifi password?", "is printed on the underside of the housing"],
      ["Why is the internet so slow in the bedroom?", "thick walls and water pipes weaken the signal"],
      ["Can visitors go online without seeing my stuff?", "Guests receive access of their own"],
      ["How do I wipe everything and start over?", "press the recessed button with a pin for twelve seconds"],
      ["How can I stop my kids being online at night?", "Times without network can be set for each device"],
      [
        "Do I get anything if it takes them a week to fix it?",
        "For each further day you are credited 5 pounds",
      ],
      ["I'm changing apartments. Do I have to cancel the internet?", "the connection moves with you"],
      ["Does the box use a lot of electricity?", "The device draws nine watts"],
    ]),
  ],
};
