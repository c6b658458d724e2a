/** Turns a text into the ids of a model's vocabulary. */
export interface Tokenizer {
  /** Ids between the opening and the closing token, truncated to `maxLength` in total. */
  encode(text: string, maxLength: number): number[];
}
