// Prints what an OpenAPI document (3 or Swagger 2, JSON) says about some operations, as a fixture for the tests of an app:
// node test/apps/extract-operations.mjs <document.json> <source URL> "POST /chat.postMessage" "GET /conversations.list" …
import { readFileSync } from "node:fs";

const [file, source, ...wanted] = process.argv.slice(2);
const document = JSON.parse(readFileSync(file, "utf8"));

function resolve(part) {
  let found = part;
  while (found?.$ref)
    found = found.$ref
      .slice(2)
      .split("/")
      .reduce((at, key) => at[key.replaceAll("~1", "/")], document);
  return found ?? {};
}

/** `string`, or `string|null` for several; `any` where the document leaves it open. A `!` marks what is required. */
function typeOf(schema, isRequired) {
  const found = resolve(schema);
  const options = found.oneOf ?? found.anyOf;
  const types = options
    ? [...new Set(options.map((one) => typeOf(one, false)))]
    : [found.type ?? "any"].flat();
  return `${types.join("|")}${isRequired ? "!" : ""}`;
}

function propertiesOf(schema) {
  const found = resolve(schema);
  const parts = [
    found,
    ...(found.allOf ?? []).map(resolve),
    ...(found.oneOf ?? []).map(resolve),
    ...(found.anyOf ?? []).map(resolve),
  ];
  return Object.fromEntries(
    parts.flatMap(({ properties = {}, required = [] }) =>
      Object.entries(properties).map(([name, each]) => [
        name,
        typeOf(each, found.required?.includes(name) ?? required.includes(name)),
      ]),
    ),
  );
}

function operationOf(key) {
  const [method, path] = key.split(" ");
  const item = document.paths[path];
  const operation = item?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`The document has no ${key}.`);
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
  const named = (place) =>
    Object.fromEntries(
      parameters
        .filter((one) => one.in === place)
        .map((one) => [one.name, typeOf(one.schema ?? one, one.required)]),
    );
  const content = resolve(operation.requestBody).content ?? {};
  const media = Object.values(content)[0];
  const swaggerBody = parameters.find((one) => one.in === "body");
  const body = media
    ? propertiesOf(media.schema)
    : swaggerBody
      ? propertiesOf(swaggerBody.schema)
      : named("formData");
  const query = named("query");
  return { ...(Object.keys(query).length > 0 && { query }), ...(Object.keys(body).length > 0 && { body }) };
}

const operations = Object.fromEntries(wanted.map((key) => [key, operationOf(key)]));
process.stdout.write(`${JSON.stringify({ source, operations }, null, 2)}\n`);
