/** Builders of steps and edges for the tests of this folder. */
export const say = (stepId: string, template: unknown = "x") => ({ stepId, type: "transform", template });
export const edge = (source: string, target: string, more: object = {}) => ({
  id: `${source}-${target}`,
  source,
  target,
  ...more,
});
export const http = (more: object) => ({ stepId: "a", type: "http", url: "https://example.com", ...more });
export const check = (stepId: string) => ({ stepId, type: "condition", left: 1, operator: "exists" });
export const loop = (steps: unknown, more: object = {}) => ({
  stepId: "loop",
  type: "foreach",
  items: "{{input}}",
  steps,
  ...more,
});
