import type { Starter } from "./starter.ts";

export const fanOutAndJoin = (serviceUrl: string): Starter => ({
  id: "fan-out-and-join",
  name: "Fan-out and join",
  description:
    "Calls three URLs of a service in parallel and joins the responses into one overview. A failed call does not stop the others. By default it checks this service.",
  category: "flow",
  metadata: {
    inputSchema: {
      type: "object",
      properties: { service: { type: "string", format: "uri", title: "Address of the service" } },
    },
    steps: [
      {
        stepId: "service",
        type: "transform",
        name: "Choose the service",
        expression: `input.service ? input.service : ${JSON.stringify(serviceUrl)}`,
        position: { x: 0, y: 0 },
      },
      check("health", "Is it up?", "/health", -240),
      check("ready", "Does it take work?", "/ready", 0),
      check("metrics", "Does it count?", "/metrics", 240),
      {
        stepId: "overview",
        type: "transform",
        name: "Join the answers",
        template: {
          service: "{{steps.service.output}}",
          at: "{{now}}",
          health: "{{steps.health.status}}",
          ready: "{{steps.ready.status}}",
          metrics: "{{steps.metrics.status}}",
        },
        position: { x: 0, y: 280 },
      },
    ],
    edges: ["health", "ready", "metrics"].flatMap((name) => [
      { id: `service-${name}`, source: "service", target: name },
      { id: `${name}-overview`, source: name, target: "overview" },
    ]),
  },
});

function check(stepId: string, name: string, path: string, x: number) {
  return {
    stepId,
    type: "http",
    name,
    method: "GET",
    url: `{{steps.service.output}}${path}`,
    timeoutMs: 10_000,
    onError: "continue",
    position: { x, y: 140 },
  };
}
