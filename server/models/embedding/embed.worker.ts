import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../lib/errors.ts";
import type { EmbedReply, EmbedRequest, EmbedWorkerInput } from "./embed-message.ts";
import { ensureLocalModel, LOCAL_TOKENIZER_FILE } from "./local-model-file.ts";
import { openOnnxModel } from "./onnx-session.ts";

const port = parentPort;
if (port) {
  const input = workerData as EmbedWorkerInput;
  const reply = (message: EmbedReply, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer);
  const modelFile = input.modelFile ?? (await ensureLocalModel(input.localModelFolder));
  const model = await openOnnxModel(modelFile, input.tokenizerFile ?? LOCAL_TOKENIZER_FILE, input.maxTokens);
  reply({ type: "ready", scripts: model.scripts });
  port.on("message", (request: EmbedRequest) => {
    model.embed(request.text).then(
      (vector) => reply({ type: "vector", id: request.id, vector }, [vector.buffer as ArrayBuffer]),
      (error: unknown) => reply({ type: "failed", id: request.id, message: messageOf(error) }),
    );
  });
}
