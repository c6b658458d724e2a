import type { Section } from "./section.ts";

export const templates: Section = {
  title: "Templates",
  promises: [
    {
      id: "5.1",
      text: "`GET /api/templates` lists starters and the caller's templates with id, name, description, category, builtIn, steps, edges.",
      proofs: [
        "test/templates.test.ts › at least eight starters are listed, and each is valid and importable; only connections and variables are missing",
        "test/paging.test.ts › pages of templates continue from own templates into the starters",
      ],
    },
    {
      id: "5.2",
      text: "`GET /api/templates/{id}` reads one.",
      proofs: ["test/templates.test.ts › a starter can be read but neither renamed nor deleted"],
    },
    {
      id: "5.3",
      text: "`POST /api/templates` registers an exported file, even an invalid one.",
      proofs: [
        "test/templates.test.ts › export, register, import: the new workflow has the content and the history and continues the version numbers",
        "test/templates.test.ts › an invalid template can be registered and validated, but not imported",
      ],
    },
    {
      id: "5.4",
      text: "`DELETE /api/templates/{id}` deletes only the caller's templates.",
      proofs: [
        "test/templates.test.ts › only the owner can delete a template",
        "test/templates.test.ts › a starter can be read but neither renamed nor deleted",
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
        "test/templates.test.ts › export, register, import: the new workflow has the content and the history and continues the version numbers",
      ],
    },
    {
      id: "5.7",
      text: "Imported versions are the new workflow's history, then the imported state.",
      proofs: [
        "test/templates.test.ts › export, register, import: the new workflow has the content and the history and continues the version numbers",
        "test/templates.test.ts › a history can be registered without times",
      ],
    },
    {
      id: "5.8",
      text: "At least eight starters validate and run, or name the missing setting.",
      proofs: [
        "test/templates.test.ts › at least eight starters are listed, and each is valid and importable; only connections and variables are missing",
        "test/starters.test.ts › daily-report appends the fetched data to the report on every run",
        "test/starters.test.ts › approval-before-publishing",
        "test/starters.test.ts › starters that call the service itself work without an input",
      ],
    },
    {
      id: "5.9",
      text: "`PATCH /api/templates/{id}` changes the name and the description of the caller's templates.",
      proofs: [
        "test/templates.test.ts › an own template is renamed and described anew",
        "test/templates.test.ts › a starter can be read but neither renamed nor deleted",
      ],
    },
  ],
};
