import type { Corpus } from "./corpus-types.ts";

export const articles: Corpus = {
  documents: [
    {
      id: "article-bumblebees",
      title: "Wild flower strips and bumblebee colonies on arable land",
      layout: "two-column",
      blocks: [
        { heading: "Wild flower strips and bumblebee colonies on arable land" },
        {
          text: "Abstract. We followed 96 colonies of the buff-tailed bumblebee over three seasons on twelve farms, six of which had sown strips of wild flowers along their fields. Colonies near strips grew heavier and raised more young queens. The effect was strongest in the second year and vanished where the strips were mown in June.",
        },
        { heading: "1 Introduction" },
        {
          text: "Bumblebees have become rare in many farmed landscapes. Two causes are named again and again: the loss of flowers and the use of insecticides. Strips of wild flowers are paid for by most governments, but whether they help whole colonies, and not merely draw workers from elsewhere, has seldom been tested.",
        },
        {
          text: "Counting workers on flowers is not enough. A strip may be full of bees because it is the only food for a mile around, while the nests themselves starve. We therefore weighed the nests, which is laborious but tells what counts: whether a colony is growing.",
        },
        { heading: "2 Methods" },
        {
          text: "Nest boxes of plywood were placed at 50, 250 and 750 metres from the edge of the strip. Each box was weighed at night every ten days with a balance that is accurate to 0.1 grams. Pollen loads were taken from returning workers and identified under the microscope by one person, who did not know where they came from.",
        },
        {
          text: "Farms were paired by soil and by crop. In each pair a coin decided which farm was to sow the strip. The mixture had twenty-three kinds of plants, among them knapweed, red clover, scabious and viper's bugloss. All strips were six metres wide.",
        },
        {
          text: "Differences were tested with mixed models in which the pair of farms was a random effect. The data and the programs are kept by the library of the university and can be had on request.",
        },
        { heading: "3 Results" },
        {
          text: "Colonies within 50 metres of a strip reached a greatest weight of 612 grams on average, those on farms without strips 431 grams. At 750 metres no difference could be found. Young queens were seen in 41 per cent of the colonies near strips and in 17 per cent of the others.",
        },
        {
          text: "Red clover made up 38 per cent of all pollen loads, more than any other plant. Viper's bugloss was visited for nectar only. Phacelia, although it was sown most densely, played hardly any part after the first year, because it does not seed itself.",
        },
        {
          text: "Cuckoo bees invaded nine nests. Their number did not depend on the strips. Two nests were dug up by badgers, and one box was stolen.",
        },
        { heading: "4 Discussion" },
        {
          text: "Flower strips feed colonies and do not only gather workers, but their reach is short. A farm that wants bumblebees in all its fields needs a net of strips no more than 500 metres apart. Mowing in June took away the food in the weeks in which queens are raised; it should wait until the end of August.",
        },
        {
          text: "Our study has limits. Bought colonies may behave unlike wild ones, and twelve farms are few. The summer of the third year was the wettest for thirty years, which held back the bees everywhere. The cost of the strips came to 640 euros a hectare and year, of which seed was the smaller part.",
        },
      ],
    },
    {
      id: "article-lime-mortar",
      title: "Lime mortar in the repair of harbour walls",
      layout: "two-column-rows",
      blocks: [
        { heading: "Lime mortar in the repair of harbour walls" },
        {
          text: "Summary. Walls of old harbours were built with mortar of lime and have often been repaired with cement. We compare both on four quays after fifteen years. Joints of natural hydraulic lime had lost 4 millimetres on average, joints of cement only 1, but beside the cement the stones themselves had lost 11.",
        },
        { heading: "Background" },
        {
          text: "Cement is harder than the soft sandstone between which it lies. Water that enters the wall cannot leave through the joint and leaves through the stone, where its salt crystallises and breaks the surface. Masons have known this for long; engineers have asked for numbers.",
        },
        {
          text: "Natural hydraulic lime sets under water, though slowly. It is sold in three classes of strength, called 2, 3.5 and 5. For work in the tidal zone the strongest class is generally chosen, mixed with sharp sand in the ratio of one to two.",
        },
        { heading: "The four quays" },
        {
          text: "The quays lie at Port Ellary, Stonehythe, Wick Sands and Carrow. Their walls are of red sandstone and were built between 1790 and 1846. On each a stretch of forty metres had been repointed in 2008, half with lime and half with cement, by the same team of masons.",
        },
        {
          text: "We measured the depth of joints and stones with a laser scanner from a raft at low water. Cores were taken from six places on every wall. Salt was washed out of the powder and weighed. The tidal range differs from 2.9 metres at Carrow to 5.4 metres at Stonehythe.",
        },
        { heading: "Findings" },
        {
          text: "The salt content behind joints of cement was three times as high as behind those of lime. At Stonehythe, where waves strike hardest, a tenth of the lime joints had been washed out altogether and would have to be renewed. At the other three places fewer than two in a hundred had gone.",
        },
        {
          text: "Lime costs more at first: 186 euros a square metre against 142 for cement. But stones that have lost their face must be replaced at 900 euros a square metre, and in forty years the wall with lime comes out cheaper by a third.",
        },
        {
          text: "Frost did no harm to lime that had been given at least eight weeks to harden before the first cold night. Work after the middle of September is therefore not advised. Wet sacking keeps young joints from drying too fast in summer.",
        },
        { heading: "Advice" },
        {
          text: "Use lime wherever the stone is soft and the wall can be reached again. Where waves break directly, a joint of lime may be covered with a thin coat of lime with pozzolan, which sets within a tide. Old cement should be cut out by hand: machines widen the joints.",
        },
      ],
    },
    {
      id: "article-night-shift",
      title: "Sleep of nurses on forward rotating shifts",
      layout: "two-column",
      blocks: [
        { heading: "Sleep of nurses on forward rotating shifts" },
        {
          text: "Abstract. In a trial with 148 nurses of five hospitals we changed the order of shifts from backward to forward rotation for six months. Sleep between shifts grew by 41 minutes a day, and errors in giving medicines fell by 22 per cent. Half of the nurses did not want to go back.",
        },
        { heading: "Why the order matters" },
        {
          text: "In a backward rotation the night shift is followed by the late one and that by the early one. Each change shortens the time to rest, sometimes to eight hours. Going forward, from early to late to night, gives the body longer days, which most people find easier than shorter ones.",
        },
        {
          text: "The inner clock of adults runs on 24.2 hours on average. It can be delayed by about ninety minutes a day but advanced by less than sixty. This simple fact has been known since the experiments in bunkers in the sixties, yet few rosters take account of it.",
        },
        { heading: "How we did it" },
        {
          text: "Wards drew lots for the order of change. Nurses wore a sensor on the wrist for two weeks in each period and kept a diary. Errors were taken from the pharmacy's records by two people who did not know the roster. Night shifts in a row were limited to three.",
        },
        {
          text: "Coffee was not restricted. Nurses with small children could swap shifts as before; swaps were noted and made up seven per cent of all shifts. Eleven nurses left the study, four of them because they were expecting a child.",
        },
        { heading: "What we found" },
        {
          text: "Sleep between two shifts rose from 5 hours 58 minutes to 6 hours 39 minutes. Naps became rarer. The score for tiredness at the end of the night fell from 6.8 to 5.1 on a scale of ten. Blood pressure did not change.",
        },
        {
          text: "Sick leave fell from 4.9 to 4.1 per cent, which could be chance. The hospital at Tarn Cross, where the change was announced badly, showed no gain at all. There the roster had been published only nine days ahead.",
        },
        { heading: "What follows" },
        {
          text: "A forward order costs nothing and helps many. It should be announced at least six weeks ahead, and nurses over fifty-five should be able to leave out the night. We cannot say whether the gain lasts for longer than half a year.",
        },
      ],
    },
    {
      id: "article-soil-carbon",
      title: "Carbon in the soil under hedges and fields",
      layout: "two-column-rows",
      blocks: [
        { heading: "Carbon in the soil under hedges and fields" },
        {
          text: "Summary. Soil under 73 hedges in the lowlands held 31 per cent more carbon than soil in the fields beside them. The gain reached three metres into the field and forty centimetres into the ground. Young hedges caught up with old ones after thirty-seven years.",
        },
        { heading: "Question" },
        {
          text: "Hedges were grubbed up by the thousand mile after the war. Now they are planted again, and farmers are to be paid for the carbon that they store. The wood can be measured with a tape. What lies in the soil is harder to know, and tables in use rest on a handful of sites.",
        },
        { heading: "Sampling" },
        {
          text: "From each hedge a line was laid at right angles into the field. Samples were taken below the hedge and at one, three, ten and thirty metres, down to a depth of 60 centimetres. Stones were sieved out and weighed, because a soil full of stones holds less than it seems to.",
        },
        {
          text: "The age of hedges was taken from maps and from the owners' memory. Hawthorn was the main plant in fifty-one of them, blackthorn in fourteen, hazel in eight. Sites with ditches were left out since they collect earth from above.",
        },
        { heading: "Results" },
        {
          text: "Below the hedge we found 102 tonnes of carbon in a hectare, at thirty metres 78 tonnes. Clay soils gained more than sandy ones: 35 per cent as against 19. Hedges that ran across the slope had caught soil on the upper side, up to half a metre of it.",
        },
        {
          text: "Cutting the hedge every year or every third year made no difference below ground, though birds and berries prefer the third year. Where hedges had been laid in the old manner the roots were denser, but the numbers were too small to be sure.",
        },
        { heading: "Meaning" },
        {
          text: "If the country planted 40,000 kilometres of hedge, as has been proposed, the soil would take up about one million tonnes of carbon in forty years. That is worth having, but it is less than one per cent of what the country gives off in a single year from its traffic.",
        },
        {
          text: "Payment should be made by the metre and by the kind of soil. Measuring every hedge would cost more than the carbon is worth: one set of samples costs 420 euros. Grubbing up an old hedge gives back half of the store within eight years.",
        },
      ],
    },
  ],
  questions: [
    [
      "article-bumblebees",
      "How heavy did bumblebee colonies near flower strips become?",
      "reached a greatest weight of 612 grams",
    ],
    [
      "article-bumblebees",
      "Which plant gave most of the pollen loads of bumblebees?",
      "Red clover made up 38 per cent",
    ],
    ["article-bumblebees", "How wide were the sown flower strips?", "All strips were six metres wide"],
    ["article-bumblebees", "When should flower strips be mown?", "it should wait until the end of August"],
    ["article-bumblebees", "What did the flower strips cost per hectare?", "came to 640 euros a hectare"],
    ["article-bumblebees", "How many nests were invaded by cuckoo bees?", "Cuckoo bees invaded nine nests"],
    [
      "article-lime-mortar",
      "How much more salt was found behind cement joints?",
      "was three times as high as behind those of lime",
    ],
    [
      "article-lime-mortar",
      "What does repointing with lime cost per square metre?",
      "186 euros a square metre",
    ],
    [
      "article-lime-mortar",
      "How long must lime mortar harden before frost?",
      "at least eight weeks to harden",
    ],
    [
      "article-lime-mortar",
      "Why does cement damage soft sandstone?",
      "its salt crystallises and breaks the surface",
    ],
    ["article-lime-mortar", "What is the tidal range at Stonehythe?", "5.4 metres at Stonehythe"],
    [
      "article-lime-mortar",
      "How should old cement be removed from joints?",
      "Old cement should be cut out by hand",
    ],
    [
      "article-night-shift",
      "By how much did medication errors fall with forward rotation?",
      "errors in giving medicines fell by 22 per cent",
    ],
    [
      "article-night-shift",
      "How long is the natural period of the inner clock of adults?",
      "runs on 24.2 hours",
    ],
    ["article-night-shift", "How many nurses took part in the shift trial?", "trial with 148 nurses"],
    [
      "article-night-shift",
      "How many night shifts in a row were allowed in the nurse study?",
      "Night shifts in a row were limited to three",
    ],
    [
      "article-night-shift",
      "Why was there no gain at the hospital at Tarn Cross?",
      "The hospital at Tarn Cross, where the change was announced badly",
    ],
    [
      "article-soil-carbon",
      "How much more carbon does soil under hedges hold?",
      "held 31 per cent more carbon",
    ],
    [
      "article-soil-carbon",
      "How deep were the soil samples taken beside the hedges?",
      "down to a depth of 60 centimetres",
    ],
    ["article-soil-carbon", "What does a set of soil samples cost?", "one set of samples costs 420 euros"],
    [
      "article-soil-carbon",
      "How long until a young hedge stores as much carbon as an old one?",
      "Young hedges caught up with old ones after thirty-seven years",
    ],
    [
      "article-soil-carbon",
      "Which shrub was the main plant in most hedges?",
      "Hawthorn was the main plant in fifty-one",
    ],
  ].map(([document = "", question = "", answer = ""]) => ({ document, question, answer })),
};
