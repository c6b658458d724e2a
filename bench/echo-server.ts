import { createServer } from "node:http";
import Fastify from "fastify";

export type EchoKind = "node" | "fastify";

/** The floor that everything is compared with: parse a JSON body, send it back, nothing else. */
function listen(kind: EchoKind): void {
  const say = (port: number): void => console.log(`port ${port}`);
  if (kind === "fastify") {
    const app = Fastify();
    app.post("/", (request) => request.body);
    void app.listen({ port: 0, host: "127.0.0.1" }).then((address) => say(Number(new URL(address).port)));
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
  server.listen(0, "127.0.0.1", () => say((server.address() as { port: number }).port));
}

const kind = process.argv[2];
if (kind === "node" || kind === "fastify") listen(kind);
