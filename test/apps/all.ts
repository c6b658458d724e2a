import { airtableExamples } from "./airtable.ts";
import { discordExamples } from "./discord.ts";
import { githubExamples } from "./github.ts";
import { gmailExamples } from "./gmail.ts";
import { googleCalendarExamples } from "./google-calendar.ts";
import { googleDriveExamples } from "./google-drive.ts";
import { googleSheetsExamples } from "./google-sheets.ts";
import { hubspotExamples } from "./hubspot.ts";
import { jiraExamples } from "./jira.ts";
import { linearExamples } from "./linear.ts";
import { microsoftTeamsExamples } from "./microsoft-teams.ts";
import { notionExamples } from "./notion.ts";
import { outlookExamples } from "./outlook.ts";
import { shopifyExamples } from "./shopify.ts";
import { slackExamples } from "./slack.ts";
import { stripeExamples } from "./stripe.ts";
import { supabaseExamples } from "./supabase.ts";
import { telegramExamples } from "./telegram.ts";
import { twilioExamples } from "./twilio.ts";
import { wordpressExamples } from "./wordpress.ts";
import type { AppExamples } from "./support/app-examples.ts";

/** One for each app of apps/all.ts. */
export const allExamples: readonly AppExamples[] = [
  airtableExamples,
  discordExamples,
  githubExamples,
  gmailExamples,
  googleCalendarExamples,
  googleDriveExamples,
  googleSheetsExamples,
  hubspotExamples,
  jiraExamples,
  linearExamples,
  microsoftTeamsExamples,
  notionExamples,
  outlookExamples,
  shopifyExamples,
  slackExamples,
  stripeExamples,
  supabaseExamples,
  telegramExamples,
  twilioExamples,
  wordpressExamples,
];
