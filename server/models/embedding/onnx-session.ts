import type { InferenceSession } from "onnxruntime-node";
import { toUnitLength } from "./embedding-model.ts";
import { loadTokenizer } from "./tokenizer-file.ts";

export interface OnnxModel {
  /** The scripts that the model's vocabulary knows. */
  scripts: string[];
  embed(text: string): Promise<Float32Array>;
}

/**
 * A sentence embedding model on one thread. Supports every BERT-like ONNX export: token vectors are mean pooled here
 * unless the graph returns one vector per text.
 */
export async function openOnnxModel(
  modelFile: string,
  tokenizerFile: string,
  maxTokens: number,
): Promise<OnnxModel> {
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  const { tokenizer, scripts } = await loadTokenizer(tokenizerFile);
  const session = await InferenceSession.create(modelFile, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
    // The arena never frees the memory of the longest text. Without it a worker takes 40 MB less.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  });
  const outputName = pickOutput(session);

  return {
    scripts,
    async embed(text) {
      const ids = tokenizer.encode(text, maxTokens);
      const shape = [1, ids.length];
      const int64 = (values: BigInt64Array): InstanceType<typeof Tensor> =>
        new Tensor("int64", values, shape);
      const inputs: Record<string, InstanceType<typeof Tensor>> = {};
      for (const name of session.inputNames) {
        if (name === "input_ids") inputs[name] = int64(BigInt64Array.from(ids, BigInt));
        else if (name === "attention_mask") inputs[name] = int64(new BigInt64Array(ids.length).fill(1n));
        else inputs[name] = int64(new BigInt64Array(ids.length));
      }
      const output = (await session.run(inputs))[outputName];
      if (!output || !(output.data instanceof Float32Array))
        throw new Error(`the model's output ${outputName} is not made of 32-bit floats`);
      return toUnitLength(output.dims.length === 3 ? meanOf(output.data, ids.length) : output.data.slice());
    },
  };
}

function pickOutput(session: InferenceSession): string {
  const preferred = ["embedding", "sentence_embedding", "last_hidden_state", "token_embeddings"];
  const name =
    preferred.find((candidate) => session.outputNames.includes(candidate)) ?? session.outputNames[0];
  if (name === undefined) throw new Error("the model has no output");
  return name;
}

function meanOf(tokens: Float32Array, count: number): Float32Array {
  const size = tokens.length / count;
  const mean = new Float32Array(size);
  for (let i = 0; i < tokens.length; i++) mean[i % size] = (mean[i % size] ?? 0) + (tokens[i] ?? 0) / count;
  return mean;
}
