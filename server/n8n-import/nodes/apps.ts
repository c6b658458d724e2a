import { apps } from "../../../apps/all.ts";
import { at, locatorOf, recordOf, textOf } from "../source.ts";
import type { Converted, NodeKind, Tools } from "../tools.ts";

type Parameter = string | readonly string[] | ((tools: Tools) => unknown);
interface ActionMap {
  action: string;
  /** By the field of the action: the parameter of n8n, or several of which one is given. */
  input?: Readonly<Record<string, Parameter>>;
}

interface AppMap {
  app: string;
  /** `resource:operation` that n8n leaves out of the file. */
  standard: string;
  actions: Readonly<Record<string, ActionMap>>;
}

const sheet = { spreadsheet: ["documentId", "sheetId"], sheet: sheetName };
const draftMail = {
  to: ["sendTo", "toList", "options.sendTo", "toEmail"],
  subject: "subject",
  ...mailBody(["message"]),
  cc: ["options.ccList"],
  bcc: ["options.bccList"],
};
const record = { base: ["base", "application", "baseId"], table: "table" };
const page = { page: ["pageId", "blockId"] };
const repository = ({ parameters, text }: Tools): string =>
  `${text(locatorOf(parameters["owner"]), "owner")}/${text(locatorOf(parameters["repository"]), "repository")}`;

/** The actions of apps, by the resource and operation of n8n. */
const APPS: Readonly<Record<string, AppMap>> = {
  slack: {
    app: "slack",
    standard: "message:post",
    actions: {
      "message:post": {
        action: "send_message",
        input: { channel: ["channelId", "channel", "user"], text: "text" },
      },
      "message:update": { action: "update_message", input: { channel: "channelId", ts: "ts", text: "text" } },
      "channel:create": { action: "create_channel", input: { name: "channelId" } },
      "channel:getAll": { action: "list_channels" },
      "channel:history": { action: "list_messages", input: { channel: "channelId" } },
      "reaction:add": {
        action: "add_reaction",
        input: { channel: "channelId", ts: "timestamp", emoji: "name" },
      },
    },
  },
  gmail: {
    app: "gmail",
    standard: "message:send",
    actions: {
      "message:send": { action: "send_email", input: draftMail },
      "draft:create": { action: "create_draft", input: draftMail },
      "message:get": { action: "get_email", input: { message: "messageId" } },
      "message:getAll": { action: "search_emails", input: { query: ["filters.q"], limit } },
      "message:addLabels": { action: "change_labels", input: { message: "messageId", add: "labelIds" } },
      "message:removeLabels": {
        action: "change_labels",
        input: { message: "messageId", remove: "labelIds" },
      },
      "message:markAsRead": {
        action: "change_labels",
        input: { message: "messageId", remove: () => ["UNREAD"] },
      },
      "message:markAsUnread": {
        action: "change_labels",
        input: { message: "messageId", add: () => ["UNREAD"] },
      },
      "message:delete": { action: "trash_email", input: { message: "messageId" } },
    },
  },
  googleSheets: {
    app: "google-sheets",
    standard: "sheet:read",
    actions: {
      "sheet:read": { action: "read_rows", input: { ...sheet, limit: () => 1000 } },
      "sheet:getAll": { action: "read_rows", input: { ...sheet, limit: () => 1000 } },
      "sheet:append": { action: "append_row", input: { ...sheet, values: columnValues } },
      "sheet:create": { action: "add_sheet", input: { spreadsheet: "documentId", title: "title" } },
      "spreadsheet:create": { action: "create_spreadsheet", input: { title: "title" } },
    },
  },
  telegram: {
    app: "telegram",
    standard: "message:sendMessage",
    actions: {
      "message:sendMessage": {
        action: "send_message",
        input: { chat: "chatId", text: "text", parseMode: ["additionalFields.parse_mode"] },
      },
      "message:sendPhoto": {
        action: "send_photo",
        input: { chat: "chatId", photo: "file", caption: ["additionalFields.caption"] },
      },
      "message:editMessageText": {
        action: "edit_message",
        input: { chat: "chatId", messageId: "messageId", text: "text" },
      },
      "message:deleteMessage": {
        action: "delete_message",
        input: { chat: "chatId", messageId: "messageId" },
      },
      "callback:answerQuery": {
        action: "answer_button",
        input: { query: "queryId", text: ["additionalFields.text"] },
      },
      "chat:get": { action: "get_chat", input: { chat: "chatId" } },
    },
  },
  airtable: {
    app: "airtable",
    standard: "record:get",
    actions: {
      "record:get": { action: "get_record", input: { ...record, recordId: "id" } },
      "record:search": { action: "list_records", input: { ...record, formula: "filterByFormula", limit } },
      "record:list": { action: "list_records", input: { ...record, limit } },
      "record:create": { action: "create_record", input: { ...record, fields: columnFields } },
      "record:append": { action: "create_record", input: { ...record, fields: columnFields } },
      "record:update": {
        action: "update_record",
        input: { ...record, recordId: ["columns.value.id", "id"], fields: columnFields },
      },
      "record:upsert": {
        action: "upsert_record",
        input: { ...record, keys: matchingColumns, fields: columnFields },
      },
      "record:deleteRecord": { action: "delete_record", input: { ...record, recordId: "id" } },
    },
  },
  notion: {
    app: "notion",
    standard: "page:create",
    actions: {
      "databasePage:getAll": { action: "query_database", input: { database: "databaseId", limit } },
      "databasePage:create": {
        action: "create_database_page",
        input: { database: "databaseId", title: titleOf },
      },
      "databasePage:update": { action: "update_page", input: page },
      "databasePage:get": { action: "get_page", input: page },
      "page:create": { action: "create_page", input: { page: "pageId", title: "title" } },
      "page:get": { action: "get_page", input: page },
      "page:archive": { action: "update_page", input: { ...page, archived: () => true } },
      "page:search": { action: "search", input: { query: "text", limit } },
      "block:getAll": { action: "list_blocks", input: { page: "blockId", limit } },
      "block:append": { action: "append_text", input: { page: "blockId", text: blockText } },
    },
  },
  googleDrive: {
    app: "google-drive",
    standard: "file:upload",
    actions: {
      "file:upload": {
        action: "upload_file",
        input: { file: (tools) => tools.current(), name: "name", folder: ["folderId"] },
      },
      "file:download": { action: "download_file", input: { file: "fileId" } },
      "file:share": {
        action: "share_file",
        input: { file: "fileId", email: ["permissionsUi.permissionsValues.emailAddress"] },
      },
      "file:deleteFile": { action: "delete_file", input: { file: "fileId" } },
      "fileFolder:search": {
        action: "search_files",
        input: { words: "queryString", in: ["filter.folderId"], limit },
      },
      "folder:create": { action: "create_folder", input: { name: "name", folder: ["folderId"] } },
    },
  },
  googleCalendar: {
    app: "google-calendar",
    standard: "event:create",
    actions: {
      "event:create": {
        action: "create_event",
        input: {
          calendar: "calendar",
          summary: ["additionalFields.summary", "summary"],
          start: "start",
          end: "end",
          description: ["additionalFields.description"],
          location: ["additionalFields.location"],
        },
      },
      "event:getAll": {
        action: "list_events",
        input: {
          calendar: "calendar",
          from: ["timeMin", "options.timeMin"],
          to: ["timeMax", "options.timeMax"],
          limit,
        },
      },
      "event:get": { action: "get_event", input: { calendar: "calendar", event: "eventId" } },
      "event:update": {
        action: "update_event",
        input: {
          calendar: "calendar",
          event: "eventId",
          summary: ["updateFields.summary"],
          start: ["updateFields.start"],
          end: ["updateFields.end"],
        },
      },
      "event:delete": { action: "delete_event", input: { calendar: "calendar", event: "eventId" } },
    },
  },
  github: {
    app: "github",
    standard: "issue:create",
    actions: {
      "issue:create": { action: "create_issue", input: { repository, title: "title", body: "body" } },
      "issue:createComment": {
        action: "add_comment",
        input: { repository, number: "issueNumber", body: "body" },
      },
      "issue:get": { action: "get_issue", input: { repository, number: "issueNumber" } },
      "issue:edit": {
        action: "update_issue",
        input: {
          repository,
          number: "issueNumber",
          title: ["editFields.title"],
          body: ["editFields.body"],
          state: ["editFields.state"],
        },
      },
      "repository:getIssues": { action: "list_issues", input: { repository, limit } },
      "file:get": { action: "get_file", input: { repository, path: "filePath" } },
      "release:create": {
        action: "create_release",
        input: {
          repository,
          tag: "releaseTag",
          name: ["additionalFields.name"],
          body: ["additionalFields.body"],
        },
      },
    },
  },
  discord: {
    app: "discord",
    standard: "message:send",
    actions: {
      "message:send": {
        action: "send_message",
        input: { server: "guildId", channel: "channelId", content: ["content", "text"] },
      },
      "message:getAll": {
        action: "list_messages",
        input: { server: "guildId", channel: "channelId", limit },
      },
      "message:deleteMessage": {
        action: "delete_message",
        input: { server: "guildId", channel: "channelId", messageId: "messageId" },
      },
      "channel:getAll": { action: "list_channels", input: { server: "guildId", limit } },
    },
  },
  hubspot: {
    app: "hubspot",
    standard: "contact:upsert",
    actions: {
      "contact:upsert": {
        action: "upsert_contact",
        input: { email: "email", properties: hubspotProperties },
      },
      "contact:getAll": { action: "list_records", input: { object: () => "contacts", limit } },
      "contact:get": { action: "get_record", input: { object: () => "contacts", id: "contactId" } },
      "company:create": {
        action: "create_record",
        input: { object: () => "companies", properties: hubspotProperties },
      },
      "company:getAll": { action: "list_records", input: { object: () => "companies", limit } },
      "deal:getAll": { action: "list_records", input: { object: () => "deals", limit } },
      "deal:get": { action: "get_record", input: { object: () => "deals", id: "dealId" } },
    },
  },
  jira: {
    app: "jira",
    standard: "issue:create",
    actions: {
      "issue:create": {
        action: "create_issue",
        input: {
          project: "project",
          type: () => "Task",
          summary: "summary",
          description: ["additionalFields.description"],
        },
      },
      "issue:get": { action: "get_issue", input: { issue: "issueKey" } },
      "issue:getAll": { action: "search_issues", input: { jql: ["options.jql"], limit } },
      "issue:update": {
        action: "update_issue",
        input: {
          issue: "issueKey",
          summary: ["updateFields.summary"],
          description: ["updateFields.description"],
        },
      },
      "issueComment:add": { action: "add_comment", input: { issue: "issueKey", text: "comment" } },
    },
  },
  linear: {
    app: "linear",
    standard: "issue:create",
    actions: {
      "issue:create": {
        action: "create_issue",
        input: { team: "teamId", title: "title", description: ["additionalFields.description"] },
      },
      "issue:get": { action: "get_issue", input: { issue: "issueId" } },
      "comment:addComment": { action: "add_comment", input: { issue: "issueId", body: "comment" } },
    },
  },
  microsoftOutlook: {
    app: "outlook",
    standard: "message:send",
    actions: {
      "message:send": {
        action: "send_email",
        input: { to: "toRecipients", subject: "subject", ...mailBody(["bodyContent"]) },
      },
      "message:reply": { action: "reply", input: { message: "messageId", text: "message" } },
      "draft:create": {
        action: "create_draft",
        input: { to: ["additionalFields.toRecipients"], subject: "subject", ...mailBody(["bodyContent"]) },
      },
      "message:get": { action: "get_email", input: { message: "messageId" } },
      "message:getAll": {
        action: "list_emails",
        input: { filter: ["filtersUI.values.filters.custom"], limit },
      },
      "message:move": { action: "move_email", input: { message: "messageId", folder: "folderId" } },
    },
  },
  microsoftTeams: {
    app: "microsoft-teams",
    standard: "channelMessage:create",
    actions: {
      "channelMessage:create": {
        action: "send_channel_message",
        input: { team: "teamId", channel: "channelId", content: "message" },
      },
      "chatMessage:create": { action: "send_chat_message", input: { chat: "chatId", content: "message" } },
    },
  },
  twilio: {
    app: "twilio",
    standard: "sms:send",
    actions: {
      "sms:send": { action: "send_sms", input: { to: "to", from: "from", body: "message" } },
      "call:make": { action: "make_call", input: { to: "to", from: "from", text: "message" } },
    },
  },
  supabase: {
    app: "supabase",
    standard: "row:create",
    actions: {
      "row:create": { action: "create_row", input: { table: "tableId", row: supabaseRow } },
      "row:getAll": { action: "list_rows", input: { table: "tableId", limit } },
    },
  },
  wordpress: {
    app: "wordpress",
    standard: "post:create",
    actions: {
      "post:create": {
        action: "create_post",
        input: { title: "title", content: ["additionalFields.content"], status: ["additionalFields.status"] },
      },
      "post:get": { action: "get_post", input: { id: "postId" } },
      "post:getAll": { action: "list_posts", input: { limit } },
      "post:update": {
        action: "update_post",
        input: { id: "postId", title: ["updateFields.title"], content: ["updateFields.content"] },
      },
    },
  },
  stripe: {
    app: "stripe",
    standard: "balance:get",
    actions: {
      "customer:create": {
        action: "create_customer",
        input: { name: "name", email: ["additionalFields.email"] },
      },
      "customer:getAll": { action: "find_customers", input: { email: ["filters.email"], limit } },
    },
  },
};

function sheetName({ parameters, text }: Tools): unknown {
  const given = recordOf(parameters["sheetName"]);
  const cached = textOf(given["cachedResultName"]);
  if (cached !== "") return cached;
  return parameters["sheetName"] === undefined
    ? text(parameters["range"], "range").split("!")[0]
    : text(locatorOf(parameters["sheetName"]), "sheetName");
}

function limit({ parameters, value }: Tools): unknown {
  return parameters["returnAll"] === true ? 1000 : value(parameters["limit"], "limit");
}

function mailBody(names: readonly string[]): Record<string, Parameter> {
  const isText = ({ parameters }: Tools): boolean =>
    parameters["emailType"] === "text" || at(parameters, "additionalFields", "bodyContentType") === "Text";
  const body = (tools: Tools): string => tools.text(tools.parameters[names[0] ?? "message"], "message");
  return {
    text: (tools) => (isText(tools) ? body(tools) : undefined),
    html: (tools) => (isText(tools) ? undefined : body(tools)),
  };
}

/** Columns of a table: mapped in the node, or the fields that arrive. */
function columnFields(tools: Tools): unknown {
  const values = Object.entries(recordOf(at(tools.parameters, "columns", "value"))).filter(
    ([name]) => name !== "id",
  );
  return values.length > 0 ? tools.value(Object.fromEntries(values), "columns.value") : tools.current();
}

function columnValues(tools: Tools): unknown {
  const mapped = Object.values(recordOf(at(tools.parameters, "columns", "value")));
  const older = at(tools.parameters, "fieldsUi", "values") ?? at(tools.parameters, "fieldsUi", "fieldValues");
  const values =
    mapped.length > 0 ? mapped : Array.isArray(older) ? older.map((one) => at(one, "fieldValue")) : [];
  tools.check("Check that the values are in the order of the columns: n8n found the columns by name.");
  return values.length > 0
    ? tools.value(values, "columns.value")
    : `{{= Object.values(${tools.currentScript()} ?? {}) }}`;
}

function matchingColumns({ parameters }: Tools): unknown {
  const names = at(parameters, "columns", "matchingColumns");
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

function titleOf(tools: Tools): unknown {
  tools.check("Only the title is imported: add the properties.");
  return tools.text(tools.parameters["title"], "title") || "Untitled";
}

function blockText(tools: Tools): unknown {
  const blocks = at(tools.parameters, "blockUi", "blockValues");
  const texts = Array.isArray(blocks)
    ? blocks.map((one, index) => tools.text(at(one, "textContent"), `blockUi.${index}`))
    : [];
  return texts.join("\n");
}

function hubspotProperties(tools: Tools): unknown {
  tools.check("Check the names of the properties.");
  const fields = Object.entries(recordOf(tools.parameters["additionalFields"])).filter(
    ([, one]) => typeof one !== "object",
  );
  const name = tools.parameters["name"];
  return tools.value(
    Object.fromEntries(name === undefined ? fields : [["name", name], ...fields]),
    "additionalFields",
  );
}

function supabaseRow(tools: Tools): unknown {
  const fields = at(tools.parameters, "fieldsUi", "fieldValues");
  if (!Array.isArray(fields) || fields.length === 0) return tools.current();
  return Object.fromEntries(
    fields.map((one, index) => [
      textOf(at(one, "fieldId")),
      tools.value(at(one, "fieldValue"), `fieldsUi.${index}`),
    ]),
  );
}

/** The whole `resource:operation`; parts that the file leaves out are the usual ones. */
function operationOf(
  { standard, actions }: AppMap,
  { resource, operation }: Readonly<Record<string, unknown>>,
): string {
  const [usualResource = "", usualOperation = ""] = standard.split(":");
  const chosen = textOf(resource) || usualResource;
  if (textOf(operation) !== "") return `${chosen}:${textOf(operation)}`;
  if (chosen === usualResource) return `${chosen}:${usualOperation}`;
  const usual: Readonly<Record<string, string>> = { fileFolder: "search", issueComment: "add" };
  return Object.keys(actions).find((key) => key === `${chosen}:${usual[chosen] ?? "create"}`) ?? `${chosen}:`;
}

function actionOf(node: Tools["node"]): { map: AppMap; action: ActionMap } | undefined {
  const map = Object.hasOwn(APPS, node.kind) ? APPS[node.kind] : undefined;
  if (map === undefined) return undefined;
  const key = operationOf(map, node.parameters);
  const action = Object.hasOwn(map.actions, key) ? map.actions[key] : undefined;
  return action === undefined ? undefined : { map, action };
}

function isListAction(app: string, action: string): boolean {
  return apps.find(({ id }) => id === app)?.actions[action]?.items !== undefined;
}

function convert(tools: Tools): Converted {
  const { parameters, node } = tools;
  if (textOf(parameters["operation"]) === "sendAndWait") {
    tools.check("Becomes an approval. Check who is asked.");
    return { step: { type: "approval", message: tools.text(parameters["message"], "message") || node.name } };
  }
  const found = actionOf(node);
  if (found === undefined) return { step: undefined };
  const { map, action } = found;
  tools.app(map.app);
  const connection = tools.connection("app", map.app);
  const fields = apps.find(({ id }) => id === map.app)?.actions[action.action]?.input ?? {};
  const input: Record<string, unknown> = {};
  for (const [field, parameter] of Object.entries(action.input ?? {})) {
    const given = typeof parameter === "function" ? parameter(tools) : parameterValue(tools, parameter);
    if (given === undefined || given === "" || given === null) continue;
    const type = fields[field]?.type;
    const isListOfTexts = type === "array" && !Array.isArray(given) && !String(given).includes("{{");
    input[field] = isListOfTexts
      ? [given]
      : type === "string" && typeof given === "number"
        ? String(given)
        : given;
  }
  return {
    step: {
      type: "app",
      app: map.app,
      action: action.action,
      ...(connection !== undefined && { connection }),
      input,
    },
    output: { path: [], isExact: map.app === "google-sheets" || map.app === "supabase" },
  };
}

function parameterValue(tools: Tools, names: string | readonly string[]): unknown {
  for (const name of [names].flat()) {
    const given = locatorOf(at(tools.parameters, ...name.split(".")));
    if (given !== undefined && given !== "" && given !== null) return tools.value(given, name);
  }
  return undefined;
}

const flow: NodeKind["flow"] = (node) => {
  const found = actionOf(node);
  return {
    takes: "item",
    gives: found !== undefined && isListAction(found.map.app, found.action.action) ? "list" : "one",
  };
};

export const appNodes: Readonly<Record<string, NodeKind>> = Object.fromEntries(
  Object.keys(APPS).map((kind) => [kind, { flow, convert }]),
);

/** The app and its event for the trigger of a product. */
export const APP_TRIGGERS: Readonly<Record<string, readonly [app: string, event: string]>> = {
  telegramTrigger: ["telegram", "new_update"],
  gmailTrigger: ["gmail", "new_email"],
  slackTrigger: ["slack", "new_message"],
  airtableTrigger: ["airtable", "new_record"],
  notionTrigger: ["notion", "new_page"],
  googleSheetsTrigger: ["google-sheets", "new_row"],
  googleDriveTrigger: ["google-drive", "new_file"],
  googleCalendarTrigger: ["google-calendar", "new_event"],
  githubTrigger: ["github", "repository_event"],
  hubspotTrigger: ["hubspot", "new_record"],
  stripeTrigger: ["stripe", "event"],
  jiraTrigger: ["jira", "new_issue"],
  linearTrigger: ["linear", "new_issue"],
  microsoftOutlookTrigger: ["outlook", "new_email"],
  shopifyTrigger: ["shopify", "new_order"],
  twilioTrigger: ["twilio", "new_message"],
};
