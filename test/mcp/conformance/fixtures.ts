/** The tools and prompts that the suite calls by name, as workflows and templates of a user. */
export interface FixtureWorkflow {
  name: string;
  steps: readonly object[];
  inputSchema?: object;
  /** The first step leads to each of the others, which run at the same time. */
  forks?: true;
}

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const transform = (stepId: string, template: unknown) => ({ stepId, type: "transform", template });
const returning = (name: string, output: unknown): FixtureWorkflow => ({
  name,
  steps: [transform("output", output)],
});
const approval = (stepId: string) => ({ stepId, type: "approval", message: "May the run continue?" });
const failing = { stepId: "call", type: "http", url: "http://127.0.0.1:1/" };
const resource = {
  type: "resource",
  resource: { uri: "test://embedded", mimeType: "text/plain", text: "This is an embedded resource." },
};

const image = { type: "image", data: PIXEL, mimeType: "image/png" };

export const WORKFLOWS: readonly FixtureWorkflow[] = [
  returning("test_simple_text", "This is a simple text response for testing."),
  returning("test_image_content", { content: [image] }),
  returning("test_audio_content", { content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] }),
  returning("test_embedded_resource", { content: [resource] }),
  returning("test_multiple_content_types", {
    content: [{ type: "text", text: "Multiple content types test:" }, image, resource],
  }),
  returning("test_logging_tool", "Nothing is logged to clients."),
  { name: "test_error_handling", steps: [failing] },
  {
    name: "test_tool_with_progress",
    steps: [transform("one", 1), transform("two", 2), transform("three", 3)],
  },
  { name: "test_elicitation", steps: [approval("confirm"), transform("end", "Decided.")] },
  { name: "test_streaming_elicitation", steps: [approval("confirm"), transform("end", "Decided.")] },
  {
    name: "greet",
    steps: [transform("greeting", "Hello, {{input.name}}!")],
    inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  },
  {
    name: "slow_compute",
    steps: [
      { stepId: "wait", type: "delay", seconds: "{{input.seconds}}" },
      transform("end", "Computed {{input.label}}."),
    ],
    inputSchema: {
      type: "object",
      properties: { seconds: { type: "number" }, label: { type: "string" } },
      required: ["seconds"],
    },
  },
  { name: "failing_job", steps: [{ stepId: "wait", type: "delay", seconds: 1 }, failing] },
  {
    name: "test_input_required_result_elicitation",
    steps: [approval("user_name"), transform("end", "Hello.")],
  },
  {
    name: "test_input_required_result_request_state",
    steps: [approval("confirm"), transform("end", "state-ok")],
  },
  {
    name: "test_input_required_result_tampered_state",
    steps: [approval("confirm"), transform("end", "state-ok")],
  },
  {
    name: "test_input_required_result_multi_round",
    steps: [approval("step1"), approval("step2"), transform("end", "Done.")],
  },
  { name: "multi_input", steps: [transform("start", 1), approval("first"), approval("second")], forks: true },
  { name: "confirm_delete", steps: [approval("confirm"), transform("end", "Deleted {{input.filename}}.")] },
];

export const TEMPLATES: readonly { name: string; description: string; steps: readonly object[] }[] = [
  { name: "test_simple_prompt", description: "A prompt without arguments.", steps: [transform("one", "1")] },
  {
    name: "test_prompt_with_arguments",
    description: "A prompt with two arguments.",
    steps: [transform("one", "{{input.arg1}} and {{input.arg2}}")],
  },
];
