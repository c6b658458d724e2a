import type { Corpus, EvalDocument, EvalQuestion } from "./corpus-types.ts";

const letter = (id: string, title: string, paragraphs: string[]): EvalDocument => ({
  id,
  title,
  layout: "letter",
  blocks: paragraphs.map((text) => ({ text })),
});

const documents = [
  letter("letter-storm-claim", "Letter of Harrow Mutual about claim 58-2207", [
    "Harrow Mutual Insurance, Claims Department, 4 Exchange Square",
    "Mrs Ida Fontaine, 12 Beech Rise",
    "Claim 58-2207: damage by the storm of 9 February",
    "Dear Mrs Fontaine,",
    "Thank you for the photographs and for the estimate of the roofer. Our assessor, Mr Paul Adeyemi, has looked at the roof and confirms that the storm lifted the ridge tiles and that rain came in through the gap. Wind of force nine was measured at the harbour on that night, so the cover for storm applies.",
    "We shall pay 6,340 pounds for the repair of the roof and 1,150 pounds for the ceiling of the bedroom. Your policy provides for an excess of 250 pounds, which we deduct. The fence is not covered, since fences are named in section 4 of the conditions as excluded.",
    "The carpet can be cleaned and does not have to be replaced. Please let us have the bill of the cleaners, and we shall refund it up to 180 pounds. The money will be sent to your account within ten working days after we have your signature on the enclosed form.",
    "If you do not agree, you can ask the ombudsman for a decision within six months of the date of this letter. It costs you nothing.",
    "Yours sincerely, Joanna Pike, Claims Department",
  ]),
  letter("letter-job-offer", "Offer of employment to Dr Salma Haddad", [
    "Merrow Institute of Marine Research, Director's Office",
    "Dear Dr Haddad,",
    "It was a pleasure to talk to you in November. The committee was of one mind, and I am glad to offer you the post of senior researcher in the group for coastal sediments, from 1 April on. The post is limited to five years, with the prospect of a permanent one after an evaluation in the fourth.",
    "The yearly salary is 58,400 euros, paid in thirteen parts. We meet the costs of moving up to 4,000 euros. A laboratory of sixty square metres is waiting for you, and you can fill two posts for doctoral students in the first year.",
    "The research vessel Tern is at your disposal for twenty-one days a year. Further days have to be applied for with the board of the fleet, as a rule before the end of September for the coming season.",
    "You would teach one course each term, in English if you prefer. The nursery of the institute has a place for your daughter from May; please tell us soon whether you want it, since the list is long.",
    "The offer stands until 20 December. Should you wish to see the place once more, we shall gladly pay for the journey. With kind regards, Prof. Leif Aune, Director",
  ]),
  letter("letter-school-trip", "Letter to parents: trip of class 8b to Anglesey", [
    "Fernhill School, to the parents of class 8b",
    "Dear parents,",
    "From 12 to 16 May class 8b will travel to Anglesey. We shall live in the hostel at Cemaes, in rooms of six, and walk parts of the coast path every day. Mrs Kowalczyk and Mr Bell are in charge of the group, and a student teacher will come with us.",
    "The trip costs 285 pounds for each child. This includes the coach, all meals and the boat to the bird island. Please pay 100 pounds by 1 February and the rest by 15 April. The friends of the school can help where money is short; a word to Mrs Kowalczyk is enough, and nobody else will know.",
    "The coach leaves from the car park at the swimming bath at 7.40 in the morning. Children who feel sick on coaches should sit in front. We expect to be back on Friday at about six in the evening and shall send a message from the last stop.",
    "Every child needs walking boots that have been worn in, a coat that keeps out the rain, a torch and a bottle. Telephones may be used for half an hour after supper and are locked away at night. Pocket money of more than 30 pounds is not allowed.",
    "Please write down allergies and medicines on the yellow sheet and hand it in by the end of March. A child without a signed sheet cannot come with us.",
  ]),
  letter("letter-bank-loan", "Reply of Tamar Savings Bank on the bakery loan", [
    "Tamar Savings Bank, Business Customers",
    "Dear Mr Okafor,",
    "You have asked us for a loan for a second oven and for the fitting out of the shop in Mill Road. We have looked at your figures of the last three years with care, and we like what we see: sales have risen by a fifth, and the cost of flour is well under control.",
    "We can lend you 75,000 pounds for seven years. The rate of interest is 5.4 per cent, fixed for the first five years. The monthly instalment is 1,074 pounds, beginning in the third month after the money has been paid out. Extra payments of up to 10,000 pounds a year are free of charge.",
    "As security we need the oven itself and a guarantee of the development bank, for which we apply on your behalf. Its fee is 0.8 per cent of the sum, once. Your house would not be touched, as you had wished.",
    "Please send us the lease of the shop and the quotation for the oven by the end of the month. Our Mrs Lindqvist will visit you in the bakery, early in the morning if you like, and go through the contract with you.",
  ]),
  letter("letter-hospital", "Discharge letter of St Brannoc Hospital, knee operation", [
    "St Brannoc Hospital, Department of Orthopaedics",
    "To the general practitioner Dr Amara Nwosu",
    "Dear colleague, thank you for sending us Mr Gordon Tull, aged 67, who was with us from 3 to 8 March. He suffered from advanced wear of the right knee, with pain at night and a walking distance of less than 300 metres.",
    "On 4 March a cemented total knee replacement was carried out under spinal anaesthesia. The operation took 82 minutes and was without complications. Blood was not needed. The drain was removed on the second day, and the wound was dry when he left us.",
    "At discharge the knee could be bent to 95 degrees and stretched fully. He walks on two crutches and manages stairs. Full weight may be put on the leg from now on, as far as pain allows it.",
    "Please remove the staples on 18 March. Thrombosis is prevented by 40 milligrams of enoxaparin under the skin once a day for five weeks in all. For pain he takes paracetamol, and ibuprofen only if needed, with a look at his kidneys.",
    "Rehabilitation begins on 22 March at the Moorland Clinic and lasts three weeks. We should like to see him again in our consulting hours after three months, with a new picture. He should not drive a car for six weeks.",
  ]),
];

const questions: EvalQuestion[] = [
  [
    "letter-storm-claim",
    "How much does Harrow Mutual pay for the roof repair?",
    "We shall pay 6,340 pounds for the repair of the roof",
  ],
  [
    "letter-storm-claim",
    "Why is Mrs Fontaine's fence not covered?",
    "fences are named in section 4 of the conditions as excluded",
  ],
  ["letter-storm-claim", "What excess does the policy of Mrs Fontaine have?", "an excess of 250 pounds"],
  ["letter-storm-claim", "Who assessed the storm damage to the roof?", "Our assessor, Mr Paul Adeyemi"],
  ["letter-job-offer", "What salary is Dr Haddad offered?", "The yearly salary is 58,400 euros"],
  [
    "letter-job-offer",
    "How many days a year can Dr Haddad use the research vessel?",
    "for twenty-one days a year",
  ],
  [
    "letter-job-offer",
    "Until when does the job offer of the Merrow Institute stand?",
    "The offer stands until 20 December",
  ],
  [
    "letter-job-offer",
    "How large is the laboratory that waits for the senior researcher?",
    "A laboratory of sixty square metres",
  ],
  ["letter-school-trip", "What does the trip to Anglesey cost?", "The trip costs 285 pounds"],
  [
    "letter-school-trip",
    "From where does the coach of class 8b leave?",
    "The coach leaves from the car park at the swimming bath",
  ],
  [
    "letter-school-trip",
    "How much pocket money may the children take to Anglesey?",
    "Pocket money of more than 30 pounds is not allowed",
  ],
  ["letter-school-trip", "When does class 8b travel to Anglesey?", "From 12 to 16 May"],
  [
    "letter-bank-loan",
    "What interest rate does Tamar Savings Bank offer Mr Okafor?",
    "The rate of interest is 5.4 per cent",
  ],
  [
    "letter-bank-loan",
    "How high is the monthly instalment of the bakery loan?",
    "The monthly instalment is 1,074 pounds",
  ],
  [
    "letter-bank-loan",
    "Which security does the bank need for the oven loan?",
    "As security we need the oven itself",
  ],
  ["letter-hospital", "When should the staples of Mr Tull be removed?", "remove the staples on 18 March"],
  ["letter-hospital", "How far could the knee be bent at discharge?", "could be bent to 95 degrees"],
  [
    "letter-hospital",
    "Which dose of enoxaparin prevents thrombosis after the knee operation?",
    "40 milligrams of enoxaparin",
  ],
  ["letter-hospital", "How long did the knee operation take?", "The operation took 82 minutes"],
].map(([document = "", question = "", answer = ""]) => ({ document, question, answer }));

export const letters: Corpus = { documents, questions };
