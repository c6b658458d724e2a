/**
 * Scenarios that fail because they test what Baton does not have, with the reason. The run fails when another one fails, and when
 * one of these passes. docs/reference/conformance.md lists them.
 */
type Reasons = Readonly<Record<string, string>>;

const NO_SAMPLING = "Needs a tool that uses the model of the client. Baton calls models itself.";
const FIXED_URI =
  "Reads fixed test:// addresses. The resources of Baton are documents under baton://documents/.";
const TEXT_PROMPTS = "Needs a prompt with a picture or a file. The prompts of Baton are text.";
const OTHER_FORM = "Needs a form with given fields. The form of an approval has a comment.";

const BOTH: Reasons = {
  "resources-read-text": FIXED_URI,
  "resources-read-binary": FIXED_URI,
  "resources-templates-read": FIXED_URI,
  "prompts-get-embedded-resource": TEXT_PROMPTS,
  "prompts-get-with-image": TEXT_PROMPTS,
};

export const NOT_APPLICABLE: Readonly<Record<string, Reasons>> = {
  "2026-07-28": {
    ...BOTH,
    "server-stateless": `2 of 28 checks: ${NO_SAMPLING}`,
    "input-required-result-basic-sampling": NO_SAMPLING,
    "input-required-result-basic-list-roots":
      "Needs a tool that reads the folders of the client. Baton has none.",
    "input-required-result-multiple-input-requests": NO_SAMPLING,
    "input-required-result-non-tool-request":
      "Needs a prompt that asks questions. The prompts of Baton ask none.",
    "input-required-result-capability-check": NO_SAMPLING,
    "input-required-result-ignore-extra-params":
      "A warning: answers a question before it was asked. An approval counts only for the question that the user saw.",
  },
  "2025-11-25": {
    ...BOTH,
    "logging-set-level": "Baton sends no log messages to clients; runs have their own log.",
    "tools-call-with-logging": "Baton sends no log messages to clients; runs have their own log.",
    "tools-call-sampling": NO_SAMPLING,
    "elicitation-sep1034-defaults": OTHER_FORM,
    "elicitation-sep1330-enums": OTHER_FORM,
    "resources-subscribe": "Documents do not change, so there is nothing to subscribe to.",
    "resources-unsubscribe": "Documents do not change, so there is nothing to subscribe to.",
  },
};
