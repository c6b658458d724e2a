import { family } from "./corpus-types.ts";

const variants = [
  {
    id: "coffee-calida-one",
    name: "Calida One",
    tank: "1.4 litres",
    beans: "220 grams",
    warm: "35 seconds",
    off: "15 minutes",
    descale: "250 cups",
    cups: "12 cups",
    grind: "5 steps",
    height: "135 millimetres",
    brew: "9 bar",
    drip: "0.6 litres",
    rinse: "two days",
  },
  {
    id: "coffee-calida-pro",
    name: "Calida Pro",
    tank: "2.6 litres",
    beans: "450 grams",
    warm: "22 seconds",
    off: "45 minutes",
    descale: "600 cups",
    cups: "30 cups",
    grind: "9 steps",
    height: "165 millimetres",
    brew: "15 bar",
    drip: "1.1 litres",
    rinse: "one day",
  },
] as const;

type Machine = (typeof variants)[number];

export const coffeeMachines = family(
  variants,
  (v: Machine) => ({
    title: `${v.name} coffee machine: user guide`,
    layout: "manual",
    header: `User guide ${v.name}`,
    blocks: [
      { heading: "Getting to know the machine" },
      {
        text: `The ${v.name} grinds beans fresh for every cup and can froth milk. The display in front shows what the machine is doing and asks for water, beans or cleaning when it is time. All removable parts can be rinsed under the tap; the brewing group must not go into the dishwasher.`,
      },
      {
        text: `The water tank holds ${v.tank} and is taken out upwards. The bean container takes ${v.beans} and has a lid that keeps the aroma. The drip tray below the grid catches ${v.drip}; a red float rises through the grid when it is full.`,
      },
      {
        text: `Cups and glasses up to a height of ${v.height} fit under the spout, which can be moved up and down with two fingers. Taller glasses can be used for hot water if the spout is swung aside.`,
      },
      { heading: "Switching on and off" },
      {
        text: `After switching on, the ${v.name} is hot in ${v.warm} and rinses its pipes with a little water. Place an empty cup below. The machine switches itself off when it has not been touched for ${v.off}; this time can be altered in the menu under Energy.`,
      },
      {
        text: "The main switch is at the back on the left. Use it before a journey. The settings are kept for years without current, but the clock has to be set again.",
      },
      { heading: "Making coffee" },
      {
        text: `Turn the wheel to the drink you want and press it once. Coffee is brewed at a pressure of ${v.brew}. While the coffee runs, turn the wheel to alter the amount; press it for three seconds to store the new amount for this drink.`,
      },
      {
        text: `The mill can be set in ${v.grind} from fine to coarse with the lever in the bean container. Move the lever only while the mill is turning. A finer setting makes stronger coffee, which runs more slowly. Oily or caramelised beans glue up the mill and must not be used.`,
      },
      {
        text: "Platform coffee goes into the shaft under the small lid, never more than one flat spoon. Instant coffee blocks the shaft. After ground coffee the machine goes back to beans by itself.",
      },
      { heading: "Milk" },
      {
        text: "Hang the hose into a jug with cold milk of at least 3.5 per cent fat. Skimmed milk makes much foam that soon falls, oat drink makes little. When you have finished, put the hose into the drip tray and start the short rinse, which takes twenty seconds.",
      },
      {
        text: `The milk system should be taken apart and cleaned with the special liquid every ${v.rinse}. Dried milk is the most common reason why foam becomes thin. The five parts of the frother are listed on the card inside the lid.`,
      },
      { heading: "Care" },
      {
        text: `Empty the grounds container after ${v.cups}, also when the display has not yet asked for it. Grounds that stay over the weekend become mouldy. Rinse the brewing group once a week under lukewarm water without any soap and let it dry.`,
      },
      {
        text: `The machine counts and asks for descaling after about ${v.descale}, sooner in places with hard water. Use only the liquid descaler of the maker: vinegar attacks the seals. The programme takes twenty-five minutes and must not be broken off.`,
      },
      {
        text: "Measure the hardness of the water with the strip that comes with the machine: dip it in for one second, wait for a minute, and set the number of red squares in the menu. With a filter in the tank set the lowest hardness.",
      },
      { heading: "Messages on the display" },
      {
        columns: [150, 330],
        rows: [
          ["Message", "Meaning"],
          ["Fill tank", "Water is used up or the tank is not pushed home"],
          ["Mill empty", "Beans do not slide down; stir them"],
          ["Close door", "The service door on the right is open"],
          ["Error 8", "The brewing group is not in its place; switch off and insert it again"],
        ],
      },
    ],
  }),
  (v: Machine, i: number) => [
    [
      [
        `How much water fits into the tank of the ${v.name}?`,
        `What is the water tank capacity of the ${v.name}?`,
      ][i]!,
      `The water tank holds ${v.tank}`,
    ],
    [
      [
        `How many grams of beans does the ${v.name} take?`,
        `What is the size of the bean container on the ${v.name}?`,
      ][i]!,
      `The bean container takes ${v.beans}`,
    ],
    [
      [
        `How long does the ${v.name} take to heat up?`,
        `How quickly is the ${v.name} hot after switching on?`,
      ][i]!,
      `is hot in ${v.warm}`,
    ],
    [
      [
        `When does the ${v.name} turn itself off?`,
        `After what idle time does the ${v.name} switch off automatically?`,
      ][i]!,
      `has not been touched for ${v.off}`,
    ],
    [
      [`After how many cups must the ${v.name} be descaled?`, `When does the ${v.name} ask for descaling?`][
        i
      ]!,
      `asks for descaling after about ${v.descale}`,
    ],
    [
      [
        `When should the grounds container of the ${v.name} be emptied?`,
        `After how many cups do I empty the coffee grounds in the ${v.name}?`,
      ][i]!,
      `Empty the grounds container after ${v.cups}`,
    ],
    [
      [
        `How many grinder settings does the ${v.name} have?`,
        `In how many steps can the mill of the ${v.name} be adjusted?`,
      ][i]!,
      `The mill can be set in ${v.grind}`,
    ],
    [
      [`How tall may a cup be under the spout of the ${v.name}?`, `What cup height fits the ${v.name}?`][i]!,
      `up to a height of ${v.height}`,
    ],
    [
      [`At what pressure does the ${v.name} brew?`, `Brewing pressure of the ${v.name}`][i]!,
      `brewed at a pressure of ${v.brew}`,
    ],
    [
      [
        `How often must the milk system of the ${v.name} be cleaned?`,
        `Cleaning interval of the milk frother of the ${v.name}`,
      ][i]!,
      `cleaned with the special liquid every ${v.rinse}`,
    ],
  ],
);
