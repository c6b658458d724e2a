export interface EmbedWorkerInput {
  /** Unset: the packaged model, made into `localModelFolder` when it is not there yet. */
  modelFile?: string;
  localModelFolder: string;
  tokenizerFile: string;
  maxTokens: number;
}

export interface EmbedRequest {
  id: number;
  text: string;
}

export type EmbedReply =
  | { type: "ready" }
  | { type: "vector"; id: number; vector: Float32Array }
  | { type: "failed"; id: number; message: string };
