import type { SetQuestion } from "../eval-set.ts";
import { corpus } from "./corpus.ts";
import { toSetQuestion } from "./corpus-types.ts";

/** A question of the corpus, and the same question in the words of somebody who has not read the page. */
const pairs: readonly (readonly [original: string, rephrased: string])[] = [
  ["What is the maximum outlet pressure of the Halden 20?", "How strongly can a Halden 20 push?"],
  ["How hot may the water be that a Halden 20 pumps?", "Up to what heat is a Halden 20 safe to run?"],
  [
    "When should the shaft seal of the Halden 20 be replaced?",
    "How often does a Halden 20 need a new gasket?",
  ],
  [
    "How long is the guarantee on the Halden 20?",
    "For how long will the maker of a Halden 20 repair it free of charge?",
  ],
  ["How many bar can the Halden 40 pump reach at most?", "How powerful is a Halden 40?"],
  ["What is the highest permitted water temperature for the Halden 40?", "Will hot liquid harm a Halden 40?"],
  [
    "How long does the shaft seal last in a Halden 40?",
    "How frequently do I swap the gasket in a Halden 40?",
  ],
  ["What guarantee period applies to the Halden 40?", "How long is the warranty of a Halden 40?"],
  ["Can the Norvik S7 handle warm water, and up to how many degrees?", "What heat can a Norvik S7 tolerate?"],
  ["For how many months is a Norvik S7 covered by guarantee?", "Norvik S7 warranty duration"],
  ["How much water fits into the tank of the Calida One?", "What volume can I pour into a Calida One?"],
  ["When does the Calida One turn itself off?", "Does a Calida One shut down by itself when nobody uses it?"],
  [
    "How many grinder settings does the Calida One have?",
    "How finely can I adjust the grind on a Calida One?",
  ],
  [
    "How often must the milk system of the Calida One be cleaned?",
    "How frequently do I rinse the frother of a Calida One?",
  ],
  ["How quickly is the Calida Pro hot after switching on?", "How fast does a Calida Pro warm up?"],
  [
    "After how many cups do I empty the coffee grounds in the Calida Pro?",
    "When do I throw away the used coffee of a Calida Pro?",
  ],
  [
    "What is the notice period at Aldermoor Foods after probation?",
    "How far ahead must I resign at Aldermoor Foods?",
  ],
  [
    "From which day of illness does Aldermoor Foods want a doctor's certificate?",
    "When do I owe Aldermoor Foods proof that I am sick?",
  ],
  [
    "What does Aldermoor Foods pay into the company pension?",
    "How much does Aldermoor Foods add to my retirement savings?",
  ],
  [
    "What mileage does Aldermoor Foods pay for trips in a private car?",
    "Does Aldermoor Foods reimburse fuel when I drive my vehicle?",
  ],
  [
    "How long must passwords be at Aldermoor Foods?",
    "How secure does my login have to be at Aldermoor Foods?",
  ],
  [
    "How much notice must be given to leave Brightwater Logistics?",
    "How far ahead do I resign from Brightwater Logistics?",
  ],
  [
    "When do I have to bring a sick note at Brightwater Logistics?",
    "When does Brightwater Logistics ask for medical proof of an absence?",
  ],
  [
    "How much of the salary goes into the pension at Brightwater Logistics?",
    "Brightwater Logistics contribution to retirement savings",
  ],
  [
    "How many pence a mile does Brightwater Logistics refund?",
    "Reimbursement at Brightwater Logistics when I drive my vehicle",
  ],
  [
    "What is the minimum password length at Brightwater Logistics?",
    "How secure must a login be at Brightwater Logistics?",
  ],
  [
    "How long is the notice period at Castellan Software?",
    "How far ahead do I resign at Castellan Software?",
  ],
  [
    "On which day of illness is a certificate needed at Castellan Software?",
    "When must I see a physician if I am sick at Castellan Software?",
  ],
  ["Pension contribution of Castellan Software", "What does Castellan Software save for my retirement?"],
  ["Mileage rate at Castellan Software", "What do I get when I drive my vehicle for Castellan Software?"],
  [
    "How many characters does a password need at Castellan Software?",
    "How secure must a login be at Castellan Software?",
  ],
  ["How high is the deposit for 14 Tannery Lane?", "How much security money is due for 14 Tannery Lane?"],
  ["Which pets are allowed at 14 Tannery Lane?", "May I bring my dog to 14 Tannery Lane?"],
  [
    "By how much may the rent of 14 Tannery Lane be raised each year?",
    "What is the limit of annual increases at 14 Tannery Lane?",
  ],
  [
    "How much rent does Mr Brandvold pay for Quay House, flat 9?",
    "What does it cost to live in Quay House, flat 9?",
  ],
  [
    "With how much notice can the tenancy of Quay House, flat 9 be ended?",
    "How do I terminate the lease of Quay House, flat 9?",
  ],
  ["What kind of heating does Quay House, flat 9 have?", "How is Quay House, flat 9 kept from getting cold?"],
  [
    "Fee for late rent at Quay House, flat 9",
    "What is the penalty at Quay House, flat 9 if I transfer money after the due date?",
  ],
  ["Start date of the tenancy at 203 Miller Street", "When can I move into 203 Miller Street?"],
  ["Parking at 203 Miller Street", "Where do I leave my vehicle at 203 Miller Street?"],
  [
    "Painting interval agreed for 203 Miller Street",
    "How often are the walls redecorated at 203 Miller Street?",
  ],
  ["What share of the water was lost in 2022?", "How bad were the leaks of the waterworks in 2022?"],
  ["What profit did the waterworks make in 2022?", "What did the waterworks earn in 2022?"],
  [
    "How many kilometres of pipe were renewed in 2022?",
    "What length of mains did the waterworks replace in 2022?",
  ],
  ["How long did the drought of 2022 last?", "How many weeks without rain were there at Lindau Bay in 2022?"],
  ["How large were the leakage losses in 2023?", "How bad were the leaks at Lindau Bay in 2023?"],
  ["How much profit remained after tax in 2023?", "What did the waterworks of Lindau Bay earn in 2023?"],
  ["For how many weeks was it dry in 2023?", "How long was there no rain at Lindau Bay in 2023?"],
  [
    "How many per cent of the water did not reach customers in 2024?",
    "How bad were the leaks at Lindau Bay in 2024?",
  ],
  ["Profit of the Lindau Bay waterworks for 2024", "What did Lindau Bay earn in 2024?"],
  [
    "Why is Mrs Fontaine's fence not covered?",
    "Why does Harrow Mutual refuse money for the hedge line of Mrs Fontaine?",
  ],
  ["What salary is Dr Haddad offered?", "How much will Dr Haddad earn?"],
  [
    "How large is the laboratory that waits for the senior researcher?",
    "How much room does Dr Haddad get to work in?",
  ],
  [
    "How much pocket money may the children take to Anglesey?",
    "How much cash can pupils bring on the Anglesey trip?",
  ],
  [
    "How high is the monthly instalment of the bakery loan?",
    "What does Mr Okafor repay to Tamar Savings Bank each time?",
  ],
  ["How far could the knee be bent at discharge?", "How flexible was Mr Tull's joint when he went home?"],
  ["When does the Gannet go into dock?", "When is the Gannet out of service?"],
  [
    "When should plums and cherries be pruned?",
    "In which season does Hollin Tree Nursery cut back stone fruit?",
  ],
  [
    "Until what time is the surgery open on Thursday?",
    "How late can I see a doctor at Marsh End on Thursdays?",
  ],
  ["Who is the midwife at Marsh End?", "Who helps with births at Marsh End?"],
  ["When should flower strips be mown?", "When is it best to cut the blooms sown for bumblebees?"],
  [
    "By how much did medication errors fall with forward rotation?",
    "Did nurses make fewer mistakes with drugs after the change of shifts?",
  ],
  [
    "Who was elected treasurer of the allotment society?",
    "Who looks after the money of the Sallow Hill allotments?",
  ],
  [
    "How long is the main span of the footbridge?",
    "What distance does the crossing over the Arle cover between its two largest supports?",
  ],
  ["In which colour will the footbridge be painted?", "What will the new crossing over the Arle look like?"],
];

const unanswerable = [
  "What colour is a Halden 20?",
  "Where can I buy a Norvik S7?",
  "Who invented the Calida One?",
  "Does the Calida Pro make tea?",
  "Who is the chief financial officer of Aldermoor Foods?",
  "Where is the head office of Brightwater Logistics?",
  "How many customers has Castellan Software?",
  "Who lived at 14 Tannery Lane before?",
  "How many bedrooms does 203 Miller Street have?",
  "What did the waterworks of Lindau Bay earn in 2017?",
  "How many miles to the gallon does a Storm Petrel do?",
  "Where did Dr Haddad study?",
  "How much does a ticket from Anglesey to Marsh End cost?",
  "Who is the lawyer of Harrow Mutual?",
  "How deep is the river Arle?",
];

/** The questions of the corpus in the words of somebody who has not read the page. */
export const rephrased: SetQuestion[] = pairs.map(([original, question]) => {
  const found = corpus.questions.find((asked) => asked.question === original);
  if (!found) throw new Error(`The corpus has no question "${original}".`);
  return { ...toSetQuestion(found), question };
});

/** Of the same documents, without an answer in them. */
export const rephrasedUnanswerable: SetQuestion[] = unanswerable.map((question) => ({
  question,
  answerable: false,
}));
