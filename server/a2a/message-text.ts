import type { Message, Part } from "@a2a-js/sdk";
import type { Sdk } from "./sdk.ts";

/** The text of parts; data as JSON, files by their URL. */
export function textOfParts(parts: readonly Part[]): string {
  return parts
    .map(({ content }) => {
      switch (content?.$case) {
        case "text":
        case "url":
          return content.value;
        case "data":
          return JSON.stringify(content.value);
        case "raw":
          return content.value.toString("utf8");
        default:
          return "";
      }
    })
    .filter((text) => text !== "")
    .join("\n");
}

const TEXT_TYPE = /^(text\/.*|application\/(.*\+)?(json|xml|yaml))(;.*)?$/i;

/** The message as text, for agents, which read nothing else. */
export function textOfMessage({ errors }: Sdk, { parts }: Message): string {
  const binary = parts.find(
    ({ content, mediaType }) => content?.$case === "raw" && !TEXT_TYPE.test(mediaType),
  );
  if (binary !== undefined)
    throw new errors.ContentTypeNotSupportedError(
      `Incompatible content types: this agent reads text and JSON, not ${binary.mediaType || "files without a media type"}.`,
    );
  const text = textOfParts(parts);
  if (text === "") throw new errors.RequestMalformedError("message.parts must contain text or data");
  return text;
}
