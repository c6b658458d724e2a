/** The events of a `text/event-stream` body. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ id: string | undefined; name: string | undefined; data: string }> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n");
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = field("data");
      if (data !== undefined) yield { id: field("id"), name: field("event"), data };
    }
  }
}
