import type { Section } from "./section.ts";

export const overview: Section = {
  title: "Overview",
  promises: [
    {
      id: "1.1",
      text: "Workflows are stored as a graph of steps and edges with metadata.",
      proofs: ["test/workflows.test.ts › a created workflow is returned as sent, with defaults"],
    },
    {
      id: "1.2",
      text: "A workflow is exported as a JSON template; a registered template becomes a new workflow; templates are validated; starters are listed.",
      proofs: [
        "test/templates.test.ts › export, register, import: the new workflow has the content and the history and continues the version numbers",
        "test/templates.test.ts › at least eight starters are listed, and each is valid and importable; only connections and variables are missing",
      ],
    },
    {
      id: "1.3",
      text: "A workflow can be called as an endpoint by id or slug, with or without a key, synchronously or asynchronously; each call creates a task.",
      proofs: [
        "test/public-calls.test.ts › an endpoint is found by its slug, regardless of case, and by its id",
        "test/public-calls.test.ts › a synchronous call returns the result and the steps",
        "test/public-calls.test.ts › an asynchronous call returns the task at once",
      ],
    },
    {
      id: "1.4",
      text: "A webhook call creates a task whose input is the body.",
      proofs: ["test/webhook-calls.test.ts › a call starts a task with the exact body as input"],
    },
    {
      id: "1.5",
      text: "Teams have internal and external agents, discovery, live sessions with a stored log, and a webhook for external agents.",
      proofs: [
        "test/teams/teams.test.ts › lists all of its members in discovery, unregistered ones by their id",
        "test/teams/topologies.test.ts › of a mesh: every agent answers and sees the earlier answers, and the last one is the result",
        "test/teams/a2a-webhook.test.ts › appends a message of a listed agent to the session's log",
      ],
    },
    {
      id: "1.6",
      text: "A failed task can be rerun from its failed step, a paused one resumed, steps are retried with growing waits, and a subset of steps can run.",
      proofs: [
        "server/engine/tests/rerun.test.ts › keeps results byte for byte and runs only steps that had not succeeded",
        "server/engine/tests/approvals.test.ts › passes the decision, the comment and the data to the next steps",
        "server/engine/run/retry.test.ts › wait 1 s, 2 s, 4 s … and never more than an hour",
        "server/engine/tests/partial.test.ts › runs only the steps named by %s, in graph order",
      ],
    },
    {
      id: "1.7",
      text: "A graph is generated from a prompt through a configured model.",
      proofs: [
        "test/models/generation.test.ts › the model's workflow is saved, and its prompt contains every step type and the rules",
      ],
    },
    {
      id: "1.8",
      text: "PDFs are chunked, embedded, stored, and questions are answered from them with citations.",
      proofs: [
        "test/documents/documents.test.ts › a synchronous upload responds when the document is indexed",
        "test/documents/documents.test.ts › a question is answered with a verbatim quote, its page and its position",
      ],
    },
    {
      id: "1.9",
      text: "Embeddings stay on the machine unless an external embedding service is configured.",
      proofs: [
        "server/models/embedding/local-embedding.test.ts › similar texts have a higher cosine than different ones, and vectors have length one",
        "server/models/embedding/remote-embedding.test.ts › OpenAI's vectors are sorted and normalized",
      ],
    },
  ],
};
