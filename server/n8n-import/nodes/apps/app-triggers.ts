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
