import { family } from "./corpus-types.ts";

const variants = [
  {
    id: "lease-tannery-lane",
    place: "14 Tannery Lane",
    tenant: "Ms Oyelaran",
    rent: "1,180 pounds",
    deposit: "1,770 pounds",
    start: "1 March 2025",
    months: "eighteen months",
    notice: "two months",
    rooms: "three rooms on the second floor",
    pets: "one cat",
    parking: "space number 7",
    heating: "pellet boiler",
    increase: "2.5 per cent",
    late: "25 pounds",
    paint: "five years",
  },
  {
    id: "lease-quay-house",
    place: "Quay House, flat 9",
    tenant: "Mr Brandvold",
    rent: "1,425 pounds",
    deposit: "2,850 pounds",
    start: "15 June 2024",
    months: "twenty-four months",
    notice: "three months",
    rooms: "two rooms on the ninth floor",
    pets: "no animals whatever",
    parking: "space number 31",
    heating: "district heating",
    increase: "3 per cent",
    late: "40 pounds",
    paint: "seven years",
  },
  {
    id: "lease-miller-street",
    place: "203 Miller Street",
    tenant: "the Petrossian family",
    rent: "960 pounds",
    deposit: "960 pounds",
    start: "1 October 2025",
    months: "twelve months",
    notice: "one month",
    rooms: "four rooms on the ground floor",
    pets: "two small dogs",
    parking: "the garage behind the house",
    heating: "gas boiler",
    increase: "1.8 per cent",
    late: "15 pounds",
    paint: "four years",
  },
] as const;

type Lease = (typeof variants)[number];

export const leases = family(
  variants,
  (v: Lease) => ({
    title: `Tenancy agreement ${v.place}`,
    layout: "contract",
    blocks: [
      { heading: `Tenancy agreement: ${v.place}` },
      {
        text: `This agreement is made between the owner of the building and ${v.tenant}, called the tenant in what follows. Both have read it in full and have received a signed copy. Oral agreements beside it do not exist.`,
      },
      { heading: "Article 1. The dwelling" },
      {
        text: `The owner lets ${v.rooms}, with kitchen, bath and a share of the cellar, to be lived in and for nothing else. The condition at the time of moving in is described in the record of handing over, which both sides sign on the day.`,
      },
      {
        text: `The tenant may use ${v.parking} for one car. Caravans, trailers and cars without number plates may not be left there. Bicycles belong into the rack in the yard and not into the stairway.`,
      },
      { heading: "Article 2. Duration" },
      {
        text: `The tenancy begins on ${v.start} and is made for ${v.months}. If neither side ends it, it goes on without limit. It can then be ended with ${v.notice} of notice to the end of any month. Notice must be given in writing.`,
      },
      {
        text: "The right of both sides to end the tenancy at once for serious reasons is not touched. Serious reasons are, among others, two rents that have not been paid, lasting disturbance of the neighbours, or a dwelling that has become unfit to live in.",
      },
      { heading: "Article 3. Rent" },
      {
        text: `The monthly rent is ${v.rent} without the costs of heating and water. It is due in advance on the third working day of each month. Once a year the owner may raise it by at most ${v.increase}, announced three months before.`,
      },
      {
        text: `For each reminder of a late payment the owner may charge ${v.late}. Costs of heating and water are paid in advance and settled by the end of June for the year before. Objections must be raised within one year.`,
      },
      { heading: "Article 4. Deposit" },
      {
        text: `As security the tenant pays a deposit of ${v.deposit} before the keys are handed over. It is kept in an account of its own, bears interest for the tenant, and is paid back within three months after moving out, less what is needed for damage.`,
      },
      { heading: "Article 5. Use and care" },
      {
        text: `The following pets may be kept: ${v.pets}. Fish and hamsters are free. Whoever wants more has to ask the owner, who may refuse if neighbours would be disturbed. The tenant is liable for all damage that an animal does.`,
      },
      {
        text: `The rooms are warmed by a ${v.heating}. The tenant keeps at least fifteen degrees in winter, so that pipes do not freeze, and airs the rooms twice a day, so that no mould can form. The boiler room may be entered only by the caretaker.`,
      },
      {
        text: `Walls and ceilings are to be painted by the tenant every ${v.paint}, in light colours. Holes for pictures are permitted, tiles may be drilled only in the joints. Repairs up to eighty pounds in each case are borne by the tenant.`,
      },
      { heading: "Article 6. Rules of the house" },
      {
        text: "Between ten at night and six in the morning quiet must be kept. Washing machines may run until nine in the evening. The stairway is cleaned in turns by those who live on one floor, according to the plan on the board.",
      },
      {
        text: "Rubbish is separated into paper, glass, food and the rest. Large things are not left by the bins; the town collects them on call, twice a year without charge. Charcoal may not be burnt on balconies.",
      },
      { heading: "Article 7. Moving out" },
      {
        text: "On the last day the tenant gives back the dwelling swept, with all keys. Things built in by the tenant are taken out unless the owner takes them over. The meters are read together. If keys are missing, the lock is changed at the tenant's cost.",
      },
    ],
  }),
  (v: Lease, i: number) => [
    [
      [
        `What is the monthly rent for ${v.place}?`,
        `How much rent does ${v.tenant} pay for ${v.place}?`,
        `Rent of the flat at ${v.place}`,
      ][i]!,
      `The monthly rent is ${v.rent}`,
    ],
    [
      [
        `How high is the deposit for ${v.place}?`,
        `What security deposit was agreed for ${v.place}?`,
        `Deposit to be paid for ${v.place}`,
      ][i]!,
      `pays a deposit of ${v.deposit}`,
    ],
    [
      [
        `When does the tenancy of ${v.place} begin?`,
        `On what date does the lease of ${v.place} start?`,
        `Start date of the tenancy at ${v.place}`,
      ][i]!,
      `The tenancy begins on ${v.start}`,
    ],
    [
      [
        `What notice period applies to ${v.place}?`,
        `With how much notice can the tenancy of ${v.place} be ended?`,
        `How long before moving out of ${v.place} must notice be given?`,
      ][i]!,
      `It can then be ended with ${v.notice} of notice`,
    ],
    [
      [
        `Which pets are allowed at ${v.place}?`,
        `May pets be kept in ${v.place}?`,
        `What animals can the tenant of ${v.place} keep?`,
      ][i]!,
      `may be kept: ${v.pets}`,
    ],
    [
      [
        `Where may the tenant of ${v.place} park?`,
        `Which parking space belongs to ${v.place}?`,
        `Parking at ${v.place}`,
      ][i]!,
      `may use ${v.parking} for one car`,
    ],
    [
      [
        `How is ${v.place} heated?`,
        `What kind of heating does ${v.place} have?`,
        `What warms the rooms at ${v.place}?`,
      ][i]!,
      `warmed by a ${v.heating}`,
    ],
    [
      [
        `By how much may the rent of ${v.place} be raised each year?`,
        `What is the largest yearly rent increase at ${v.place}?`,
        `Rent increase limit for ${v.place}`,
      ][i]!,
      `raise it by at most ${v.increase}`,
    ],
    [
      [
        `How often must the walls at ${v.place} be painted?`,
        `When does the tenant of ${v.place} have to paint?`,
        `Painting interval agreed for ${v.place}`,
      ][i]!,
      `by the tenant every ${v.paint}`,
    ],
    [
      [
        `What does a reminder of late payment cost at ${v.place}?`,
        `Fee for late rent at ${v.place}`,
        `How much can the owner of ${v.place} charge for a reminder?`,
      ][i]!,
      `the owner may charge ${v.late}`,
    ],
  ],
);
