import { family } from "./corpus-types.ts";

const variants = [
  {
    id: "water-report-2022",
    year: "2022",
    water: "18.4 million cubic metres",
    loss: "11.6 per cent",
    staff: "214 people",
    revenue: "41.2 million euros",
    profit: "2.1 million euros",
    invest: "9.7 million euros",
    bursts: "143 bursts",
    pipes: "21.5 kilometres",
    price: "1.94 euros",
    samples: "3,812 samples",
    nitrate: "17 milligrams",
    solar: "1.3 gigawatt hours",
    energy: "0.47 kilowatt hours",
    accidents: "nine accidents",
    complaints: "1,206 complaints",
    meters: "8,400 meters",
    chair: "Helga Stroem",
    drought: "eleven weeks",
    apprentices: "six apprentices",
  },
  {
    id: "water-report-2023",
    year: "2023",
    water: "17.9 million cubic metres",
    loss: "10.8 per cent",
    staff: "221 people",
    revenue: "43.6 million euros",
    profit: "1.4 million euros",
    invest: "12.3 million euros",
    bursts: "128 bursts",
    pipes: "24.1 kilometres",
    price: "2.07 euros",
    samples: "4,015 samples",
    nitrate: "16 milligrams",
    solar: "2.2 gigawatt hours",
    energy: "0.45 kilowatt hours",
    accidents: "seven accidents",
    complaints: "988 complaints",
    meters: "15,700 meters",
    chair: "Helga Stroem",
    drought: "four weeks",
    apprentices: "eight apprentices",
  },
  {
    id: "water-report-2024",
    year: "2024",
    water: "18.8 million cubic metres",
    loss: "9.3 per cent",
    staff: "229 people",
    revenue: "46.9 million euros",
    profit: "3.3 million euros",
    invest: "15.8 million euros",
    bursts: "97 bursts",
    pipes: "28.6 kilometres",
    price: "2.15 euros",
    samples: "4,377 samples",
    nitrate: "14 milligrams",
    solar: "3.9 gigawatt hours",
    energy: "0.42 kilowatt hours",
    accidents: "four accidents",
    complaints: "741 complaints",
    meters: "27,300 meters",
    chair: "Anton Reyes",
    drought: "two weeks",
    apprentices: "eleven apprentices",
  },
] as const;

type Report = (typeof variants)[number];

export const waterReports = family(
  variants,
  (v: Report) => ({
    title: `Municipal Waterworks of Lindau Bay: annual report ${v.year}`,
    layout: "report",
    header: `Municipal Waterworks of Lindau Bay - Annual report ${v.year}`,
    blocks: [
      { heading: "Foreword" },
      {
        text: `Dear readers, a year of waterworks is a year of quiet: if we do our work well, nobody notices. ${v.year} was such a year, in spite of all that went on around us. Prices of energy and steel moved like the sea, and the summer tested the wells. Yet on no day did a tap stay dry for longer than the rules allow.`,
      },
      {
        text: `I thank all who were called from their beds to dig in the rain. I thank the council for its patience with our road works. This report tells in plain words what we did with your money, and where we fell short of what we had planned. ${v.chair}, chair of the board.`,
      },
      { pageBreak: true },
      { heading: "The company in brief" },
      {
        text: "The waterworks belong to the city and to the nine villages around the bay. They were founded in 1887 after the great fever, and they have been run as a company of the city since 1951. They own fourteen wells, three spring captures, five towers and the works at Ostermoor, where the water of the lake is treated.",
      },
      {
        text: `At the end of ${v.year} the company employed ${v.staff}, a third of them in the network department. In addition ${v.apprentices} were being trained in four crafts. The average age fell a little, to forty-four. Women make up a fifth of the staff and a quarter of those who lead.`,
      },
      {
        text: "The board met seven times. It dealt above all with the rebuilding of the Ostermoor works, with the new tariff and with the safety of the control system, which an outside firm had looked at closely on behalf of the board.",
      },
      { pageBreak: true },
      { heading: "Supply" },
      {
        text: `In ${v.year} we delivered ${v.water} of drinking water. Households took two thirds, trade and industry a quarter, and the rest went to the neighbouring associations, with which we have been joined by a main under the bay since 1998. The highest demand of a single day fell on a Sunday in July.`,
      },
      {
        text: `Of the water that entered the network, ${v.loss} did not reach a customer. Part of it is water for rinsing and for fires, but most is lost through leaks. A third of our mains are older than sixty years, and those of grey cast iron from the fifties give the most trouble.`,
      },
      {
        text: `The dry spell lasted for ${v.drought}. During that time we asked for gardens to be watered only in the evening, and we drew more from the lake than from the wells, so that the ground water could rest. Two shallow wells near Birkfeld were taken off the network as a precaution.`,
      },
      {
        text: "Our emergency supply was tried out on a Saturday in May with the fire brigade and the district hospital. Eight mobile tanks were filled and set up within three hours. The exercise showed that the list of contacts was out of date, and it has been put right.",
      },
      { pageBreak: true },
      { heading: "Quality" },
      {
        text: `The laboratory examined ${v.samples} in the course of the year, far more than the law asks for. The limits were kept at all times with one exception: a tap in a school that had not been used during the holidays. After rinsing the second sample was clean.`,
      },
      {
        text: `The mean content of nitrate was ${v.nitrate} per litre, against a limit of fifty. This is a fruit of the agreements with the farmers around the wells, who spread less manure and are paid for it. Traces of a weed killer that has been forbidden for years can still be measured at Birkfeld, well below the limit.`,
      },
      {
        text: "The hardness of the water differs from place to place: soft from the lake, hard from the wells. Since many customers ask, each bill now shows the degree of hardness for the address. Chlorine is added only in the western zone and only in summer.",
      },
      { pageBreak: true },
      { heading: "Network" },
      {
        text: `We counted ${v.bursts} of mains, most of them in January and February when the ground froze. The mean time until the water ran again was four hours and ten minutes. The largest one, in Harbour Street, flooded two cellars and cut off a bakery for a morning; the baker forgave us.`,
      },
      {
        text: `During the year ${v.pipes} of pipe were renewed. That is more than one per cent of the network, which is the rate that has to be kept up if the pipes are not to become older on average. Where the road was open anyhow, ducts for glass fibre were put in as well.`,
      },
      {
        text: `By the end of December ${v.meters} had been replaced by ones that can be read by radio. They send four times a day and give the alarm when water runs at night. Customers who do not want one may keep the old kind and are read by hand for a fee.`,
      },
      { pageBreak: true },
      { heading: "Energy and environment" },
      {
        text: `Pumps are by far the greatest users of current. For each cubic metre delivered we needed ${v.energy}. New impellers at the Ostermoor works and a better plan of the filling of towers by night have lowered that figure from year to year.`,
      },
      {
        text: `Our own panels on the roofs and on the bank of the old reservoir yielded ${v.solar} of current. What we do not need ourselves at noon goes into the public network. A turbine in the fall line from the springs is being studied; the fishing club has been asked for its opinion.`,
      },
      {
        text: "Eleven hectares of spruce around the springs are being turned into a wood of beech and oak, under which more and better ground water forms. School classes have planted four thousand trees so far. Deer are kept away by a fence that costs more than the trees.",
      },
      { pageBreak: true },
      { heading: "People and safety" },
      {
        text: `There were ${v.accidents} that led to an absence of more than three days. Most were slips and cuts on building sites. After each one the place was visited by the safety officer together with those concerned, and the lessons were passed on at the Monday meeting.`,
      },
      { heading: "Customers" },
      {
        text: `We received ${v.complaints} in writing, on bills for the most part, followed by road works and the pressure in upper floors. Nine out of ten were answered within a week. The counter in the town hall has been open on Saturdays since the spring, and is used above all by older people.`,
      },
      { pageBreak: true },
      { heading: "Figures" },
      {
        text: `The revenue of the year came to ${v.revenue}. After tax a profit of ${v.profit} remained, all of which stays in the company. Reserves now stand at a level that would carry us through half a year without any income.`,
      },
      {
        text: `We invested ${v.invest}, two thirds of it in mains and the rest in works and meters. Loans were taken up for a third of that sum at a fixed rate. The largest single item was the new building for the filters at Ostermoor.`,
      },
      {
        text: `The price of a cubic metre was ${v.price} before tax, to which a basic charge is added according to the size of the meter. We compare ourselves with eleven works of our size: we lie in the cheaper half, and in the better half as to leaks.`,
      },
      { heading: "Outlook" },
      {
        text: "In the coming year the second main to Birkfeld will be laid, and the control room will move into the new building. A plan for the supply in 2050 is being made with the university. It will have to say where water comes from when summers are as dry as those of the south are today.",
      },
    ],
  }),
  (v: Report, i: number) => [
    [
      [
        `How much drinking water did the Lindau Bay waterworks deliver in ${v.year}?`,
        `What volume of water was delivered in ${v.year}?`,
        `Drinking water supplied in ${v.year}`,
      ][i]!,
      `we delivered ${v.water}`,
    ],
    [
      [
        `What share of the water was lost in ${v.year}?`,
        `How large were the leakage losses in ${v.year}?`,
        `How many per cent of the water did not reach customers in ${v.year}?`,
      ][i]!,
      `${v.loss} did not reach a customer`,
    ],
    [
      [
        `How many people worked for the waterworks in ${v.year}?`,
        `Number of employees of the waterworks at the end of ${v.year}`,
        `How many staff did the waterworks have in ${v.year}?`,
      ][i]!,
      `the company employed ${v.staff}`,
    ],
    [
      [
        `What was the revenue of the waterworks in ${v.year}?`,
        `How high was the income of the waterworks in ${v.year}?`,
        `Waterworks revenue ${v.year}`,
      ][i]!,
      `The revenue of the year came to ${v.revenue}`,
    ],
    [
      [
        `What profit did the waterworks make in ${v.year}?`,
        `How much profit remained after tax in ${v.year}?`,
        `Profit of the Lindau Bay waterworks for ${v.year}`,
      ][i]!,
      `a profit of ${v.profit} remained`,
    ],
    [
      [
        `How much did the waterworks invest in ${v.year}?`,
        `What sum was invested in ${v.year}?`,
        `Total investment of the waterworks in ${v.year}`,
      ][i]!,
      `We invested ${v.invest}`,
    ],
    [
      [
        `How many pipe bursts were there in ${v.year}?`,
        `Number of burst mains in ${v.year}`,
        `How often did mains burst in ${v.year}?`,
      ][i]!,
      `We counted ${v.bursts}`,
    ],
    [
      [
        `How many kilometres of pipe were renewed in ${v.year}?`,
        `What length of mains was replaced in ${v.year}?`,
        `Pipe renewal in ${v.year}`,
      ][i]!,
      `${v.pipes} of pipe were renewed`,
    ],
    [
      [
        `What did a cubic metre of water cost in ${v.year}?`,
        `What was the water price per cubic metre in ${v.year}?`,
        `Price of water in ${v.year}`,
      ][i]!,
      `The price of a cubic metre was ${v.price}`,
    ],
    [
      [
        `How many samples did the laboratory test in ${v.year}?`,
        `How often was the water sampled by the laboratory in ${v.year}?`,
        `Laboratory samples examined in ${v.year}`,
      ][i]!,
      `The laboratory examined ${v.samples}`,
    ],
    [
      [
        `What was the nitrate content of the water in ${v.year}?`,
        `How many milligrams of nitrate per litre were measured in ${v.year}?`,
        `Mean nitrate level ${v.year}`,
      ][i]!,
      `content of nitrate was ${v.nitrate}`,
    ],
    [
      [
        `How many accidents at work happened in ${v.year}?`,
        `Work accidents with more than three days of absence in ${v.year}`,
        `How many accidents did the waterworks report for ${v.year}?`,
      ][i]!,
      `There were ${v.accidents}`,
    ],
    [
      [
        `How many complaints did customers send in ${v.year}?`,
        `Number of written complaints in ${v.year}`,
        `How often did customers complain to the waterworks in ${v.year}?`,
      ][i]!,
      `We received ${v.complaints}`,
    ],
    [
      [
        `How long did the drought of ${v.year} last?`,
        `For how many weeks was it dry in ${v.year}?`,
        `Length of the dry spell of ${v.year}`,
      ][i]!,
      `The dry spell lasted for ${v.drought}`,
    ],
    [
      [
        `How much solar power did the waterworks generate in ${v.year}?`,
        `What did the solar panels yield in ${v.year}?`,
        `Current from the waterworks' own panels in ${v.year}`,
      ][i]!,
      `yielded ${v.solar} of current`,
    ],
  ],
);
