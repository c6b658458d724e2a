import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished, vi } from "vitest";

export interface ReceivedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  isError: boolean;
  resource: Record<string, unknown>;
}

export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** The last message with metrics: by name, as sent. */
  metrics: Map<string, any>;
  /** Everything that was received, as text. */
  text(): string;
  requests: { path: string; headers: IncomingHttpHeaders }[];
  /** How requests are answered from now on; "never" leaves them open. */
  respondWith(status: number | "never"): void;
  /** The spans once `isComplete` accepts them. */
  when(isComplete: (spans: ReceivedSpan[]) => boolean): Promise<ReceivedSpan[]>;
}

/** A collector on this machine that reads OTLP as JSON. */
export async function useOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, any>();
  const texts: string[] = [];
  const requests: OtlpReceiver["requests"] = [];
  let answer: number | "never" = 200;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    requests.push({ path: request.url ?? "", headers: request.headers });
    if (answer === "never") return;
    if (answer === 200) {
      texts.push(text);
      const message = JSON.parse(text);
      for (const each of message.resourceSpans ?? []) spans.push(...spansOf(each));
      for (const { scopeMetrics } of message.resourceMetrics ?? [])
        for (const { metrics: list } of scopeMetrics)
          for (const metric of list) metrics.set(metric.name, metric);
    }
    response.writeHead(answer, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    text: () => texts.join("\n"),
    requests,
    respondWith: (status) => void (answer = status),
    when: (isComplete) =>
      vi.waitFor(
        () => {
          if (!isComplete(spans))
            throw new Error(`Only these spans arrived: ${spans.map(({ name }) => name).join(", ")}`);
          return spans;
        },
        { timeout: 15_000, interval: 20 },
      ),
  };
}

/** Settings that send every span at once. */
export function telemetrySettings({ url }: Pick<OtlpReceiver, "url">): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_BSP_SCHEDULE_DELAY: "10",
    OTEL_METRIC_EXPORT_INTERVAL: "200",
  };
}

function spansOf({ resource, scopeSpans }: any): ReceivedSpan[] {
  return scopeSpans.flatMap(({ spans }: any) =>
    spans.map(({ attributes, links, status, ...span }: any) => ({
      ...span,
      attributes: attributesOf(attributes),
      links,
      isError: status.code === 2,
      resource: attributesOf(resource.attributes),
    })),
  );
}

function attributesOf(list: { key: string; value: Record<string, unknown> }[]): Record<string, unknown> {
  return Object.fromEntries(
    list.map(({ key, value: { intValue, ...other } }) => [
      key,
      intValue === undefined ? Object.values(other)[0] : Number(intValue),
    ]),
  );
}
