import type { Section } from "../register.ts";

export const templates: Section = {
  title: "Templates",
  promises: [
    {
      id: "5.1",
      text: "`GET /api/templates` lists starters and the caller's templates with id, name, description, category, builtIn, steps, edges.",
      proofs: [
        "test/templates.test.ts › at least eight starters are listed, each valid without a warning, each importable",
        "test/paging.test.ts › templates come in pages that run from one's own into the starters",
      ],
    },
    {
      id: "5.2",
      text: "`GET /api/templates/{id}` reads one.",
      proofs: ["test/templates.test.ts › a starter can be read and cannot be deleted"],
    },
    {
      id: "5.3",
      text: "`POST /api/templates` registers an exported file, even an invalid one.",
      proofs: [
        "test/templates.test.ts › export, register, import: the new workflow has the content and the history, and goes on from there",
        "test/templates.test.ts › an invalid template can be registered and validated, but not imported",
      ],
    },
    {
      id: "5.4",
      text: "`DELETE /api/templates/{id}` deletes only the caller's templates.",
      proofs: [
        "test/templates.test.ts › own templates are deleted by their owner alone",
        "test/templates.test.ts › a starter can be read and cannot be deleted",
      ],
    },
    {
      id: "5.5",
      text: "`GET /api/templates/{id}/validate` → `{ok, valid, errors, warnings}` with code, message, step and edge: step ids, edge references, node types.",
      proofs: [
        "test/templates.test.ts › an invalid template can be registered and validated, but not imported",
        "contract/graph/codes.test.ts › $code: $why",
      ],
    },
    {
      id: "5.6",
      text: "`POST /api/templates/import/{id}` → 201 `{ok, workflow, warnings}`; an invalid one is 422.",
      proofs: [
        "test/templates.test.ts › an invalid template can be registered and validated, but not imported",
        "test/templates.test.ts › export, register, import: the new workflow has the content and the history, and goes on from there",
      ],
    },
    {
      id: "5.7",
      text: "Imported versions are the new workflow's history, then the imported state.",
      proofs: [
        "test/templates.test.ts › export, register, import: the new workflow has the content and the history, and goes on from there",
        "test/templates.test.ts › a history written by hand needs no times",
      ],
    },
    {
      id: "5.8",
      text: "At least eight starters validate and run, or name the missing setting.",
      proofs: [
        "test/templates.test.ts › at least eight starters are listed, each valid without a warning, each importable",
        "test/starters.test.ts › daily-report adds what it fetched to the report, run after run",
        "test/starters.test.ts › approval-before-publishing",
        "test/starters.test.ts › what looks at the service itself finds it where it is, without an input",
      ],
    },
  ],
};
