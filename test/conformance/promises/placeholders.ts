import type { Section } from "./section.ts";

export const placeholders: Section = {
  title: "Placeholders, variables and secrets",
  promises: [
    {
      id: "8.1",
      text: 'Placeholders work in any text field, also nested; paths take `.name`, `[0]`, `["any key"]`.',
      proofs: [
        "contract/placeholders/template.test.ts › placeholders are filled in at any depth, and keys are not rendered",
        "contract/placeholders/language.test.ts › every spelling of a path parses to the same path",
      ],
    },
    {
      id: "8.2",
      text: "The roots are input, steps (output, status, error), item, index, vars, secrets, trigger, task, workflow, now.",
      proofs: ["contract/placeholders/template.test.ts › %s keeps the type of its value"],
    },
    {
      id: "8.3",
      text: "A field that is exactly one placeholder keeps the type of its value; inside text an object becomes JSON.",
      proofs: [
        "contract/placeholders/language.test.ts › [S1] a placeholder renders to the value at its path, with its type, and to nothing else",
      ],
    },
    {
      id: "8.4",
      text: "A missing value is null or empty in a run; a reference to an unknown or later step is reported on save.",
      proofs: [
        "contract/placeholders/template.test.ts › %s keeps the type of its value",
        "contract/graph/codes.test.ts › $code: $why",
      ],
    },
    {
      id: "8.5",
      text: "Inserted text is never expanded again, and nothing is evaluated.",
      proofs: [
        "contract/placeholders/template.test.ts › [S1] text that a placeholder inserts is never expanded again",
      ],
    },
    {
      id: "8.6",
      text: "`GET /api/variables` returns the values of variables, never those of secrets.",
      proofs: [
        "test/variables.test.ts › [S21] a secret is in no response and is encrypted in the database",
        "test/variables.test.ts › variable names are separate per user and listed by name in pages",
      ],
    },
    {
      id: "8.7",
      text: "`POST /api/variables` creates (409 `variable_exists`), `PUT /api/variables/{name}` sets a value, `DELETE /api/variables/{name}` removes it.",
      proofs: [
        "test/variables.test.ts › creating a variable never replaces one or turns it into a secret; PUT does",
        "test/variables.test.ts › a variable stores any JSON value and can be replaced",
        "test/variables.test.ts › a variable is deleted by name, and a second delete is 404",
      ],
    },
    {
      id: "8.8",
      text: "Secrets are encrypted at rest and redacted in inputs, outputs, errors, events and logs.",
      proofs: [
        "test/variables.test.ts › [S21] a secret is in no response and is encrypted in the database",
        "server/engine/tests/graphs.test.ts › [S20] appear nowhere, in no encoding, also when a server echoes them",
      ],
    },
    {
      id: "8.9",
      text: "Saving a workflow warns about `unknown_variable`.",
      proofs: [
        "test/variables.test.ts › saving a workflow warns about variables and secrets that do not exist",
      ],
    },
  ],
};
