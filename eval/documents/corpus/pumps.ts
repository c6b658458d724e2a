import { family } from "./corpus-types.ts";

const variants = [
  {
    id: "pump-halden-20",
    name: "Halden 20",
    pressure: "6 bar",
    flow: "3.2 cubic metres per hour",
    power: "550 watts",
    temperature: "35 degrees",
    noise: "58 decibels",
    oil: "every 2,000 hours",
    seal: "18 months",
    fuse: "6 ampere",
    torque: "9 newton metres",
    warranty: "24 months",
    suction: "7 metres",
    weight: "11.4 kilograms",
    cable: "10 metres",
  },
  {
    id: "pump-halden-40",
    name: "Halden 40",
    pressure: "9 bar",
    flow: "5.8 cubic metres per hour",
    power: "1,100 watts",
    temperature: "40 degrees",
    noise: "64 decibels",
    oil: "every 1,500 hours",
    seal: "12 months",
    fuse: "10 ampere",
    torque: "14 newton metres",
    warranty: "36 months",
    suction: "8 metres",
    weight: "17.9 kilograms",
    cable: "15 metres",
  },
  {
    id: "pump-norvik-s7",
    name: "Norvik S7",
    pressure: "12 bar",
    flow: "7.5 cubic metres per hour",
    power: "2,200 watts",
    temperature: "60 degrees",
    noise: "71 decibels",
    oil: "every 1,000 hours",
    seal: "9 months",
    fuse: "16 ampere",
    torque: "22 newton metres",
    warranty: "60 months",
    suction: "5 metres",
    weight: "29.5 kilograms",
    cable: "20 metres",
  },
] as const;

type Pump = (typeof variants)[number];

export const pumps = family(
  variants,
  (v: Pump) => ({
    title: `${v.name} garden and house pump: operating manual`,
    layout: "manual",
    header: `${v.name} - Operating manual - Edition 4`,
    blocks: [
      { heading: "1 About this manual" },
      {
        text: `This manual describes the installation, operation and upkeep of the ${v.name} pump. Read it before the first start and keep it near the machine. Persons who have not read the chapter on safety must not open the terminal box. The pictures show the standard version; special versions may look different.`,
      },
      {
        text: "Words printed in capitals warn of danger to persons. Words in italics point to conditions in which the pump itself could be damaged. The manual is part of the product and must be handed over when the pump is sold on.",
      },
      { heading: "2 Safety" },
      {
        text: `The pump may be run only on a circuit with a residual current device of 30 milliamperes. Pull the plug before any work on the machine. The supply must be protected by a slow ${v.fuse} fuse. Never lift the pump by its cable; use the handle on the motor housing.`,
      },
      {
        text: "Do not pump petrol, solvents, salt water or food. Children and persons who cannot judge the danger must be kept away from the running machine. Nobody may be in the water of a pool while the pump is connected to it.",
      },
      {
        text: "Hot water may spray out when the drain screw is opened under pressure. Let the machine cool down for at least twenty minutes, close the valve on the pressure side and open a tap to release what pressure is left.",
      },
      { heading: "3 Technical data" },
      {
        text: `The greatest pressure on the outlet side is ${v.pressure}. At a lift of ten metres the pump delivers ${v.flow}. The motor takes in ${v.power} from a single phase supply of 230 volts.`,
      },
      {
        text: `The water may not be warmer than ${v.temperature} Celsius. At a distance of one metre the sound level reaches ${v.noise}. The machine weighs ${v.weight} without water and comes with a rubber cable of ${v.cable}.`,
      },
      {
        text: `Water can be drawn up from a depth of at most ${v.suction} below the inlet. Every bend and every metre of hose lowers this figure. Where the ground water lies deeper, a submersible pump has to be used in its place.`,
      },
      { heading: "4 Installation" },
      {
        text: "Place the pump on level, dry ground that will carry its weight, at least thirty centimetres from the nearest wall. The room must be free of frost and must have a drain in the floor. Vibration can be kept from pipes by short pieces of armoured hose on both sides.",
      },
      {
        text: `Screw the suction line in by hand and tighten the union nut with ${v.torque}. Use tape of teflon on threads of metal and the flat gasket on threads of plastic. The suction line must rise steadily towards the pump, or pockets of air will form in it.`,
      },
      {
        text: "Fit a foot valve with a strainer to the lower end of the suction line. It must hang at least twenty centimetres above the bottom, so that no sand is drawn in, and at least thirty centimetres below the lowest water level.",
      },
      { heading: "5 First start" },
      {
        list: [
          "Unscrew the filling plug and pour in clean water until it runs over.",
          "Close the plug and open the tap that lies farthest away.",
          "Insert the plug and switch on. Drawing up may take as long as four minutes.",
          "When water comes without bubbles, close the tap and watch whether the pump stops.",
        ],
      },
      {
        text: "Should the pump not draw within four minutes, switch it off, let it rest for five and fill it again. Running dry for longer than that destroys the shaft seal. The thermal switch in the winding stops the motor and lets it start again by itself after cooling down.",
      },
      { heading: "6 Upkeep" },
      {
        text: `Change the oil in the bearing housing ${v.oil} of running. Only oil of class ISO VG 32 is allowed. Used oil must be handed in at a collection point. Clean the strainer each spring, and after every storm that stirs up the well.`,
      },
      {
        text: `The shaft seal is a wearing part and should be replaced after ${v.seal} at the latest, or as soon as drops are seen below the lantern. The set of seals contains two O-rings, which must be wetted with soapy water before they are pushed on.`,
      },
      {
        text: "Check the pressure of air in the tank twice a year with the water side emptied. It should lie 0.2 bar below the pressure at which the switch starts the pump. Pump up or let out air through the valve under the blue cap.",
      },
      {
        text: "Before winter, drain the pump through the screw at the bottom, turn the shaft by hand a few times and leave the screw open. Water that freezes in the housing will burst it, and this is not covered by the guarantee.",
      },
      { heading: "7 Faults and their remedies" },
      {
        columns: [110, 190, 190],
        rows: [
          ["Fault", "Likely cause", "What to do"],
          ["Motor hums", "Impeller blocked", "Turn the shaft with a screwdriver"],
          ["No water", "Air in the suction line", "Seal the joints, fill again"],
          ["Starts too often", "Too little air in the tank", "Pump up the tank to the right pressure"],
          ["Switches off", "Motor has become too hot", "Give it shade and check the voltage"],
        ],
      },
      {
        text: "If none of these helps, note the serial number on the plate and call the service. Opening the motor ends every claim. Spare parts can be ordered for ten years after the last machine of a series was made.",
      },
      { heading: "8 Guarantee" },
      {
        text: `From the day of purchase we give a guarantee of ${v.warranty} on material and make. It covers the repair or the exchange of faulty parts, and ends when the pump was run dry, altered, or used in trade. Keep the receipt: without it no claim can be dealt with.`,
      },
    ],
  }),
  (v: Pump, i: number) => [
    [
      [
        `What is the maximum outlet pressure of the ${v.name}?`,
        `How many bar can the ${v.name} pump reach at most?`,
        `Which pressure does the ${v.name} produce on its outlet side?`,
      ][i]!,
      `greatest pressure on the outlet side is ${v.pressure}`,
    ],
    [
      [
        `How much water does the ${v.name} deliver per hour?`,
        `What is the flow of the ${v.name} at a lift of ten metres?`,
        `How many cubic metres an hour does the ${v.name} move?`,
      ][i]!,
      `the pump delivers ${v.flow}`,
    ],
    [
      [
        `How many watts does the motor of the ${v.name} use?`,
        `What is the power intake of the ${v.name}?`,
        `Power consumption of the ${v.name} motor`,
      ][i]!,
      `The motor takes in ${v.power}`,
    ],
    [
      [
        `How hot may the water be that a ${v.name} pumps?`,
        `What is the highest permitted water temperature for the ${v.name}?`,
        `Can the ${v.name} handle warm water, and up to how many degrees?`,
      ][i]!,
      `may not be warmer than ${v.temperature}`,
    ],
    [
      [
        `How loud is the ${v.name}?`,
        `What noise level does the ${v.name} have at one metre?`,
        `How many decibels does the ${v.name} make?`,
      ][i]!,
      `sound level reaches ${v.noise}`,
    ],
    [
      [
        `How often does the oil of the ${v.name} have to be changed?`,
        `When is an oil change due on the ${v.name}?`,
        `After how many running hours does the ${v.name} need new oil?`,
      ][i]!,
      `Change the oil in the bearing housing ${v.oil}`,
    ],
    [
      [
        `When should the shaft seal of the ${v.name} be replaced?`,
        `How long does the shaft seal last in a ${v.name}?`,
        `Replacement interval for the ${v.name} shaft seal`,
      ][i]!,
      `should be replaced after ${v.seal}`,
    ],
    [
      [
        `Which fuse does the ${v.name} need?`,
        `What fuse rating protects the supply of the ${v.name}?`,
        `How many amperes must the fuse for the ${v.name} have?`,
      ][i]!,
      `protected by a slow ${v.fuse} fuse`,
    ],
    [
      [
        `With what torque is the union nut of the ${v.name} tightened?`,
        `How tight must the union nut on the suction line of the ${v.name} be?`,
        `Tightening torque of the ${v.name} suction line nut`,
      ][i]!,
      `tighten the union nut with ${v.torque}`,
    ],
    [
      [
        `How long is the guarantee on the ${v.name}?`,
        `What guarantee period applies to the ${v.name}?`,
        `For how many months is a ${v.name} covered by guarantee?`,
      ][i]!,
      `guarantee of ${v.warranty}`,
    ],
    [
      [
        `From what depth can the ${v.name} draw water?`,
        `What is the greatest suction depth of the ${v.name}?`,
        `How deep may the water lie below the inlet of the ${v.name}?`,
      ][i]!,
      `depth of at most ${v.suction}`,
    ],
    [
      [
        `What does the ${v.name} weigh?`,
        `How heavy is the ${v.name} without water?`,
        `Weight of the ${v.name} pump`,
      ][i]!,
      `weighs ${v.weight}`,
    ],
  ],
);
