export interface EmbedWorkerInput {
  /** Unset: the packaged model, built in `localModelFolder` if it does not exist. */
  modelFile?: string;
  localModelFolder: string;
  /** Unset: that of the packaged model. */
  tokenizerFile?: string;
  maxTokens: number;
}

export interface EmbedRequest {
  id: number;
  text: string;
}

export type EmbedReply =
  | { type: "ready"; scripts: string[] }
  | { type: "vector"; id: number; vector: Float32Array }
  | { type: "failed"; id: number; message: string };
