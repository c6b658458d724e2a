import { at, textOf } from "../source/parameters.ts";
import { optionsLeft } from "./options-left.ts";
import type { Converted, NodeContext } from "./node-context.ts";

export function sendMail(context: NodeContext): Converted {
  const { parameters } = context;
  if (textOf(parameters["operation"]) === "sendAndWait") {
    context.note("Becomes an approval, which waits for the answer.");
    context.check("Check who approves.");
    return {
      step: {
        type: "approval",
        message: context.text(parameters["message"], "message") || context.node.name,
        notifyEmail: context.text(parameters["toEmail"], "toEmail"),
      },
    };
  }
  const connection = context.connection("smtp");
  if (connection === undefined)
    context.note("Sends through the mail server of this instance until you choose a connection.");
  const text = context.text(parameters["text"], "text");
  const html = context.text(parameters["html"], "html");
  if (textOf(parameters["attachments"] ?? at(parameters, "options", "attachments")) !== "")
    context.check("Choose the attachments.");
  if (textOf(parameters["fromEmail"]) !== "")
    context.check("The sender is that of the mail server or of the connection.");
  for (const copies of ["ccEmail", "bccEmail"])
    if (textOf(parameters[copies]) !== "") context.check(`Not imported: ${copies}.`);
  optionsLeft(context, ["attachments", "appendAttribution"]);
  const list = context
    .text(parameters["toEmail"], "toEmail")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  return {
    step: {
      type: "email",
      to: list.length > 1 && !list.some((one) => one.includes("{{=")) ? list : list.join(", "),
      subject: context.text(parameters["subject"], "subject") || "(no subject)",
      ...(html !== "" && { html }),
      ...(text !== "" && { text }),
      ...(html === "" && text === "" && { text: " " }),
      ...(connection !== undefined && { connection }),
    },
  };
}
