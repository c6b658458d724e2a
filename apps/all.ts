import { airtable } from "./airtable.ts";
import type { App } from "./define-app.ts";
import { discord } from "./discord.ts";
import { github } from "./github.ts";
import { gmail } from "./gmail.ts";
import { googleCalendar } from "./google-calendar.ts";
import { googleDrive } from "./google-drive.ts";
import { googleSheets } from "./google-sheets.ts";
import { hubspot } from "./hubspot.ts";
import { jira } from "./jira.ts";
import { linear } from "./linear.ts";
import { microsoftTeams } from "./microsoft-teams.ts";
import { notion } from "./notion.ts";
import { outlook } from "./outlook.ts";
import { shopify } from "./shopify.ts";
import { slack } from "./slack.ts";
import { stripe } from "./stripe.ts";
import { supabase } from "./supabase.ts";
import { telegram } from "./telegram.ts";
import { twilio } from "./twilio.ts";
import { wordpress } from "./wordpress.ts";

/** The apps that ship with Baton, in alphabetical order. */
export const apps: readonly App[] = [
  airtable,
  discord,
  github,
  gmail,
  googleCalendar,
  googleDrive,
  googleSheets,
  hubspot,
  jira,
  linear,
  microsoftTeams,
  notion,
  outlook,
  shopify,
  slack,
  stripe,
  supabase,
  telegram,
  twilio,
  wordpress,
];
