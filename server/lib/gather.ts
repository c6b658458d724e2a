/** So many at once: what they bring back must fit into memory beside everything else. */
const MOST_AT_ONCE = 100;

interface Asked<Question, Answer> {
  question: Question;
  answer: Promise<Answer>;
  resolve(answer: Promise<Answer>): void;
}

/**
 * Questions that come in one turn of the event loop are asked together at its end: one round trip for fifty callers,
 * and equal ones once. Nobody gets an answer from before his question, since nothing is asked until the turn is over.
 */
export function gather<Question, Answer>(
  /** Answers in the order of the questions. */
  ask: (questions: readonly Question[]) => readonly Promise<Answer>[],
  keyOf: (question: Question) => unknown = (question) => question,
): (question: Question) => Promise<Answer> {
  let asked = new Map<unknown, Asked<Question, Answer>>();

  function askAll(): void {
    const all = [...asked.values()];
    asked = new Map();
    for (let from = 0; from < all.length; from += MOST_AT_ONCE) {
      const some = all.slice(from, from + MOST_AT_ONCE);
      const answers = ask(some.map(({ question }) => question));
      for (const [index, { resolve }] of some.entries()) resolve(answers[index]!);
    }
  }

  return (question) => {
    const key = keyOf(question);
    const known = asked.get(key);
    if (known !== undefined) return known.answer;
    if (asked.size === 0) setImmediate(askAll);
    let resolve: Asked<Question, Answer>["resolve"] = () => undefined;
    const answer = new Promise<Answer>((settle) => (resolve = settle));
    asked.set(key, { question, answer, resolve });
    return answer;
  };
}
