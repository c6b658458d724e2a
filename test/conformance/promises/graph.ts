import type { Section } from "./section.ts";

export const graph: Section = {
  title: "Graph",
  promises: [
    {
      id: "6.1",
      text: "`GET /api/step-types` describes each type with title, category, schema and example.",
      proofs: [
        "contract/steps/catalogue.test.ts › all types exist, each under one name",
        "test/conformance/api-rules.test.ts › GET /api/step-types returns each type with its schema and an example",
      ],
    },
    {
      id: "6.2",
      text: "The validator reports each error and warning code: `missing_step_id`, `duplicate_step_id`, `unknown_step_type`, `missing_field`, `invalid_field`, `duplicate_edge_id`, `unknown_edge_source`, `unknown_edge_target`, `self_edge`, `cycle`, `unknown_reference`, `forward_reference`; `missing_edge_id`, `unreachable_step`, `disconnected_step`, `unused_branch`, `implicit_dependency`, `no_edges`, `self_call`, `ambiguous_step_id`, `misspelled_field`, `to_check`.",
      proofs: [
        "contract/graph/codes.test.ts › every code has a case here",
        "contract/graph/codes.test.ts › $code: $why",
      ],
    },
    {
      id: "6.3",
      text: "A reference is a dependency: a step waits for a parallel step it refers to; a reference to a later step is an error.",
      proofs: [
        "contract/graph/order.test.ts › a reference to a parallel step adds a wait, one to an earlier step adds nothing, one to a later step is an error",
        "server/engine/graph/progress.test.ts › a step that refers to a parallel step waits for it without an edge",
      ],
    },
    {
      id: "6.4",
      text: "Steps without any edge run in the order of the list.",
      proofs: [
        "contract/graph/order.test.ts › steps without any edge are a sequence in the order of the list",
      ],
    },
    {
      id: "6.5",
      text: "Several start steps or outgoing edges run in parallel.",
      proofs: [
        "server/engine/tests/graphs.test.ts › run in parallel: each call gets a response only when both have arrived",
      ],
    },
    {
      id: "6.6",
      text: 'A step starts when every incoming edge is decided and is skipped when none was taken; `join: "any"` starts at the first, `join: "first"` at the first success.',
      proofs: [
        "server/engine/graph/progress.test.ts › a join waits for every incoming edge",
        "server/engine/graph/progress.test.ts › a join of any starts at the first taken edge and only once",
        "server/engine/graph/progress.test.ts › a join on the first success waits after a failure, and fails when no branch is left",
        "server/engine/tests/graphs.test.ts › are joined on the first edge if configured, and the step runs once",
      ],
    },
    {
      id: "6.7",
      text: "Step ids are unique within the workflow.",
      proofs: ["contract/graph/codes.test.ts › every code has a case here"],
    },
  ],
};
