/** Embeds texts as unit vectors, so that their dot product is their cosine. */
export interface EmbeddingModel {
  /** Stored with every vector: vectors of two models must never be compared. */
  readonly id: string;
  /** Undefined until the first response of a remote model. */
  readonly dimensions: number | undefined;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /**
   * The share of a text's letters in scripts that the model knows, 0–1, once it has embedded something. Vectors of
   * other text say nothing about its meaning. Missing for remote models, which do not reveal it.
   */
  knownScriptShare?(text: string): number;
  /** The only language that the model was trained on; missing for multilingual and for remote models. */
  readonly language?: string;
  close(): Promise<void>;
}

export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  return vector.map((value) => value * scale);
}
