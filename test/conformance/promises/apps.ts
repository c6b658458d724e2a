import type { Section } from "./section.ts";

export const apps: Section = {
  title: "Apps",
  promises: [
    {
      id: "42.1",
      text: "`GET /api/apps` lists the apps with their actions and triggers, and `GET /api/apps/{id}` has the fields, samples and ways to log in (`app_not_found`).",
      proofs: [
        "test/apps.test.ts › apps are listed with actions and triggers, and each has its fields and samples",
      ],
    },
    {
      id: "42.2",
      text: "`app` runs an action of an app: the input is checked, values cannot change the address, and errors of the vendor become one sentence (`app_action_not_found`).",
      proofs: [
        "server/apps/run-action.test.ts › an action sends the request of its template and maps the answer",
        "server/apps/run-action.test.ts › a value cannot reach another path or host",
        "server/apps/run-action.test.ts › an error of the vendor is a sentence, with the time to wait: %s",
        "server/apps/app-step.test.ts › an unknown app or action, and a connection of another app, fail the step: %j",
      ],
    },
    {
      id: "42.3",
      text: "A list reads as many pages as its `limit` needs.",
      proofs: ["server/apps/read-pages.test.ts › pages by %s"],
    },
    {
      id: "42.4",
      text: "Every action of every app sends what the vendor describes and returns its sample; lists, rate limits, expired tokens and errors are handled alike.",
      proofs: [
        "test/apps/actions.test.ts › every app has examples for all of its actions, options and triggers, and none for others",
        "test/apps/actions.test.ts › $name sends what the vendor describes and returns its sample",
        "test/apps/actions.test.ts › $name reads two pages",
        "test/apps/actions.test.ts › 429 with Retry-After says how long to wait",
        "test/apps/actions.test.ts › an expired token is renewed and the request is sent once more",
        "test/apps/actions.test.ts › an error of the vendor is a sentence: $says",
      ],
    },
    {
      id: "42.5",
      text: "`POST /api/apps/{id}/options` lists the choices of a field, with search and pages.",
      proofs: [
        "server/apps/app-options.test.ts › choices have pages, and a cursor continues them",
        "server/apps/app-options.test.ts › a search is the vendor's where it can, and reads labels of a few pages where it cannot",
        "test/apps/actions.test.ts › $name lists choices",
      ],
    },
    {
      id: "42.6",
      text: "A graph with an unknown app or action, or an input that is missing, wrong or unknown, is `invalid_workflow`.",
      proofs: [
        "test/apps.test.ts › a workflow with an unknown action or without a required input is not saved",
        "server/apps/graph-problems.test.ts › %j is an error of the graph",
        "server/apps/graph-problems.test.ts › steps inside loops are checked, too",
      ],
    },
    {
      id: "42.7",
      text: "A trigger of the kind `app` asks an app for new items; each starts one run, the oldest first.",
      proofs: [
        "server/apps/app-source.test.ts › what is there at first starts nothing, and each new item starts once, the oldest first",
        "server/apps/app-source.test.ts › more items than one check takes continue with the next check, without a loss or a repetition",
        "server/apps/app-source.test.ts › a check that was lost after it was read finds the same items again",
        "test/apps/triggers.test.ts › $name starts a run for each new item once",
        "test/apps.test.ts › a trigger of an app needs a trigger that exists, a connection of the app and its inputs",
      ],
    },
    {
      id: "42.8",
      text: "A webhook trigger of an app subscribes when it is active and unsubscribes when it is paused or removed, also after a crash; `POST /webhook/t/{triggerId}` verifies the vendor's signature, and a delivery starts one run.",
      proofs: [
        "server/apps/subscriptions.test.ts › an active trigger subscribes once, with its secret stored before",
        "server/apps/subscriptions.test.ts › [R5] a crash after the request to subscribe leaves one subscription: the first is found by its URL and ended",
        "server/apps/subscriptions.test.ts › a removed trigger is hidden at once, and its row goes when the vendor has ended the subscription",
        "server/apps/subscriptions.test.ts › a paused trigger unsubscribes, and an expiring subscription is made again before the old one ends",
        "server/apps/subscriptions.test.ts › a delivery is stored before it is acknowledged, and starts one run",
        "test/apps/triggers.test.ts › $name subscribes, receives signed deliveries once, and unsubscribes",
        "test/apps.test.ts › an event without a valid signature, or for no trigger, starts nothing",
      ],
    },
    {
      id: "42.9",
      text: "An agent uses actions of apps as tools, each allowed, asked for or never; where nobody watches the agent, an action that asks waits for an approval.",
      proofs: [
        "server/agents/app-tools.test.ts › reading is allowed, writing asks first, and an agent may say otherwise for each action",
        "server/agents/app-tools.test.ts › a tool runs the action as a task, with the connection of the agent and no other",
        "server/agents/app-tools.test.ts › where nobody watches, an action that asks waits for an approval first, and an allowed one runs at once",
        "test/teams/tool-approvals.test.ts › an agent's action that asks waits under Approvals with its input, and runs once it is approved",
        "test/teams/tool-approvals.test.ts › a rejected action is not called, and the agent receives an error",
        "test/apps.test.ts › an agent takes actions of an app with a connection of it, and no others",
      ],
    },
    {
      id: "42.10",
      text: "Generation by a model knows the apps, within a few lines of the prompt.",
      proofs: [
        "server/apps/prompt.test.ts › apps are named, and those that the description mentions are explained with their inputs",
        "server/apps/prompt.test.ts › the words about apps stay short, whatever is mentioned",
      ],
    },
    {
      id: "42.11",
      text: "`POST /api/apps/import` makes an app of an OpenAPI 3.0, OpenAPI 3.1 or Swagger 2.0 document; its operations run as actions and are tools of agents, its security schemes are ways to connect, its server is the host binding (`unreadable_document`).",
      proofs: [
        "test/openapi-apps.test.ts › a document becomes an app whose actions run like those of every other app",
        "test/openapi-apps.test.ts › an action that needs a login says so, and an error of the service is a sentence",
        "test/openapi-apps.test.ts › a private server is refused where others can reach the instance, and allowed by EGRESS_ALLOW",
        "test/openapi-apps/calls.test.ts › every action of a document sends what the document describes, over HTTP",
        "test/openapi-apps.test.ts › an agent uses chosen actions of an API as tools",
        "test/openapi-apps.test.ts › nobody else lists, reads or runs an app",
        "test/openapi-apps.test.ts › %j is refused",
        "test/browser/apis.test.ts › an API is added by its document, connected, used in a workflow, refreshed and deleted",
      ],
    },
    {
      id: "42.12",
      text: "`PATCH /api/apps/{id}` renames an API of yours and chooses its server and shown actions; a credential is never sent to the new server. `GET /api/apps/{id}/operations` lists what is in it.",
      proofs: [
        "test/openapi-apps.test.ts › the title, the server and the shown actions can be chosen, and a secret stays with its host",
      ],
    },
    {
      id: "42.13",
      text: "`POST /api/apps/{id}/refresh` answers the added, removed and changed actions with the workflows that use them; saving warns about `unknown_app` and `unknown_app_action`.",
      proofs: [
        "test/openapi-apps.test.ts › the file of a workflow names the APIs that its steps use, and can be imported",
        "test/openapi-apps.test.ts › a refresh names what changed and the workflows that use it; a dry run stores nothing",
      ],
    },
    {
      id: "42.14",
      text: "`DELETE /api/apps/{id}` of an app in use is 409 `app_in_use` with the names, unless `force` is `true`.",
      proofs: [
        "test/openapi-apps.test.ts › an app in use, or with a connection in use, is deleted only by force, with its connections",
      ],
    },
    {
      id: "42.15",
      text: "A document that is made to take time or memory, or that refers to files or other hosts, is refused or read without them.",
      proofs: [
        "server/openapi-apps/convert-document.test.ts › documents that grow when they are read are refused in their thread",
        "server/openapi-apps/convert-operations.test.ts › references to files and other hosts are not followed",
        "server/openapi-apps/convert-operations.test.ts › a document with 50,000 operations keeps as many as are allowed and says so",
        "server/openapi-apps/convert-operations.test.ts › names of prototypes are names like any other",
      ],
    },
  ],
};
