import type { App, AppRead, AppRequest } from "../../../apps/define-app.ts";
import type { AppField } from "../../../contract/apps.ts";
import { inputSchemaOf } from "../../../contract/apps.ts";
import { inputSchemaProblems } from "../../../contract/input/input-schema.ts";
import { compileTemplate } from "../../../contract/placeholders/compile.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";

const ANSWER_ROOTS = ["body", "headers", "status", "item", "index", "last", "input", "connection"];

/** Mistakes of an app that can be seen without running it, one sentence for each. */
export function appProblems(app: App): string[] {
  const problems: string[] = [];
  const say = (where: string, problem: string) => void problems.push(`${where}: ${problem}`);

  function checkTemplate(where: string, template: JsonValue, roots: readonly string[], input?: Fields): void {
    const { references, expressions, problems: mistakes } = compileTemplate(template);
    for (const { message } of mistakes) say(where, message);
    if (expressions.length > 0) say(where, "an expression {{= }} is code, and an app is data");
    for (const { root, path, source } of references) {
      if (!roots.includes(root)) say(where, `{{${source}}} has no meaning here`);
      if (root === "input" && input && !Object.hasOwn(input, String(path[0])))
        say(where, `{{${source}}} is not a field of the input`);
      if (
        root === "connection" &&
        path[0] !== "username" &&
        !Object.hasOwn(app.fields ?? {}, String(path[0]))
      )
        say(where, `{{${source}}} is not a field of the connection`);
    }
  }

  function checkRequest(where: string, request: AppRequest, input: Fields, more: readonly string[]): void {
    const roots = ["input", "connection", "prepared", "pageSize", "cursor", "page", "offset", ...more];
    checkTemplate(where, request as unknown as JsonValue, roots, input);
    for (const name of request.segments ?? [])
      if (!Object.hasOwn(input, name)) say(where, `no input "${name}"`);
    if (/^https?:/.test(request.path)) checkHost(where, request.path);
    else if (!request.path.startsWith("/")) say(where, "the path does not begin with a slash");
  }

  function checkHost(where: string, url: string): void {
    const host = url.replace(/^https:\/\//, "").split("/")[0] ?? "";
    const isBound = app.hosts.some(
      (one) => one === host || (one.startsWith("*.") && host.endsWith(one.slice(1))),
    );
    if (!isBound) say(where, `${host} is not in hosts`);
  }

  function checkFields(where: string, fields: Fields): void {
    for (const problem of inputSchemaProblems(inputSchemaOf(fields))) say(where, problem);
    for (const [name, { options, dependsOn = [] }] of Object.entries(fields)) {
      if (options !== undefined && !Object.hasOwn(app.options ?? {}, options))
        say(where, `no options "${options}"`);
      for (const other of dependsOn)
        if (!Object.hasOwn(fields, other)) say(where, `"${name}" depends on no field "${other}"`);
    }
  }

  function checkRead(where: string, read: AppRead, input: Fields, more: readonly string[] = []): void {
    checkRequest(where, read.request, input, more);
    for (const template of [read.items, read.output]) {
      if (template !== undefined) checkTemplate(where, template, ANSWER_ROOTS, input);
    }
    if (read.paging && read.items === undefined) say(where, "paging needs items");
    const text = JSON.stringify(read.request);
    const needs = { cursor: "{{cursor}}", page: "{{page}}", offset: "{{offset}}" } as Record<string, string>;
    const needed = needs[read.paging?.kind ?? ""];
    if (needed !== undefined && !text.includes(needed)) say(where, `the request does not hold ${needed}`);
  }

  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(app.id)) say(app.id, "the id is not in kebab-case");
  if (!/^[A-Z0-9][A-Za-z0-9]?$/.test(app.icon.letters)) say(app.id, "the icon needs one or two letters");
  checkHost("baseUrl", app.baseUrl);
  checkFields("fields", app.fields ?? {});
  checkRequest("test", app.test.request, {}, []);
  const { words: _words, expired: _expired, ...errors } = app.errors ?? {};
  checkTemplate("errors", errors as JsonValue, ANSWER_ROOTS);
  for (const [id, options] of Object.entries(app.options ?? {}))
    checkRead(`options ${id}`, options, everyInput(app), ["search"]);
  for (const [id, action] of Object.entries(app.actions)) {
    if (!/^[a-z0-9]+(_[a-z0-9]+)*$/.test(id)) say(id, "the id is not in snake_case");
    if (!/^[A-Z].*\.$/.test(action.description)) say(id, "the description is not a sentence");
    checkFields(id, action.input);
    checkRead(id, action, action.input);
  }
  for (const [id, trigger] of Object.entries(app.triggers ?? {})) {
    checkFields(id, trigger.input);
    if ("polling" in trigger) {
      checkRead(id, trigger.polling, trigger.input, ["since"]);
      continue;
    }
    const { subscribe, unsubscribe, list } = trigger.webhook;
    checkRequest(id, subscribe, trigger.input, ["webhook"]);
    checkRequest(id, unsubscribe, trigger.input, ["subscription"]);
    if (list) checkRequest(id, list.request, trigger.input, []);
  }
  return problems;
}

type Fields = Readonly<Record<string, AppField>>;

/** Options read the input of whatever form they are in. */
function everyInput(app: App): Fields {
  const forms = [...Object.values(app.actions), ...Object.values(app.triggers ?? {})];
  return Object.assign({}, ...forms.map(({ input }) => input)) as Fields;
}
