import { family } from "./corpus-types.ts";

const variants = [
  {
    id: "handbook-aldermoor",
    name: "Aldermoor Foods",
    leave: "26 days",
    notice: "six weeks",
    probation: "four months",
    hours: "37.5 hours",
    sick: "second day",
    parental: "16 weeks",
    bonus: "five per cent",
    pension: "six per cent",
    training: "900 pounds",
    home: "one day a week",
    travel: "38 pence",
    meal: "24 pounds",
    hotel: "110 pounds",
    overtime: "1.25 times",
    password: "fourteen characters",
    expenses: "30 days",
    core: "from ten to three",
    wed: "one day",
  },
  {
    id: "handbook-brightwater",
    name: "Brightwater Logistics",
    leave: "24 days",
    notice: "four weeks",
    probation: "six months",
    hours: "40 hours",
    sick: "fourth day",
    parental: "12 weeks",
    bonus: "three per cent",
    pension: "four per cent",
    training: "450 pounds",
    home: "two days a month",
    travel: "45 pence",
    meal: "19 pounds",
    hotel: "95 pounds",
    overtime: "1.5 times",
    password: "twelve characters",
    expenses: "60 days",
    core: "from nine to two",
    wed: "two days",
  },
  {
    id: "handbook-castellan",
    name: "Castellan Software",
    leave: "30 days",
    notice: "three months",
    probation: "three months",
    hours: "36 hours",
    sick: "third day",
    parental: "24 weeks",
    bonus: "eight per cent",
    pension: "nine per cent",
    training: "2,000 pounds",
    home: "four days a week",
    travel: "41 pence",
    meal: "32 pounds",
    hotel: "150 pounds",
    overtime: "1.1 times",
    password: "eighteen characters",
    expenses: "45 days",
    core: "from eleven to four",
    wed: "three days",
  },
] as const;

type Handbook = (typeof variants)[number];

export const handbooks = family(
  variants,
  (v: Handbook) => ({
    title: `${v.name}: employee handbook`,
    layout: "report",
    header: `${v.name} employee handbook`,
    blocks: [
      { heading: "Welcome" },
      {
        text: `This handbook tells you what you can expect from ${v.name} and what we expect from you. It is not a contract, but we mean what it says. If your contract and this handbook differ, the contract counts. Questions go to the people team, whose door is open.`,
      },
      {
        text: "The handbook is looked through every January together with the works committee. Changes are announced by mail at least four weeks before they come into force, and older editions can be found on the intranet.",
      },
      { heading: "Your first months" },
      {
        text: `Every new colleague begins with a probation of ${v.probation}. During this time each side may end the employment with one week of notice. A colleague from another department will be your guide; have lunch together, ask everything, and tell us at the end what we could do better.`,
      },
      {
        text: `After the probation the notice period is ${v.notice} for both sides. It grows with the years of service as the law says. A resignation needs a signature on paper; a mail or a message is not enough. On the last day please hand back laptop, keys and badge.`,
      },
      { heading: "Working time" },
      {
        text: `A full week has ${v.hours}. Everybody should be reachable in the core time, which runs ${v.core}; the rest of the day is yours to arrange with your team. Breaks are not working time, and nobody should work for more than six hours without one.`,
      },
      {
        text: `Overtime has to be agreed with the team lead beforehand. Hours beyond the agreed week are paid at ${v.overtime} the normal rate, or taken as free time within three months. Work on Sundays is an exception that the people team has to approve in writing.`,
      },
      {
        text: `Working from home is possible for ${v.home}, provided that the task allows it and the team agrees. The home desk must meet the same rules on screens and chairs; we lend you a second screen and a proper chair on request.`,
      },
      { heading: "Holidays and other absence" },
      {
        text: `The yearly holiday is ${v.leave} on top of the public holidays. At least ten of them should be taken in one piece. What is left in December can be carried over until the end of March, after which it is lost unless illness was the reason.`,
      },
      {
        text: `If you are ill, call your team lead before nine in the morning. A doctor's certificate is needed from the ${v.sick} of illness. Please do not come to work with a fever out of a sense of duty; nobody is helped by that.`,
      },
      {
        text: `Parents of either sex may take ${v.parental} of paid leave in the first two years of the child. The plan should be handed in two months ahead. For your own wedding you receive ${v.wed} of special leave, for a move of house one day, for the death of a near relation three.`,
      },
      { heading: "Pay and benefits" },
      {
        text: `Salaries are paid on the twenty-fifth, or on the working day before. Once a year, in April, a bonus of up to ${v.bonus} of the yearly salary may be paid, depending on the result of the company and on the goals agreed with you.`,
      },
      {
        text: `We pay ${v.pension} of your salary into the company pension from the first day on. You can add to it from your own pay. The fund sends a statement each summer; the adviser of the fund visits us twice a year.`,
      },
      {
        text: `Everyone has a yearly budget of ${v.training} for courses, books and conferences. It does not add up over the years. Courses of more than three days are agreed with the team lead, and whoever leaves within a year pays back half of the fee.`,
      },
      { heading: "Business travel" },
      {
        text: `Take the train wherever it needs less than five hours. For trips in your own car we pay ${v.travel} a mile. Flights inside the country are booked only by the travel desk, and always in the cheapest class that can be rebooked.`,
      },
      {
        text: `A hotel may cost up to ${v.hotel} a night including breakfast; in London a third more. For meals on the road we refund at most ${v.meal} a day against receipts. Alcohol, fines and the contents of the minibar are your own affair.`,
      },
      {
        text: `Claims with all receipts must reach the accounts department within ${v.expenses} after the trip. Later ones are refused. The money arrives with the next salary, sooner if you have laid out more than three hundred pounds.`,
      },
      { heading: "Safety of information" },
      {
        text: `Passwords must have at least ${v.password} and may be used for one system only; the password safe on your laptop makes and keeps them. Lock the screen when you stand up. Lost devices are to be reported at once, at night as well, to the number on the back of your badge.`,
      },
      {
        text: "Papers with names of customers go into the locked bin, never into the waste paper basket. Data of customers may not be copied to private devices or typed into outside services. Visitors wear a badge and are accompanied.",
      },
      { heading: "Living together" },
      {
        text: "We do not put up with harassment of any kind. You can turn to your team lead, to the people team or to the outside ombudsman, who is bound to keep silent. Nobody suffers a disadvantage from a complaint made in good faith.",
      },
      {
        text: "Gifts from suppliers up to a value of thirty pounds may be accepted and shared with the team. Everything beyond that is sent back with a friendly letter. Relations by blood or marriage with suppliers have to be made known.",
      },
    ],
  }),
  (v: Handbook, i: number) => [
    [
      [
        `How many days of holiday do staff at ${v.name} get?`,
        `What is the yearly leave at ${v.name}?`,
        `Annual holiday entitlement at ${v.name}`,
      ][i]!,
      `The yearly holiday is ${v.leave}`,
    ],
    [
      [
        `What is the notice period at ${v.name} after probation?`,
        `How much notice must be given to leave ${v.name}?`,
        `How long is the notice period at ${v.name}?`,
      ][i]!,
      `the notice period is ${v.notice}`,
    ],
    [
      [
        `How long is the probation at ${v.name}?`,
        `How many months of probation does a newcomer have at ${v.name}?`,
        `Length of the probationary period at ${v.name}`,
      ][i]!,
      `begins with a probation of ${v.probation}`,
    ],
    [
      [
        `How many hours is a full working week at ${v.name}?`,
        `What are the weekly hours at ${v.name}?`,
        `How long is a full week of work at ${v.name}?`,
      ][i]!,
      `A full week has ${v.hours}`,
    ],
    [
      [
        `From which day of illness does ${v.name} want a doctor's certificate?`,
        `When do I have to bring a sick note at ${v.name}?`,
        `On which day of illness is a certificate needed at ${v.name}?`,
      ][i]!,
      `is needed from the ${v.sick} of illness`,
    ],
    [
      [
        `How much paid parental leave does ${v.name} give?`,
        `How many weeks of paid leave do parents get at ${v.name}?`,
        `Parental leave at ${v.name}`,
      ][i]!,
      `may take ${v.parental} of paid leave`,
    ],
    [
      [
        `How large can the yearly bonus at ${v.name} be?`,
        `What share of the salary is the bonus at ${v.name}?`,
        `Up to what percentage of salary is the ${v.name} bonus?`,
      ][i]!,
      `a bonus of up to ${v.bonus}`,
    ],
    [
      [
        `What does ${v.name} pay into the company pension?`,
        `How much of the salary goes into the pension at ${v.name}?`,
        `Pension contribution of ${v.name}`,
      ][i]!,
      `We pay ${v.pension} of your salary`,
    ],
    [
      [
        `What is the training budget at ${v.name}?`,
        `How much can an employee of ${v.name} spend on courses and books a year?`,
        `Yearly budget for conferences at ${v.name}`,
      ][i]!,
      `a yearly budget of ${v.training}`,
    ],
    [
      [
        `How often may people at ${v.name} work from home?`,
        `What does ${v.name} allow in terms of working from home?`,
        `Home working rules at ${v.name}: how many days?`,
      ][i]!,
      `Working from home is possible for ${v.home}`,
    ],
    [
      [
        `What mileage does ${v.name} pay for trips in a private car?`,
        `How many pence a mile does ${v.name} refund?`,
        `Mileage rate at ${v.name}`,
      ][i]!,
      `we pay ${v.travel} a mile`,
    ],
    [
      [
        `What may a hotel night cost on a ${v.name} business trip?`,
        `What is the hotel limit at ${v.name}?`,
        `Highest hotel price that ${v.name} accepts`,
      ][i]!,
      `up to ${v.hotel} a night`,
    ],
    [
      [
        `How is overtime paid at ${v.name}?`,
        `What is the overtime rate at ${v.name}?`,
        `At what rate does ${v.name} pay extra hours?`,
      ][i]!,
      `are paid at ${v.overtime} the normal rate`,
    ],
    [
      [
        `How long must passwords be at ${v.name}?`,
        `What is the minimum password length at ${v.name}?`,
        `How many characters does a password need at ${v.name}?`,
      ][i]!,
      `at least ${v.password}`,
    ],
    [
      [
        `Until when must travel expenses be claimed at ${v.name}?`,
        `What is the deadline for handing in receipts at ${v.name}?`,
        `How soon after a trip do claims have to reach accounts at ${v.name}?`,
      ][i]!,
      `within ${v.expenses} after the trip`,
    ],
  ],
);
