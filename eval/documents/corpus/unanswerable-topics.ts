import type { SetQuestion } from "../eval-set.ts";

const topics: Record<string, [language: string, questions: string[]]> = {
  "gym-conditions": [
    "en",
    [
      "Does Kestrel Fitness have a swimming pool?",
      "How many treadmills are there at Kestrel Fitness?",
      "What does a personal trainer cost at the gym?",
      "At what time does the gym open in the morning?",
      "Can I pay for the gym by credit card?",
    ],
  ],
  "travel-cover": [
    "en",
    [
      "Are hire cars included in the travel insurance?",
      "What is the phone number of the emergency centre?",
      "Does the travel policy pay when a flight is delayed?",
      "How much does the premium of Wayfarer Cover cost a year?",
      "Is scuba diving covered?",
    ],
  ],
  "museum-leaflet": [
    "en",
    [
      "Who founded the harbour museum?",
      "How many ships are on display in the museum?",
      "Is there a museum shop with postcards?",
      "How old is the lighthouse?",
      "Are the guided walks offered in French?",
    ],
  ],
  "router-guide": [
    "en",
    [
      "How fast is the download with Fennel Net?",
      "What is the hotline number of Fennel Net?",
      "How many cable sockets does the router have?",
      "Can I use my own router?",
    ],
  ],
  "orchards-accounts": [
    "en",
    [
      "Who is the auditor of Marlow Orchards?",
      "What was the revenue of Marlow Orchards in 2019?",
      "How many shares has Marlow Orchards issued?",
      "What does the chief executive of Marlow Orchards earn?",
      "How many tonnes of apples were picked in 2024?",
    ],
  ],
  "council-election": [
    "en",
    [
      "Who is the mayor of Tidewell?",
      "How did the Greens do in the last election?",
      "How many residents does the South ward have?",
    ],
  ],
  "energy-tariffs": ["en", ["Is the electricity from wind?", "What was the gas price last year?"]],
  "van-service": ["en", ["What is the top speed of the Tarka 3?", "How much can the Tarka 3 tow?"]],
  "class-timetable": ["en", ["What does class 6a do on Friday?", "How many pupils are in class 6a?"]],
  "cereal-nutrition": ["en", ["How much protein is in rolled oats?", "What does fruit muesli cost?"]],
  "de-hausordnung": [
    "de",
    [
      "Wie hoch ist die Miete im Lindenhof?",
      "Wie heißt der Hausmeister?",
      "Gibt es im Lindenhof eine Tiefgarage?",
    ],
  ],
  "de-fahrradverleih": ["de", ["Gibt es auch Tandems?", "Wie schwer ist das Elektrorad?"]],
  "es-piscina": ["es", ["¿Qué profundidad tiene la piscina?", "¿Hay clases de natación para adultos?"]],
  "es-lavadora": ["es", ["¿Cuánto cuesta la lavadora Brisa 8?", "¿A cuántas revoluciones centrifuga?"]],
  "ru-library": ["ru", ["Сколько книг хранится в библиотеке?", "Как зовут директора библиотеки?"]],
  "ru-multicooker": ["ru", ["Сколько стоит мультиварка?", "Какая мощность у мультиварки?"]],
  "zh-leave": ["zh", ["公司的年终奖怎么发？", "试用期是几个月？"]],
  "zh-community": ["zh", ["小区一共有多少户？", "健身房几点开门？"]],
  "ja-pool": ["ja", ["プールの水温は何度？", "水泳教室の先生は誰？"]],
  "ja-rice-cooker": ["ja", ["この炊飯器の値段は？", "パンも焼ける？"]],
  "ar-library": ["ar", ["كم عدد الكتب في المكتبة؟", "من هو مدير المكتبة؟"]],
  "ar-dental-clinic": ["ar", ["كم سعر تبييض الأسنان؟", "كم عدد الأطباء في العيادة؟"]],
};

/** On the topic of a document, without an answer in it. */
export const unanswerableTopics: SetQuestion[] = Object.entries(topics).flatMap(
  ([document, [language, questions]]) =>
    questions.map((question) => ({ document, question, language, answerable: false })),
);
