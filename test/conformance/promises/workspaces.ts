import type { Section } from "./section.ts";

export const workspaces: Section = {
  title: "Workspaces",
  promises: [
    {
      id: "43.1",
      text: "Every record belongs to the workspace of the header `X-Workspace`, else to the personal one, whose id is the id of the user; another workspace is 403 `forbidden`.",
      proofs: [
        "test/workspace-access.test.ts › records belong to the workspace of the header; without one to the personal workspace",
        "test/workspace-access.test.ts › a workspace of others and one that does not exist are both 403 forbidden",
        "server/storage/migrations/058-workspaces.test.ts › ${name}: every account has a personal workspace with its own id, and keeps its records and logins",
        "server/storage/migrations/058-workspaces.test.ts › ${name}: records refer to workspaces, logins and readers to accounts",
      ],
    },
    {
      id: "43.2",
      text: "Every route that is not public declares the least role; a smaller role is 403 `forbidden` before the body is checked.",
      proofs: [
        "test/workspace-access.test.ts › a role allows what it includes; the refusal comes before the body is checked",
        "test/workspace-access.test.ts › every route that is not public declares its access in the OpenAPI document",
        "server/http/auth.test.ts › a service with a route that declares no access does not start",
        "server/http/auth.test.ts › routes of the instance are for its administrator; those of the person need no workspace",
      ],
    },
    {
      id: "43.3",
      text: "`GET /api/workspaces`, `POST /api/workspaces`, `GET /api/workspaces/{id}`, `PATCH /api/workspaces/{id}`, `GET /api/workspaces/{id}/members`, `PATCH /api/workspaces/{id}/members/{userId}`, `DELETE /api/workspaces/{id}/members/{userId}`: admins manage members up to admin, owners all.",
      proofs: [
        "test/workspaces.test.ts › admins manage members up to admin; only owners manage owners",
        "test/workspaces.test.ts › a removed member loses access at once, with the keys they created and nothing else",
        "test/workspace-access.test.ts › the account lists its workspaces with the role in each",
      ],
    },
    {
      id: "43.4",
      text: "`POST /api/workspaces/{id}/invitations` returns a link that works once and for seven days; `GET /api/workspaces/{id}/invitations`, `DELETE /api/workspaces/{id}/invitations/{invitationId}`, `GET /api/invitations/{token}`, `POST /api/invitations/accept`.",
      proofs: [
        "test/workspaces.test.ts › an invitation works once, shows what it is for, and can be withdrawn",
        "test/workspaces.test.ts › of eight people who accept one invitation at once, one joins",
        "test/workspaces.test.ts › an invitation for an email address is refused to other accounts and stays open",
        "test/workspaces.test.ts › an invitation ends when the person who made it is removed, disabled or could no longer give its role",
        "test/workspaces.test.ts › a member who accepts again keeps their role and the invitation",
      ],
    },
    {
      id: "43.5",
      text: "The last owner of a workspace can neither leave (`POST /api/workspaces/{id}/leave`) nor be removed nor delete the account while others are members: 409 `last_owner`.",
      proofs: [
        "test/workspaces.test.ts › the last owner can neither leave nor be removed nor lose the role; after a transfer they can",
        "test/workspaces.test.ts › the only owner of a workspace with others cannot delete the account; after a transfer the workspace stays",
      ],
    },
    {
      id: "43.6",
      text: "`DELETE /api/workspaces/{id}` closes a team workspace at once and deletes everything in it; a personal workspace has one member and is 409 `personal_workspace`.",
      proofs: [
        "test/workspaces.test.ts › a deleted team workspace is closed at once, and nothing of it stays",
        "test/workspaces.test.ts › a personal workspace has one member: nobody is invited, nobody leaves, and it is not deleted alone",
      ],
    },
    {
      id: "43.7",
      text: "Every route × five roles × two workspaces allows what docs/reference/roles.md says; so do sockets, streams, MCP, A2A and chat.",
      proofs: [
        "test/roles.test.ts › every route refuses each role that its table does not allow, before it looks at the request, and allows the others",
        "test/roles.test.ts › no member of one workspace does anything in another, whatever the route",
        "test/roles.test.ts › members read each other's records, and an owner of another workspace reads and changes none of them",
        "test/roles.test.ts › routes of the person are under few paths; those of the instance are for its administrator",
        "test/roles.test.ts › sockets and streams of each role follow the workspace of the person only; viewers post nothing",
        "test/roles.test.ts › MCP, A2A and chat clients reach what their workspace exposes, and nothing of another one",
        "test/roles.test.ts › docs/reference/roles.md and contract/operation-roles.ts, which the page reads, have the roles of the routes",
      ],
    },
    {
      id: "43.10",
      text: "`POST /api/workflows/{id}/copy` takes a workflow with its history to another workspace and reports what is needed there; `dryRun=true` only reports.",
      proofs: [
        "test/workspace-transfers.test.ts › a copy has the history and no credential, and the report names what the other workspace lacks",
        "test/workspace-transfers.test.ts › a transfer needs the role builder in the other workspace, and builder here to move",
      ],
    },
    {
      id: "43.40",
      text: "`POST /api/workflows/{id}/move` gives a workflow another workspace with its id, versions, draft, addresses, starters and runs, also after a crash in between; runs that have not ended and taken names are 409 `transfer_conflict`.",
      proofs: [
        "test/workspace-moves.test.ts › a moved workflow keeps its id, versions, draft, addresses, starters, values and runs",
        "test/workspace-moves.test.ts › a move waits for the end of runs and for free names; nothing changes before",
        "test/workspace-moves.test.ts › a long history follows in the background, and back again",
        "test/key-access.test.ts › [S16] a key gives nobody access: people invite, change roles and move workflows",
        "test/workspace-moves-crash.test.ts › a kill during a move leaves every run in one of the two workspaces, and the next start moves the rest",
      ],
    },
    {
      id: "43.41",
      text: "`POST /api/agents/{id}/copy`, `POST /api/agents/{id}/move`, `POST /api/agent-teams/{id}/copy`, `POST /api/agent-teams/{id}/move`, `POST /api/templates/{id}/copy` and `POST /api/templates/{id}/move` copy and move agents, teams and templates with the same report; a copy needs viewer here and builder there, a move builder in both, checked in the statement that writes.",
      proofs: [
        "test/workspace-records.test.ts › a copy has every column of the record under a new id, a move keeps the id; a dry run changes nothing",
        "test/workspace-records.test.ts › a copy needs the role viewer here and builder there; a move needs builder in both",
        "test/workspace-records.test.ts › the write itself checks the role: one that was lost after the check neither copies nor moves",
        "test/workspace-records.test.ts › a moved agent takes its memory and its name along; the report names what it needs and what uses it",
        "test/workspace-records.test.ts › a moved team keeps its sessions and its secret; a session that has not ended is a conflict",
        "test/workspace-records.test.ts › many sessions of a moved team follow in the background",
      ],
    },
    {
      id: "43.42",
      text: "`POST /api/v1/documents/{id}/copy` and `POST /api/v1/documents/{id}/move` take a document with its file, passages and vectors to another workspace, also after a kill in between; searches find it there and no longer here, and deleting a copy leaves the other.",
      proofs: [
        "test/documents/transfers.test.ts › a moved document keeps its id, file, passages and vectors, and is found there and no longer here",
        "test/documents/transfers.test.ts › a copy has the same content without another call of the model; deleting one leaves the other",
        "test/documents/transfers.test.ts › a copy of a document that is being indexed again reads its own file",
        "test/documents/transfers.test.ts › the same file there, a document that is not indexed and a move that has not ended are conflicts",
        "test/documents/transfers.test.ts › a document is copied by a viewer here who is a builder there, and moved by a builder of both",
        "test/documents/transfer-crash.test.ts › a kill -9 in the middle of a move or a copy of a document loses nothing: the next start continues",
      ],
    },
    {
      id: "43.43",
      text: "The page offers “Move or copy to workspace…” for workflows, agents, teams, templates and documents where the role allows it, shows the report first and leads to the record in its new place.",
      proofs: [
        "test/browser/transfers.test.ts › a workflow is copied: the dialog reports what the other workspace lacks and leads to the copy",
        "test/browser/transfers.test.ts › agents, teams, templates and documents are moved, and what prevents a move is named",
        "test/browser/transfers.test.ts › a viewer may copy and not move; without another workspace to build in there is no entry",
      ],
    },
    {
      id: "43.11",
      text: "The permission check adds no statement to a public call.",
      proofs: [
        "test/public-call-queries.test.ts › a public call runs as many statements as before workspaces, in a personal and in a team workspace",
      ],
    },
    {
      id: "43.8",
      text: "Removal and a change of role end sockets and streams at once; connected apps act in the workspace of the consent.",
      proofs: [
        "test/workspace-sharing.test.ts › removal and a change of role end sockets and streams of the person in that workspace, and no others",
        "test/workspace-sharing.test.ts › a socket belongs to a workspace: a viewer follows runs and posts nothing, a stranger is refused",
        "test/workspace-sharing.test.ts › a connected app acts in the workspace of the consent, and ends with the membership",
        "test/workspace-sharing.test.ts › who saved, published and decided is the person, not the workspace",
      ],
    },
    {
      id: "43.9",
      text: "Builders use every connection of the workspace and see the settings of their own; admins see all.",
      proofs: [
        "test/workspace-sharing.test.ts › builders use every connection and see the settings of their own; admins see all",
      ],
    },
  ],
};
