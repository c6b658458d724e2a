import { expect } from "vitest";

/** The events of a streamed response as they arrive: the name as `event`, with the fields of the data. */
export async function* serverSentEvents<Event>(response: Response): AsyncGenerator<Event> {
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  let text = "";
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (event !== undefined) yield { event, ...JSON.parse(data ?? "{}") } as Event;
    }
  }
}
