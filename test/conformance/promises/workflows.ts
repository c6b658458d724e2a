import type { Section } from "./section.ts";

export const workflows: Section = {
  title: "Workflows",
  promises: [
    {
      id: "4.1",
      text: "The record has id, ownerId, name, description, version, metadata, apiSettings, createdAt, updatedAt.",
      proofs: ["test/workflows.test.ts › a created workflow is returned as sent, with defaults"],
    },
    {
      id: "4.2",
      text: "Unknown fields of steps and edges are stored unchanged.",
      proofs: ["test/workflows.test.ts › unknown fields of steps and edges are preserved by every operation"],
    },
    {
      id: "4.3",
      text: "`POST /api/workflows` creates a workflow; only a name is required.",
      proofs: ["test/workflows.test.ts › a workflow can be created with only a name"],
    },
    {
      id: "4.4",
      text: "`GET /api/workflows` lists the caller's workflows; `graph=false` omits the graphs.",
      proofs: [
        "test/workflows.test.ts › a list without graphs contains all other fields, in pages",
        "test/paging.test.ts › the pages of a list contain every own record once, newest first, and no record of another user",
        "test/ownership.test.ts › [S13] lists contain only the caller's own records",
      ],
    },
    {
      id: "4.5",
      text: "`GET /api/workflows/{id}` reads one.",
      proofs: ["test/workflows.test.ts › a created workflow is returned as sent, with defaults"],
    },
    {
      id: "4.6",
      text: "`PUT /api/workflows/{id}` and `PATCH /api/workflows/{id}` take any subset.",
      proofs: ["test/workflows.test.ts › %s updates the given fields and keeps the others"],
    },
    {
      id: "4.7",
      text: "`DELETE /api/workflows/{id}` removes it from every route.",
      proofs: ["test/workflows.test.ts › a deleted workflow is 404 on every route"],
    },
    {
      id: "4.8",
      text: "With `baseVersion` a save on an older version is 409 `version_conflict`.",
      proofs: [
        "test/workflow-versions.test.ts › a save based on an older version is 409 and changes nothing",
        "test/workflow-versions.test.ts › of twenty concurrent saves on one base version exactly one succeeds",
      ],
    },
    {
      id: "4.9",
      text: "Only the owner can enable or disable the public endpoint.",
      proofs: [
        "test/endpoint-settings.test.ts › omitted settings keep their value, and null or empty text clears the name",
        "test/ownership.test.ts › [S13] [S15] another user's record is 403 for every verb of every route, an unknown one 404, and nothing changes",
      ],
    },
    {
      id: "4.10",
      text: "`endpointName` has a pattern, is case-insensitive, unique among enabled endpoints, and reserved for its owner for 30 days after that.",
      proofs: [
        "test/endpoint-settings.test.ts › an enabled slug is unique across users, regardless of case, and only its owner may use it again",
        "test/name-reservations.test.ts › the name of a disabled, renamed or deleted endpoint is reserved for its owner for 30 days",
        "test/endpoint-settings.test.ts › of ten concurrent requests for one slug exactly one succeeds",
      ],
    },
    {
      id: "4.11",
      text: "`authentication` and `sync` of an endpoint default to true.",
      proofs: [
        "test/workflows.test.ts › a created workflow is returned as sent, with defaults",
        "test/public-calls.test.ts › authentication requires a key, and without authentication no key is needed",
      ],
    },
    {
      id: "4.12",
      text: "Saving validates the graph; errors are 422 and store nothing, warnings are returned with the record.",
      proofs: [
        "test/workflows.test.ts › an invalid graph is 422 with all errors, and nothing is saved",
        "test/workflows.test.ts › an update with an invalid graph changes neither the stored graph nor its history",
        "test/workflows.test.ts › warnings are returned with the record and do not prevent the save",
      ],
    },
    {
      id: "4.13",
      text: "Every change of name, description or graph adds a version; endpoint settings do not.",
      proofs: [
        "test/workflows.test.ts › a save without changes adds no version, and endpoint settings are not versioned",
      ],
    },
    {
      id: "4.14",
      text: "`GET /api/workflows/{id}/versions` lists version, note, time, author and name.",
      proofs: [
        "test/workflow-versions.test.ts › the history lists every version, newest first, with author, time and note",
      ],
    },
    {
      id: "4.15",
      text: "`GET /api/workflows/{id}/versions/{version}` returns the full snapshot.",
      proofs: [
        "test/workflow-versions.test.ts › the history lists every version, newest first, with author, time and note",
      ],
    },
    {
      id: "4.16",
      text: "`POST /api/workflows/{id}/rollback/{version}` makes the old content the newest version and loses nothing.",
      proofs: [
        "test/workflow-versions.test.ts › a rollback creates a new version with the old content and keeps the history",
      ],
    },
    {
      id: "4.17",
      text: "`GET /api/workflows/{id}/export` returns the template as an attachment, only to the owner.",
      proofs: [
        "test/templates.test.ts › an export is an attachment with the whole workflow and its history",
        "test/ownership.test.ts › [S13] [S15] another user's record is 403 for every verb of every route, an unknown one 404, and nothing changes",
      ],
    },
    {
      id: "4.18",
      text: "`POST /api/workflows/{id}/clone` → 201, name + ` (copy)`, endpoint disabled.",
      proofs: ["test/workflows.test.ts › a clone is a separate workflow with a disabled endpoint"],
    },
    {
      id: "4.19",
      text: "`POST /api/workflows/{id}/run` → task id, status, workflow id; `?wait=true` responds like a synchronous call.",
      proofs: [
        "server/engine/tests/calls.test.ts › responds like a public call: completed, failed, waiting, timed out",
      ],
    },
    {
      id: "4.20",
      text: "`POST /api/workflows/{id}/run-partial` runs only the named steps, in graph order; `steps` is another name for `stepIds`.",
      proofs: ["server/engine/tests/partial.test.ts › runs only the steps named by %s, in graph order"],
    },
    {
      id: "4.21",
      text: "`startStepId` selects that step and all steps after it.",
      proofs: ["server/engine/tests/partial.test.ts › from a step runs it and all later steps"],
    },
    {
      id: "4.22",
      text: "Outputs of other steps come from `outputs`, else from `fromTaskId`, else the step fails with `missing_output`.",
      proofs: [
        "server/engine/tests/partial.test.ts › takes outputs of other steps from the request, else from a task",
        "server/engine/tests/partial.test.ts › fails a step that needs a missing output",
      ],
    },
    {
      id: "4.23",
      text: "Unknown steps are 400 `unknown_step`, an empty selection is 400.",
      proofs: [
        "server/engine/tests/partial.test.ts › is refused without steps, with unknown steps and with a task of another user",
      ],
    },
    {
      id: "4.24",
      text: "`PUT /api/workflows/{id}/draft` stores a draft beside the live version, also with errors; `GET /api/workflows/{id}/draft` returns it, `DELETE /api/workflows/{id}/draft` discards it. Triggers, sub-workflows and tools run the live version until it is published.",
      proofs: [
        "test/drafts.test.ts › is stored beside the live version, which keeps running",
        "test/drafts.test.ts › with errors is stored, says them, and cannot be published",
        "test/drafts.test.ts › changes public endpoints and sub-workflows; saving a draft does not",
      ],
    },
    {
      id: "4.25",
      text: "`POST /api/workflows/{id}/publish` makes the draft live and removes it in one write; 409 `version_conflict` when the live version changed.",
      proofs: [
        "test/drafts.test.ts › makes the draft live with its note and author, and leaves no draft",
        "test/drafts.test.ts › is refused when the live version changed after the draft was begun",
        "test/drafts.test.ts › at the same time as a save loses neither",
        "test/drafts.test.ts › a kill -9 between saving a draft and publishing it loses neither",
      ],
    },
    {
      id: "4.26",
      text: "`?version=draft` runs a snapshot of the draft, the complete steps of an incomplete one too; the task has `draft: true`.",
      proofs: [
        "test/draft-runs.test.ts › is marked, is not among the versions, and shows the graph that it ran",
        "test/draft-runs.test.ts › runs the steps that are complete, whatever is missing in others",
      ],
    },
    {
      id: "4.27",
      text: "`active: false` pauses a workflow: public calls, webhooks and forms are 409 `workflow_paused`, schedules skip their runs; runs by hand work.",
      proofs: [
        "test/workflow-library.test.ts › a paused workflow refuses public calls with 409 and runs by hand; activated, it accepts them again",
        "test/workflow-library.test.ts › a paused workflow refuses its form",
        "test/workflow-library.test.ts › a delivery to a paused workflow is recorded as rejected and can be delivered again",
        "test/workflow-library.test.ts › a schedule of a paused workflow skips its runs, records the reason and keeps its times",
      ],
    },
    {
      id: "4.28",
      text: "`folder` and `tags` of a workflow filter the list and make no version; copies and exports carry them. `GET /api/workflows/folders` and `POST /api/workflows/folders` list and create folders; `POST /api/workflows/folders/rename` and `DELETE /api/workflows/folders` move and delete them with their subfolders.",
      proofs: [
        "test/workflow-library.test.ts › folders are listed by path with their workflows, and empty ones stay until they are deleted",
        "test/workflow-library.test.ts › a folder moves with its subfolders, and deleting one moves its content up",
        "test/workflow-library.test.ts › folder and tags are trimmed, filter the list, make no version, and copies and exports carry them",
        "test/workflow-library.test.ts › a folder is renamed in one request, for its owner only",
      ],
    },
    {
      id: "4.29",
      text: "`GET /api/search` finds workflows, runs, documents, agents, teams and connections of the workspace by words, also with a typing error.",
      proofs: [
        "test/search.test.ts › a workflow is found by name, folder, tag, description and the names of its steps, also inside loops",
        "test/search.test.ts › a change of a workflow, its folder or its draft name is found at once, and a deleted one is not",
        "test/search.test.ts › no record of another workspace is found",
        "test/search.test.ts › agents, teams and connections are found by name; types and limit bound the results",
        "test/search.test.ts › a run is found by its id, its short number, its workflow, its error and its input",
      ],
    },
    {
      id: "4.30",
      text: "`PATCH /api/workflows/{id}/versions/{version}` changes the note of a published version and nothing else.",
      proofs: [
        "test/workflow-versions.test.ts › a version is named afterwards: only its note changes, and only of a published version",
      ],
    },
  ],
};
