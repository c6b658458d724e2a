import { createServer } from "node:http";
import Fastify from "fastify";

export type EchoKind = "node" | "fastify";

/** The baseline of all ratios: parses a JSON body and sends it back. */
function listen(kind: EchoKind): void {
  const report = (port: number): void => console.log(`port ${port}`);
  if (kind === "fastify") {
    const app = Fastify();
    app.post("/", (request) => request.body);
    void app.listen({ port: 0, host: "127.0.0.1" }).then((address) => report(Number(new URL(address).port)));
    return;
  }
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(JSON.parse(text)));
    });
  });
  server.listen(0, "127.0.0.1", () => report((server.address() as { port: number }).port));
}

const kind = process.argv[2];
if (kind === "node" || kind === "fastify") listen(kind);
